import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { killCommand, runFabrica, runFabricaHere, startFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresEngine } from '../../../database/engines/postgres/postgres-engine.ts';
import { addFunctions } from '../../../database/engines/sqlite/connect.ts';
import {
  createStatementLimits,
  statementTimedOut,
} from '../../../database/engines/sqlite/reader/statement-limits.ts';

/** Enough for a restore to take a moment. */
const MANY = 20_000;
/** Milliseconds that a command may take until it is where it is waited for. */
const SOON = { timeout: 60_000, interval: 1 };

let folder: string;
/** The folder of the data folder that each test has a copy of, and of its backup. */
let original: string;
let backup: string;
/** The settings of a data folder on SQLite. */
let settings: { DATA_DIR: string };
/** Databases on the server with nothing in them. */
let first: string;
let second: string;

beforeAll(async () => {
  original = await mkdtemp(join(tmpdir(), 'fabrica-original-'));
  settings = { DATA_DIR: join(original, 'house') };
  await mkdir(settings.DATA_DIR);
  await succeed(['migrate', 'up']);
  inHouse(`
    INSERT INTO users (id, email, role, created_at)
      VALUES ('ada', 'ada@example.org', 'author', 1), ('ünï', 'ben@example.org', 'author', 2);
    INSERT INTO journal_posts (id, user_id, title, image_url, content, created_at, updated_at, published)
      VALUES ('p1', 'ada', 'Heart "🫀" \\ {x}', '/x.png', 'A muscle.' || char(10) || 'NULL', -1, 9007199254740993, 1);
    INSERT INTO post_comments (id, post_id, user_id, user_name, content, created_at)
      VALUES ('c1', 'p1', 'ada', '', ' ', 1), ('C2', 'p1', 'ünï', 'Ben', '''', 1), ('Ä', 'p1', 'ada', 'Ada', ',', 1);
    INSERT INTO post_drafts (id, user_id, version, state, changed, title, languages, people, revisions, revised_at,
                             created_at, updated_at, document)
      VALUES ('p1', 'ada', 2, 'published', 1, 'Heart', 'en', ',ünï,', 1, 1, 1, 1, '{"title":"Heart \\n"}');
    INSERT INTO post_revisions (id, post_id, user_id, number, kind, created_at, document)
      VALUES ('r1', 'p1', 'ünï', 1, 'published', 1, '{}'), ('R1', 'p1', 'ada', 2, 'saved', 2, '{"title":"🫀"}');
    INSERT INTO post_slugs (id, post_id, language, current, created_at) VALUES ('heart', 'p1', 'en', 1, 1);
    INSERT INTO post_previews (id, post_id, user_id, created_at, expires_at) VALUES ('hash', 'p1', 'ada', 1, 2);
    INSERT INTO post_files (id, post_id, user_id, url) VALUES ('f1', 'p1', 'ada', '/x.png');
    INSERT INTO analytics_days (scope, dimension, day, value, views, readers, completed)
      VALUES ('', 'total', '2026-11-20', '', 9007199254740993, 2, 1), ('ünï', 'page', '2026-11-20', '/post/Ä', 1, 1, 0),
             ('ada', 'page', '2026-11-20', '/post/p1', 1, 1, 0), ('ada', 'page', '2026-11-20', '/post/P1', 1, 1, 0);`);
  backup = join(original, 'backup');
  await succeed(['backup', '--without-files', '--to', backup]);
});

afterAll(() => rm(original, { recursive: true, force: true }));

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fabrica-moving-'));
  settings = { DATA_DIR: join(folder, 'house') };
  await cp(join(original, 'house'), settings.DATA_DIR, { recursive: true });
  first = (await testDatabaseSettings(join(folder, 'first'))).DATABASE_URL ?? '';
  second = (await testDatabaseSettings(join(folder, 'second'))).DATABASE_URL ?? '';
});

afterEach(async () => {
  for (const name of ['first', 'second']) await removeDatabase(join(folder, name));
  await rm(folder, { recursive: true, force: true });
});

const fabrica = (args: string[], more: Record<string, string> = {}) =>
  runFabricaHere(args, { ...settings, ...more });

async function succeed(typed: string[], more: Record<string, string> = {}): Promise<string> {
  const { exitCode, stdout, stderr } = await fabrica(typed, more);
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' });
  return stdout;
}

/** Another program at the house's file. */
function inHouse(sql: string): void {
  const database = new DatabaseSync(join(settings.DATA_DIR, 'journal.sqlite'), {
    enableForeignKeyConstraints: false,
  });
  // The triggers of posts call a function of ours.
  addFunctions(database, createStatementLimits({ timeout: 10_000, createError: statementTimedOut }));
  try {
    database.exec(sql);
  } finally {
    database.close();
  }
}

/** Another program at the server, as the role of the settings. */
async function atServer(url: string, sql: string): Promise<unknown[]> {
  const client = new Client(url);
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

const schemasOf = (url: string) =>
  atServer(url, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'project%'`);

/** Backs up without files, as a move does, and returns the backup's folder with what the manifest says. */
async function backUp(name: string, more: Record<string, string> = {}) {
  const made = join(folder, name);
  const stdout = await succeed(['backup', '--without-files', '--to', made, '--json'], more);
  const { engine, projects } = JSON.parse(stdout);
  return { made, engine, tables: projects[0].tables as { table: string; rows: number; sha256: string }[] };
}

describe('a move to another engine', () => {
  test('a move from SQLite to PostgreSQL, back, and to PostgreSQL again has the same rows each time', async () => {
    const before = await backUp('of-sqlite');
    expect(before.tables).toContainEqual({
      table: 'post_comments',
      rows: 3,
      sha256: expect.stringMatching(/^\w{64}$/),
    });
    await succeed(['restore', before.made], { DATABASE_URL: first });
    const there = await backUp('of-postgres', { DATABASE_URL: first });
    expect([there.engine, there.tables]).toEqual(['postgres', before.tables]);
    const back = join(folder, 'back');
    await succeed(['restore', there.made], { DATA_DIR: back });
    const home = new DatabaseSync(join(back, 'journal.sqlite'), { readOnly: true });
    const query = home.prepare('SELECT created_at, updated_at FROM journal_posts');
    query.setReadBigInts(true);
    expect(query.all()).toEqual([{ created_at: -1n, updated_at: 9007199254740993n }]);
    expect(home.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    home.close();
    const again = await backUp('of-sqlite-again', { DATA_DIR: back });
    await succeed(['restore', again.made], { DATA_DIR: back, DATABASE_URL: second });
    expect((await backUp('last', { DATABASE_URL: second })).tables).toEqual(before.tables);
  });

  test('what was moved is a database that Fabrica runs on, with its references and indexes', async () => {
    const on = { DATABASE_URL: first };
    await succeed(['restore', backup], on);
    expect(await succeed(['user', 'list'], on)).toContain('ada@example.org');
    expect(await succeed(['migrate', 'up'], on)).toBe('There was nothing to run.');
    const made = await definitionsIn(first);
    await succeed(['migrate', 'up'], { DATABASE_URL: second });
    expect(made).toEqual(await definitionsIn(second));
    await succeed(['user', 'delete', 'ada@example.org', '--yes'], on);
    expect(await succeed(['user', 'list'], on)).not.toContain('ada@example.org');
  });

  /** Reads what PostgreSQL itself says of the tables. */
  const definitionsIn = (url: string) =>
    atServer(
      url,
      `SELECT relname, relkind, conname, pg_get_constraintdef(pg_constraint.oid) AS constraint,
         CASE WHEN relkind = 'i' THEN pg_get_indexdef(pg_class.oid) END AS index
       FROM pg_class LEFT JOIN pg_constraint ON conrelid = pg_class.oid
       WHERE relnamespace = 'project_journal'::regnamespace ORDER BY relname, conname`,
    );

  test('a restore goes to the host that takes writes, and never prints the password', async () => {
    const { host } = new URL(first);
    const stdout = await succeed(['restore', backup], {
      DATABASE_URL: first.replace(`@${host}/`, `@127.0.0.1:1,${host}/`),
    });
    expect(stdout).toContain('Restored: Fabrica can be started.');
    expect(stdout).not.toContain(new URL(first).password);
    expect(await succeed(['user', 'list'], { DATABASE_URL: first })).toContain('ada@example.org');
  });

  test('a restore is refused where there is another database already, and changes nothing', async () => {
    const on = { DATABASE_URL: first };
    await succeed(['restore', backup], on);
    await succeed(['user', 'create', 'eve@example.org'], on);
    const again = await fabrica(['restore', backup], on);
    expect(again).toMatchObject({ exitCode: 1, stdout: '' });
    expect(again.stderr).toMatch(/^There is a database of project "journal" in PostgreSQL at \S+ already: /);
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
    expect(await succeed(['user', 'list'], on)).toContain('eve@example.org');
  });

  test('a host of an unknown name is named after a few seconds', async () => {
    const unknown = first.replace(`@${new URL(first).host}/`, '@unknown.invalid:5432/');
    const timed = async (args: string[], more: Record<string, string>) => {
      const began = performance.now();
      const ran = await runFabrica(args, { ...settings, ...more });
      return { ...ran, ms: performance.now() - began };
    };
    // What a busy machine takes for a command, it takes for both.
    const [{ exitCode, stderr, ms }, other] = await Promise.all([
      timed(['restore', backup], { DATABASE_URL: unknown }),
      timed(['restore', backup, '--check'], {}),
    ]);
    expect(exitCode).toBe(1);
    expect(stderr).toMatch(
      /^PostgreSQL at unknown\.invalid:5432\S+ \(DATABASE_URL\) cannot be connected to: .*(?:ENOTFOUND|EAI_AGAIN)/,
    );
    // A server's start goes on for 30 seconds.
    expect(ms - other.ms).toBeLessThan(20_000);
  });

  test('a restore into PostgreSQL leaves out what --leave-out names', async () => {
    inHouse(
      'CREATE TABLE notes (id TEXT); CREATE VIEW looks AS SELECT 1 AS one; ALTER TABLE users ADD COLUMN shoe TEXT;',
    );
    const on = { DATABASE_URL: first };
    const { made } = await backUp('with-notes');
    expect(await fabrica(['restore', made], on)).toMatchObject({
      exitCode: 1,
      stderr:
        'No migration makes "notes", "users.shoe", "looks", so that they cannot be carried to another database: write a migration, or leave behind what you do not need with --leave-out notes,users.shoe,looks.',
    });
    const wrong = await fabrica(['restore', made, '--leave-out', 'users,notes'], on);
    expect(wrong.stderr).toBe('Only what no migration made can be left out, and "users" is not that.');
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
    await succeed(['restore', made, '--leave-out', 'notes, looks,users.shoe'], on);
    expect(await succeed(['user', 'list'], on)).toContain('ada@example.org');
  });

  test.each([
    [
      'a text with NUL',
      `UPDATE users SET display_name = 'a' || char(0) || 'b'`,
      'PostgreSQL does not take the rows of table "users": one of them holds a text with the character NUL.',
    ],
    [
      'a row that refers to none',
      `UPDATE post_comments SET post_id = 'p2' WHERE id = 'c1'`,
      'Rows of table "post_comments" refer to rows that do not exist.',
    ],
    [
      'a table that was taken away',
      'DROP TABLE comment_likes',
      'The migrations that have run make "comment_likes", and the database does not have it: somebody has changed its tables otherwise.',
    ],
    [
      'a migration of a newer version',
      `INSERT INTO kysely_migration VALUES ('journal-0099', '2030-01-01T00:00:00.000Z')`,
      'Project "journal": A newer version has changed this database (its migration "journal-0099" is unknown here): start that version, or restore a backup of before.',
    ],
  ])('a restore into PostgreSQL is refused for %s and leaves nothing behind', async (_, sql, stderr) => {
    inHouse(sql);
    const { made } = await backUp('refused');
    expect(await fabrica(['restore', made], { DATABASE_URL: first })).toEqual({
      exitCode: 1,
      stdout: '',
      stderr,
    });
    const left = `SELECT relname FROM pg_class JOIN pg_namespace ON pg_namespace.oid = relnamespace
      WHERE nspname LIKE 'project%' AND relkind <> 'S'`;
    expect(await atServer(first, left)).toEqual([]);
  });

  test('a restore that was killed half way can be run again', async () => {
    inHouse(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
      INSERT INTO post_likes SELECT 'like_' || i, 'p1', 'user_' || i, i FROM n`);
    const { made, tables } = await backUp('large');
    expect(tables).toContainEqual({ table: 'post_likes', rows: MANY, sha256: expect.any(String) });
    const on = { ...settings, DATABASE_URL: first };
    const running = startFabrica(['restore', made], on);
    await expect.poll(() => schemasOf(first), SOON).toHaveLength(2);
    await killCommand(running);
    await succeed(['restore', made], on);
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
    expect((await backUp('after', on)).tables).toEqual(tables);
  });
});

describe('a backup', () => {
  test('a backup of SQLite has what no migration made, and so has what is restored from it', async () => {
    inHouse(
      `CREATE TABLE notes (id TEXT, n REAL, b BLOB); INSERT INTO notes VALUES ('x', 1.5, x'00ff'), (NULL, 2, NULL)`,
    );
    const { made, tables } = await backUp('with-notes');
    expect(tables).toContainEqual({ table: 'notes', rows: 2, sha256: expect.any(String) });
    const twin = { DATA_DIR: join(folder, 'twin') };
    await succeed(['restore', made], twin);
    expect((await backUp('of-twin', twin)).tables).toEqual(tables);
  });

  test('a backup of PostgreSQL names what SQL has created, and SQL goes on with what is restored in its place', async () => {
    const on = { DATABASE_URL: first };
    await succeed(['restore', backup], on);
    await runSql('CREATE TABLE notes (id text)', 'CREATE VIEW seen AS SELECT id FROM notes');
    const declined = await fabrica(['backup', '--to', join(folder, 'declined')], on);
    expect(declined.stderr).toMatch(/^No migration makes "notes", "seen", /);
    const without = join(folder, 'without-notes');
    const { projects } = JSON.parse(
      await succeed(['backup', '--to', without, '--leave-out', 'notes,seen', '--json'], on),
    );
    expect(projects[0].leftOut).toEqual(['notes', 'seen']);
    await succeed(['restore', without, '--check']);
    const { aside } = JSON.parse(await succeed(['restore', without, '--replace', '--json'], on));
    expect(aside).toEqual([expect.stringContaining('project_journal.')]);
    await runSql(
      'CREATE TABLE notes (id text)',
      `UPDATE journal_posts SET title = 'Lung'`,
      'DROP TABLE notes',
    );
    expect(
      await atServer(
        first,
        "SELECT count(*)::int AS roles FROM pg_roles WHERE rolname LIKE '%.journal.' || current_database()",
      ),
    ).toEqual([{ roles: 2 }]);
  });

  /** Runs statements as `/sql` does. */
  async function runSql(...statements: string[]): Promise<void> {
    const engine = createPostgresEngine({ url: first });
    const database = await engine.open({ id: 'journal', schema: new Map() });
    await database.run({
      mode: 'write',
      statements: statements.map((sql) => ({ sql, parameters: [], verb: '' })),
    });
    await database.close();
    await engine.close();
  }
});
