import { mkdir, mkdtemp, readdir, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  buildTestSettings,
  removeTestSettings,
  type TestSettings,
} from '@fabrica/backend/testing/database/build-test-engine.ts';
import { freePort, runServerToEnd, startServer } from '@fabrica/test-peers/start-server.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

let folder: string;
let base: TestSettings;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-projects-'));
  base = await buildTestSettings();
});
afterEach(async () => {
  await removeTestSettings(base);
  await rm(folder, { recursive: true });
});

async function write(files: Record<string, string>): Promise<void> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, name)), { recursive: true });
    await writeFile(join(folder, name), content);
  }
}

/** Runs a server that cannot start, and returns its exit code and the lines that it printed to stderr. */
async function runToEnd(environment: Record<string, string> = {}) {
  const { exitCode, stderr } = await runServerToEnd({
    ...base,
    PORT: String(await freePort()),
    HOST: '127.0.0.1',
    LOG_LEVEL: 'warn',
    DEMO: 'off',
    PROJECTS_DIR: folder,
    ...environment,
  });
  return { exitCode, lines: stderr.split('\n') };
}

const start = () => startServer({ ...base, PROJECTS_DIR: folder, DEMO: 'off' }, base.DATA_DIR);

/** Returns a valid definition with these parts instead of its own. */
const definition = (parts: string) => `({
  id: 'shop', tables: {}, roles: { member: { permissions: [] } }, signUpRole: 'member', origins: [], migrations: {},
  ${parts}
})`;
const define = (parts: string) =>
  `import { defineProject, equals } from '@fabrica/backend';\nexport default defineProject${definition(parts)};\n`;
const table = (parts: string) =>
  `tables: { books: { columns: { id: { type: 'text', max: 9 } }, policies: {}, ${parts} } }`;

describe('a folder of projects', () => {
  it('a projects folder that does not exist is named at start', async () => {
    const nowhere = join(folder, 'nowhere');
    const missing = await runToEnd({ PROJECTS_DIR: nowhere });
    expect(missing).toEqual({
      exitCode: 78,
      lines: ['Fabrica cannot start with these settings:', `  PROJECTS_DIR: ${nowhere} is not there.`],
    });
    await write({ 'shop.ts': '' });
    const file = await runToEnd({ PROJECTS_DIR: join(folder, 'shop.ts') });
    expect(file.lines[1]).toBe(`  PROJECTS_DIR: ${join(folder, 'shop.ts')} is no folder.`);
  });

  it('a projects folder may contain other files and shared modules', async () => {
    await write({
      'README.md': '# Ours',
      'package.json': '{ "type": "module" }',
      '.hidden.ts': 'throw new Error("read")',
      'shop.test.ts': 'throw new Error("read")',
      'shop.d.ts': 'throw new Error("read")',
      'node_modules/project.ts': 'throw new Error("read")',
      'lib/name.ts': "export const id: string = 'shop';",
      'shop.ts': `import { id } from './lib/name.ts';\nexport default ${definition('id')};`,
    });
    const server = await start();
    expect((await fetch(`${server.url}/api/auth/providers?projectId=shop`)).status).toBe(200);
    await server.close();
  });

  it('a projects folder may contain symbolic links', async () => {
    await write({
      '.real/deep/shop.ts': `import './side.ts';\n${define('')}`,
      '.real/deep/side.ts': "import 'kysely';",
    });
    await symlink(join(folder, '.real/deep/shop.ts'), join(folder, 'shop.ts'));
    const server = await start();
    expect((await fetch(`${server.url}/api/auth/providers?projectId=shop`)).status).toBe(200);
    await server.close();
  });
});

/** The name of a file, its content, and the message that follows its path. */
const wrong: [string, string, string | RegExp][] = [
  ['syntax.ts', 'export default {\n  a: 1\n  b: 2\n};', /^SyntaxError in line 3: /],
  ['syntax.js', 'export default {\n  a: 1\n  b: 2\n};', /^SyntaxError: Unexpected identifier 'b'\.$/],
  [
    'enumerates.ts',
    'enum Kind { a }\nexport default Kind;',
    /^SyntaxError in line 1: TypeScript enum is not supported/,
  ],
  ['throws.mjs', '\nexport default null.x;', /^TypeError in line 2: /],
  // The process ends although the timer runs.
  ['goes-on.mjs', "setInterval(() => {}, 1_000);\nthrow new Error('no more');", 'no more.'],
  ['throws-text.mjs', "throw 'just so';", 'just so.'],
  ['imports.ts', "import 'nowhere-to-be-found';", /^Cannot find package 'nowhere-to-be-found'/],
  [
    'imports-wrongly.ts',
    "import { nothing } from '@fabrica/backend';",
    /does not provide an export named 'nothing'\.$/,
  ],
  ['in-another.ts', "import './lib/broken.ts';", /^SyntaxError in line 1 of .*\/lib\/broken\.ts: /],
  [
    'nothing.ts',
    'export const shop = {};',
    /^there is no default export; write: export default defineProject/,
  ],
  ['empty.ts', '', /^the default export is no project/],
  ['list.ts', 'export default [];', /^the default export is no project; write: export default defineProject/],
  ['function.ts', 'export default () => ({});', /^the default export is no project/],
  ['own/project.ts', 'export default null;', /^the default export is no project/],
  ['object.ts', 'export default {};', /^the default export is no project/],
  ['parts.ts', "export default { id: 'parts' };", /^Project "parts": tables is missing; roles is missing; /],
  ['id.ts', define("id: 'Shop'"), 'Project id "Shop" must be lower-case letters'],
  ['journal.ts', define("id: 'journal'"), '"journal" is the id of the journal (PROJECT_ID).'],
  ['sign-up-role.ts', define("signUpRole: 'boss'"), /sign-up role "boss" is none of its roles \(member\)\.$/],
  [
    'role.ts',
    define('roles: { service: { permissions: [] } }, signUpRole: "service"'),
    /may be called "service"\.$/,
  ],
  ['roles.ts', define('roles: { member: [] }'), 'Project "shop": roles.member must be an object.'],
  ['unknown.ts', define('colour: 1'), /has no place for "colour"\.$/],
  ['origin.ts', define("origins: ['https://a.example/']"), /origins\.0 must be an origin such as https/],
  [
    'column.ts',
    define(table("columns: { id: { type: 'uuid' } }")),
    /tables\.books\.columns\.id\.type is none that/,
  ],
  [
    'column-max.ts',
    define(table("columns: { id: { type: 'text' } }")),
    /books\.columns\.id\.max is missing\.$/,
  ],
  ['column-id.ts', define(table('columns: {}')), /table "books" has no id column\.$/],
  [
    'pattern.ts',
    define(table("columns: { id: { type: 'text', max: 9, pattern: '^a' } }")),
    /regular expression\.$/,
  ],
  [
    'policy.ts',
    define(table('policies: { signedIn: { write: equals("id", 1) } }')),
    /signedIn has no place for "write"\.$/,
  ],
  [
    'filter.ts',
    define(table('policies: { signedIn: { read: true } }')),
    /policies\.signedIn\.read must be an object\.$/,
  ],
  [
    'filter-kind.ts',
    define(table('policies: { signedIn: { read: { kind: "all" } } }')),
    /read\.kind is none that there is\.$/,
  ],
  [
    'filter-value.ts',
    define(table('policies: { signedIn: { read: equals("id", () => 1) } }')),
    /read\.value must be text/,
  ],
  [
    'update.ts',
    define(table('policies: { signedIn: { update: equals("id", 1) } }')),
    /update\.where is missing; /,
  ],
  ['migration.ts', define("migrations: { 'shop-1': () => {} }"), /migrations\.shop-1 must be an object\.$/],
  [
    'migration-up.ts',
    define("migrations: { 'shop-1': { up: 'create table' } }"),
    /shop-1\.up must be a function\.$/,
  ],
  [
    'accounts.ts',
    define('tables: { users: { columns: { id: { type: "text", max: 9 } }, policies: {} } }'),
    /"users" is a table of Fabrica itself\.$/,
  ],
];

it('all faults of projects are listed at once, one line for each file', async () => {
  await write({
    ...Object.fromEntries(wrong.map(([name, content]) => [name, content])),
    'lib/broken.ts': 'const = 1;',
    'twice.ts': define("id: 'one'"),
    'twice/project.mjs': define("id: 'one'"),
    'good.ts': define("id: 'good'"),
  });
  const { exitCode, lines } = await runToEnd();
  expect(exitCode).toBe(78);
  const messages = new Map(
    lines.slice(1).map((line) => {
      const [, file = '', sentence = ''] = /^ {2}PROJECTS_DIR: (.*?): (.*)$/.exec(line) ?? [];
      return [file, sentence];
    }),
  );
  for (const [name, , sentence] of wrong) {
    const found = messages.get(join(folder, name)) ?? `nothing of ${name}`;
    if (typeof sentence === 'string') expect(found).toContain(sentence);
    else expect(found).toMatch(sentence);
    expect(found).toMatch(/^.{5,300}[.]$/);
  }
  expect(messages.get(join(folder, 'twice.ts'))).toBe(
    `"one" is the id of the project in ${join(folder, 'twice/project.mjs')} already.`,
  );
  expect(messages.size).toBe(wrong.length + 1);
  expect(lines.join('\n')).not.toMatch(/^\s+at /m);
  // No database is opened before all projects are read.
  expect(await readdir(base.DATA_DIR)).not.toContain('good.sqlite');
});

describe('a project whose database cannot be brought up to date', () => {
  const books = (name: string) =>
    `{ async up(db) { await db.schema.createTable('${name}').addColumn('id', 'text', (c) => c.notNull().primaryKey()).execute(); } }`;
  const shop = (parts: string) =>
    define(`${table('policies: { anonymous: { read: equals("id", "1") } },')}, ${parts}`);
  const ask = async (url: string) => (await fetch(`${url}/api/db/shop/rest/v1/books`)).status;

  it.each([
    [
      'a migration that fails half way',
      `'shop-2': { async up(db) { await db.schema.createTable('authors').addColumn('id', 'text').execute(); await db.schema.dropTable('books').execute(); throw new Error('no ink'); } }`,
      'PROJECTS_DIR: Project "shop": Migration "shop-2" failed: no ink',
    ],
    [
      'a migration of bad SQL',
      `'shop-2': ${books('books')}`,
      'PROJECTS_DIR: Project "shop": Migration "shop-2" failed: ',
    ],
    [
      'a migration whose name comes before those of the services',
      `'0002-more': ${books('authors')}`,
      'PROJECTS_DIR: Project "shop": the migration "0002-more" must have a name that begins with a letter, such as "shop-0002-more".',
    ],
  ])('a project with %s is named, and its database stays as it was', async (_, migration, sentence) => {
    await write({ 'shop.mjs': shop(`migrations: { 'shop-1': ${books('books')} }`) });
    const before = await start();
    expect(await ask(before.url)).toBe(200);
    await before.stop();
    await write({ 'shop.mjs': shop(`migrations: { 'shop-1': ${books('books')}, ${migration} }`) });
    const { exitCode, lines } = await runToEnd();
    expect(exitCode).toBe(78);
    expect(lines[1]).toContain(sentence);
    expect(lines.join('\n')).not.toMatch(/^\s+at /m);
    // A migration of the same tables runs, since nothing of the failed one is left.
    await write({
      'shop.mjs': shop(`migrations: { 'shop-1': ${books('books')}, 'shop-2': ${books('authors')} }`),
    });
    const after = await start();
    expect(await ask(after.url)).toBe(200);
    await after.stop();
  });

  it('a project whose tables and database differ is named with the differences', async () => {
    await write({ 'shop.mjs': shop("migrations: { 'shop-1': { async up() {} } }") });
    const { exitCode, lines } = await runToEnd();
    expect(exitCode).toBe(78);
    expect(lines.slice(1).map((line) => line.trim())).toEqual([
      'PROJECTS_DIR: Project "shop" and its database differ:',
      'table "books" is not in the database',
    ]);
  });

  it('a policy that names a table of another project is refused', async () => {
    const through = `{ kind: 'through', column: 'id', table: 'journal_posts', where: equals('published', 1) }`;
    const policies = table(`policies: { anonymous: { read: ${through} } }`);
    await write({ 'shop.mjs': define(`${policies}, migrations: { 'shop-1': ${books('books')} }`) });
    const { exitCode, lines } = await runToEnd();
    expect(exitCode).toBe(78);
    expect(lines.join('\n')).toContain('names table "journal_posts", which is not defined');
  });
});
