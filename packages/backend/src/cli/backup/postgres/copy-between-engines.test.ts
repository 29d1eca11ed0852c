import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { removeDatabase, testDatabaseSettings } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { killCommand, runFabricaHere, startFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { Client } from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createPostgresEngine } from '../../../database/engines/postgres/postgres-engine.ts';
import { addFunctions } from '../../../database/engines/sqlite/connect.ts';
import {
  createStatementLimits,
  statementTimedOut,
} from '../../../database/engines/sqlite/reader/statement-limits.ts';

/** Enough for a copy to take a moment. */
const MANY = 20_000;
/** Milliseconds that a command may take until it is where it is waited for. */
const SOON = { timeout: 60_000, interval: 1 };

let folder: string;
/** The data folder that each test has a copy of. */
let original: string;
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

interface Copied {
  projects: { id: string; tables: { table: string; rows: number; sha256: string }[] }[];
}

async function copied(to: string, more: Record<string, string> = {}): Promise<Copied> {
  return JSON.parse(await succeed(['copy', '--to', to, '--json'], more));
}

const schemasOf = (url: string) =>
  atServer(url, `SELECT nspname FROM pg_namespace WHERE nspname LIKE 'project%'`);

describe('a copy', () => {
  test('a copy from SQLite to PostgreSQL, back, and to PostgreSQL again has the same rows each time', async () => {
    const there = await copied(first);
    const [{ tables = [] } = {}] = there.projects;
    expect(tables).toContainEqual({
      table: 'post_comments',
      rows: 3,
      sha256: expect.stringMatching(/^\w{64}$/),
    });
    expect(tables).toContainEqual({
      table: 'kysely_migration',
      rows: expect.toSatisfy((rows) => rows > 10),
      sha256: expect.any(String),
    });
    const back = join(folder, 'back');
    expect(await copied(`sqlite:${back}`, { DATABASE_URL: first })).toEqual(there);
    expect(await copied(second, { DATA_DIR: back })).toEqual(there);
    const home = new DatabaseSync(join(back, 'journal.sqlite'), { readOnly: true });
    const query = home.prepare('SELECT created_at, updated_at FROM journal_posts');
    query.setReadBigInts(true);
    expect(query.all()).toEqual([{ created_at: -1n, updated_at: 9007199254740993n }]);
    expect(home.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
    home.close();
  });

  test('a copy is a database that Fabrica runs on, with its references and indexes', async () => {
    await succeed(['copy', '--to', first]);
    const on = { DATABASE_URL: first };
    expect(await succeed(['user', 'list'], on)).toContain('ada@example.org');
    expect(await succeed(['migrate', 'up'], on)).toBe('There was nothing to run.');
    const made = await copiedFrom(first);
    await succeed(['migrate', 'up'], { DATABASE_URL: second });
    expect(made).toEqual(await copiedFrom(second));
    await succeed(['user', 'delete', 'ada@example.org', '--yes'], on);
    expect(await succeed(['user', 'list'], on)).not.toContain('ada@example.org');
  });

  /** Reads what PostgreSQL itself says of the tables. */
  const copiedFrom = (url: string) =>
    atServer(
      url,
      `SELECT relname, relkind, conname, pg_get_constraintdef(pg_constraint.oid) AS constraint,
         CASE WHEN relkind = 'i' THEN pg_get_indexdef(pg_class.oid) END AS index
       FROM pg_class LEFT JOIN pg_constraint ON conrelid = pg_class.oid
       WHERE relnamespace = 'project_journal'::regnamespace ORDER BY relname, conname`,
    );

  test('a copy goes to the host that takes writes, and prints the next step and never the password', async () => {
    const { host } = new URL(first);
    const stdout = await succeed(['copy', '--to', first.replace(`@${host}/`, `@127.0.0.1:1,${host}/`)]);
    expect(stdout).toMatch(/^PROJECT +TABLE +ROWS +CHECKSUM$/m);
    expect(stdout).toMatch(/^journal +post_comments +3 +[0-9a-f]{16}$/m);
    expect(stdout).toMatch(/^journal +post_revisions +2 +[0-9a-f]{16}$/m);
    expect(stdout).toMatch(/\nStart Fabrica with that address in DATABASE_URL; DATA_DIR stays as it is, /);
    expect(stdout).not.toContain(new URL(first).password);
  });

  test('a copy is refused where there is a database already', async () => {
    await succeed(['copy', '--to', first]);
    const again = await fabrica(['copy', '--to', first]);
    expect(again).toMatchObject({ exitCode: 1, stdout: '' });
    expect(again.stderr).toMatch(/^There is a database of project "journal" in PostgreSQL at \S+ already\.$/);
    const here = await fabrica(['copy', '--to', `sqlite:${settings.DATA_DIR}`]);
    expect(here.stderr).toBe(
      `There is a database of project "journal" in the folder ${settings.DATA_DIR} already.`,
    );
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
  });

  test('a copy from PostgreSQL may go to the data folder', async () => {
    await succeed(['copy', '--to', first]);
    await rm(join(settings.DATA_DIR, 'journal.sqlite'));
    const stdout = await succeed(['copy', '--to', `sqlite:${settings.DATA_DIR}`], { DATABASE_URL: first });
    expect(stdout).toMatch(/\nStart Fabrica without DATABASE_URL\.$/);
    expect(await succeed(['user', 'list'])).toContain('ada@example.org');
  });

  test('a copy leaves out what --leave-out names', async () => {
    inHouse(
      'CREATE TABLE notes (id TEXT); CREATE VIEW looks AS SELECT 1 AS one; ALTER TABLE users ADD COLUMN shoe TEXT;',
    );
    const declined = await fabrica(['copy', '--to', first]);
    expect(declined).toMatchObject({
      exitCode: 1,
      stderr:
        'No migration makes "notes", "users.shoe", "looks", so that they cannot be carried to another database: write a migration, or leave behind what you do not need with --leave-out notes,users.shoe,looks.',
    });
    const wrong = await fabrica(['copy', '--to', first, '--leave-out', 'users,notes']);
    expect(wrong.stderr).toBe('Only what no migration made can be left out, and "users" is not that.');
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
    await succeed(['copy', '--to', first, '--leave-out', 'notes, looks,users.shoe']);
    await succeed(['copy', '--to', `sqlite:${join(folder, 'back')}`], { DATABASE_URL: first });
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
      'A newer version has changed this database (its migration "journal-0099" is unknown here): start that version, or restore a backup of before.',
    ],
  ])('a copy is refused for %s and leaves nothing behind', async (_, sql, stderr) => {
    inHouse(sql);
    expect(await fabrica(['copy', '--to', first])).toEqual({ exitCode: 1, stdout: '', stderr });
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
    const tables = `SELECT relname FROM pg_class WHERE relnamespace = 'project_journal'::regnamespace AND relkind <> 'S'`;
    expect(await atServer(first, tables)).toEqual([]);
  });

  test('a copy that was killed half way can be run again', async () => {
    inHouse(`WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${MANY})
      INSERT INTO post_likes SELECT 'like_' || i, 'p1', 'user_' || i, i FROM n`);
    const running = startFabrica(['copy', '--to', first], settings);
    await expect.poll(() => schemasOf(first), SOON).toHaveLength(2);
    await killCommand(running);
    const { projects } = await copied(first);
    expect(projects[0]?.tables).toContainEqual({
      table: 'post_likes',
      rows: MANY,
      sha256: expect.any(String),
    });
    expect(await schemasOf(first)).toEqual([{ nspname: 'project_journal' }]);
  });

  test.each([
    ['nothing', []],
    ['another kind of database', ['--to', 'mysql://localhost/x']],
    ['no folder', ['--to', 'sqlite:']],
    ['no address', ['--to', 'postgres://[']],
  ])('a copy to %s is a usage error', async (_, typed) => {
    expect(await fabrica(['copy', ...typed])).toEqual({
      exitCode: 64,
      stdout: '',
      stderr: 'Say where the databases are to be: --to postgres://…, or --to sqlite:<folder>.',
    });
  });
});

describe('a backup', () => {
  const rowsOf = (stdout: string) => JSON.parse(stdout).projects[0].tables;

  test('a backup of either engine is restored into the other', async () => {
    const ofSqlite = join(folder, 'of-sqlite');
    const before = rowsOf(await succeed(['backup', '--to', ofSqlite, '--json']));
    const onServer = { DATA_DIR: join(folder, 'on-server'), DATABASE_URL: first };
    await succeed(['restore', ofSqlite], onServer);
    const ofPostgres = join(folder, 'of-postgres');
    const { engine, projects } = JSON.parse(
      await succeed(['backup', '--to', ofPostgres, '--json'], onServer),
    );
    expect([engine, projects[0].tables]).toEqual(['postgres', before]);
    const again = { DATA_DIR: join(folder, 'again') };
    await succeed(['restore', ofPostgres], again);
    expect(rowsOf(await succeed(['backup', '--to', join(folder, 'last'), '--json'], again))).toEqual(before);
  });

  test('a backup of SQLite has what no migration made, and is restored into PostgreSQL with --leave-out', async () => {
    inHouse(
      `CREATE TABLE notes (id TEXT, n REAL, b BLOB); INSERT INTO notes VALUES ('x', 1.5, x'00ff'), (NULL, 2, NULL)`,
    );
    const backup = join(folder, 'with-notes');
    const tables = rowsOf(await succeed(['backup', '--to', backup, '--json']));
    expect(tables).toContainEqual({ table: 'notes', rows: 2, sha256: expect.any(String) });
    await succeed(['restore', backup], { DATA_DIR: join(folder, 'twin') });
    const onServer = { DATA_DIR: join(folder, 'on-server'), DATABASE_URL: first };
    expect((await fabrica(['restore', backup], onServer)).stderr).toMatch(/^No migration makes "notes", /);
    await succeed(['restore', backup, '--leave-out', 'notes'], onServer);
    expect(await succeed(['user', 'list'], onServer)).toContain('ada@example.org');
  });

  test('a backup of PostgreSQL names what SQL has created, and SQL goes on with what is restored in its place', async () => {
    await succeed(['copy', '--to', first]);
    const on = { DATABASE_URL: first };
    await runSql('CREATE TABLE notes (id text)', 'CREATE VIEW seen AS SELECT id FROM notes');
    const declined = await fabrica(['backup', '--to', join(folder, 'declined')], on);
    expect(declined.stderr).toMatch(/^No migration makes "notes", "seen", /);
    const backup = join(folder, 'without-notes');
    const { projects } = JSON.parse(
      await succeed(['backup', '--to', backup, '--leave-out', 'notes,seen', '--json'], on),
    );
    expect(projects[0].leftOut).toEqual(['notes', 'seen']);
    await succeed(['restore', backup, '--check']);
    const { aside } = JSON.parse(await succeed(['restore', backup, '--replace', '--json'], on));
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
