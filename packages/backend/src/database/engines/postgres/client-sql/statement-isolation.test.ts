import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkTables } from '../../../check-tables.ts';
import { migrateToLatest } from '../../../migrate.ts';
import type { Database, Engine } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import type { SqlRows, StatementBatch } from '../../../sql/statement-batch.ts';
import { createPostgresEngine } from '../postgres-engine.ts';

let engine: TestEngine;
let strictEngine: Engine;
let database: Database;
let other: Database;

const LONGEST_MS = 1_000;

beforeAll(async () => {
  engine = await openTestEngine();
  strictEngine = createPostgresEngine({
    url: String(engine.settings.DATABASE_URL),
    poolSize: 4,
    batchTimeout: LONGEST_MS,
  });
  database = await strictEngine.open({ id: 'library', schema: schemaOf(library) });
  other = await engine.open({ id: 'other', schema: schemaOf(library) });
  for (const one of [database, other]) await migrateToLatest(one, library.migrations);
  await insert(other, 'theirs');
});

beforeEach(async () => {
  await run('write', 'DELETE FROM books');
  await insert(database, 'ours');
});

afterAll(async () => {
  await database.close();
  await other.close();
  await strictEngine.close();
  await engine.close();
});

async function insert({ writer }: Database, id: string): Promise<void> {
  const row = { id, user_id: 'ada', title: 'One', pages: 1, shelf: 0, created_at: 0, updated_at: 0 };
  await writer.insertInto('books').values(row).execute();
}

/** Runs statements without the parser, which refuses some of them by their first word. */
const run = async (mode: StatementBatch['mode'], ...statements: string[]) =>
  database.run({
    mode,
    statements: statements.map((sql) => ({ sql, parameters: [], verb: String(sql.split(/\s/, 1)[0]) })),
  });

const firstRow = async (sql: string, mode: StatementBatch['mode'] = 'read') =>
  (await run(mode, sql)).results[0]?.rows[0];

const errorOf = async (...statements: string[]) => {
  const error = await run('write', ...statements).then(
    () => ({ code: 'none' }),
    (error) => error,
  );
  return error.code;
};

const hidden = (sql: string) => `DO $do$ BEGIN EXECUTE '${sql.replaceAll(`'`, `''`)}'; END $do$`;

describe('a statement on PostgreSQL', () => {
  it.each([
    'SELECT * FROM project_other.books',
    `UPDATE project_other.books SET title = 'x'`,
    'INSERT INTO project_other.notes SELECT * FROM notes',
    'TRUNCATE project_other.books CASCADE',
    'CREATE TABLE project_other.made (id text)',
    'CREATE TABLE public.made (id text)',
    'SELECT * FROM fabrica.project_roles',
    'SELECT rolpassword FROM pg_authid',
    'SET ROLE fabrica',
    `SELECT set_config('role', 'fabrica', true)`,
    'SET SESSION AUTHORIZATION fabrica',
    'SET ROLE "fabrica.other.postgres"',
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'CREATE ROLE mighty',
    'CREATE SCHEMA mine',
    'CREATE EXTENSION dblink',
    'CREATE EXTENSION file_fdw',
    `COPY books TO PROGRAM 'cat > /tmp/stolen'`,
    `COPY books TO '/tmp/stolen'`,
    `COPY books FROM '/etc/passwd'`,
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT pg_ls_dir('.')`,
    `SELECT lo_import('/etc/passwd')`,
    `LOAD 'plpgsql'`,
    `ALTER SYSTEM SET work_mem = '1GB'`,
    'CHECKPOINT',
    `SELECT pg_reload_conf()`,
    `CREATE FUNCTION made() RETURNS void LANGUAGE c AS 'libc', 'system'`,
    'CREATE LANGUAGE plpython3u',
    'COMMIT',
    'BEGIN; COMMIT',
    'VACUUM',
    `PREPARE TRANSACTION 'held'`,
  ])('a statement cannot reach beyond its project: %s', async (sql) => {
    expect(await errorOf(sql)).toBe('SQL_REFUSED');
    expect(await errorOf(`UPDATE books SET pages = 2`, hidden(sql))).toBe('SQL_REFUSED');
    expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
    expect(await other.query('SELECT id, title FROM books', [])).toEqual([{ id: 'theirs', title: 'One' }]);
  });

  it.each([
    'DROP SCHEMA project_library CASCADE',
    'DROP OWNED BY CURRENT_USER',
    'ALTER TABLE books ALTER COLUMN pages TYPE numeric',
    'ALTER TABLE books ALTER COLUMN title DROP NOT NULL',
    'ALTER TABLE books ALTER COLUMN shelf SET DEFAULT 1',
    'ALTER TABLE books DROP CONSTRAINT books_pkey CASCADE',
    'ALTER TABLE books ADD CHECK (pages > 0)',
    'ALTER TABLE books ENABLE ROW LEVEL SECURITY',
    'ALTER TABLE books DISABLE TRIGGER ALL',
    'ALTER TABLE books SET UNLOGGED',
    'ALTER TABLE books SET (fillfactor = 50)',
    'ALTER INDEX books_pkey RENAME TO books_key',
    'CREATE INDEX ON books (pages)',
    'CREATE TRIGGER own BEFORE INSERT ON books FOR EACH ROW EXECUTE FUNCTION suppress_redundant_updates_trigger()',
    'CREATE RULE none AS ON DELETE TO books DO INSTEAD NOTHING',
    'CREATE TABLE more () INHERITS (books)',
    'CREATE POLICY p ON books USING (true)',
    'CREATE OR REPLACE VIEW titles AS SELECT id, upper(title) AS title FROM books',
    'GRANT SELECT ON books TO PUBLIC',
    'GRANT USAGE ON SCHEMA project_library TO PUBLIC',
    'ALTER DEFAULT PRIVILEGES GRANT SELECT ON TABLES TO PUBLIC',
    `ALTER ROLE CURRENT_USER SET search_path = 'public'`,
    `ALTER ROLE CURRENT_USER PASSWORD 'mine'`,
    'ALTER ROLE CURRENT_USER RESET ALL',
    `COMMENT ON TABLE books IS '(made through /sql)'`,
    'DELETE FROM kysely_migration',
    'UPDATE kysely_migration_lock SET is_locked = 1',
    'CREATE TABLE fabrica_mine (id text)',
  ])('a statement cannot change what migrations create: %s', async (sql) => {
    expect(await errorOf(sql)).toBe('SQL_REFUSED');
    expect(await errorOf('UPDATE books SET pages = 2', hidden(sql))).toBe('SQL_REFUSED');
    await checkTables(library, database);
    const { results } = await run('write', 'UPDATE books SET pages = pages + 1 RETURNING pages');
    expect(results).toMatchObject([{ rows: [{ pages: 2 }] }]);
  });

  it('a function of a client’s cannot change what migrations create, whatever calls it', async () => {
    await run(
      'write',
      `CREATE FUNCTION loosen() RETURNS integer LANGUAGE plpgsql AS $$
         BEGIN ALTER TABLE books ALTER COLUMN title DROP NOT NULL; RETURN 1; END $$`,
    );
    for (const sql of ['SELECT loosen()', 'UPDATE books SET pages = loosen()', 'VALUES (loosen())']) {
      expect(await errorOf(sql)).toBe('SQL_REFUSED');
    }
    await run('write', 'DROP FUNCTION loosen');
    await checkTables(library, database);
  });

  it('a statement can create a table from a query and drop it', async () => {
    await run('write', 'SELECT * INTO copied FROM books');
    await run('write', 'CREATE TABLE again AS SELECT * FROM copied');
    expect(await firstRow('SELECT id FROM again')).toEqual(await firstRow('SELECT id FROM books'));
    await run('write', 'DROP TABLE copied, again');
    expect(await firstRow(`SELECT to_regclass('copied') AS one, to_regclass('again') AS other`)).toEqual({
      one: null,
      other: null,
    });
  });

  it('a statement can create tables with comments and triggers of its own', async () => {
    await run(
      'write',
      'CREATE TABLE drafts (id text PRIMARY KEY, data jsonb, at timestamptz)',
      `COMMENT ON TABLE drafts IS 'Ours'`,
    );
    expect(await firstRow(`SELECT obj_description('drafts'::regclass) AS comment`)).toEqual({
      comment: 'Ours (made through /sql)',
    });
    await run('write', `COMMENT ON TABLE drafts IS 'Still ours'`);
    await run(
      'write',
      `CREATE FUNCTION publish() RETURNS trigger LANGUAGE plpgsql AS $$
         BEGIN INSERT INTO books VALUES (NEW.id, 'ada', 'x', NULL, 1, 0, 0, 0); RETURN NEW; END $$`,
      'CREATE TRIGGER publish AFTER INSERT ON drafts FOR EACH ROW EXECUTE FUNCTION publish()',
      'CREATE INDEX ON drafts (at)',
      'CREATE MATERIALIZED VIEW kept AS SELECT id FROM drafts',
      "CREATE TYPE mood AS ENUM ('calm')",
    );
    const { written } = await run(
      'write',
      `INSERT INTO drafts VALUES ('d1', '{"b": 1, "a": 2}', '2024-02-29 12:00+02')`,
    );
    expect(written).toEqual(['books']);
    await run('write', 'ALTER TABLE drafts RENAME TO outlines', 'ALTER TABLE outlines ADD COLUMN note text');
    await run(
      'write',
      'DROP MATERIALIZED VIEW kept',
      'DROP TABLE outlines',
      'DROP FUNCTION publish',
      'DROP TYPE mood',
    );
  });

  it('a TRUNCATE publishes the tables that it empties, including dependent ones', async () => {
    await run('write', `INSERT INTO loans VALUES ('l1', 'ours', 'ada')`);
    const { written } = await run('write', 'TRUNCATE books CASCADE');
    expect(written).toEqual(expect.arrayContaining(['books', 'loans']));
  });

  it('a statement cannot contain another statement', async () => {
    expect(await errorOf('SELECT 1; SELECT 2')).toBe('SQL_REFUSED');
    expect(await errorOf('DELETE FROM books; COMMIT; SELECT 1')).toBe('SQL_REFUSED');
  });

  it('a batch leaves no settings, locks or temporary tables in its connection', async () => {
    const state = `SELECT current_setting('search_path') AS path, current_setting('statement_timeout') AS time,
      current_setting('session_replication_role') AS triggers, current_user AS name,
      (SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND classid = 0 AND objid = 12345) AS locks,
      (SELECT count(*) FROM pg_class WHERE relname = 'left_behind') AS tables`;
    const pids = new Set<unknown>();
    const look = async () => {
      pids.add((await firstRow('SELECT pg_backend_pid() AS pid'))?.pid);
      const { time, ...rest } = (await firstRow(state)) ?? {};
      expect(time).not.toBe('54321ms');
      return rest;
    };
    const before = await look();
    expect(before).toMatchObject({ locks: 0, tables: 0 });
    for (let round = 0; round < 4; round++) {
      await run(
        'write',
        `SELECT set_config('search_path', 'public', false), set_config('statement_timeout', '54321', false)`,
        'SELECT pg_advisory_lock(12345)',
        'CREATE TEMP TABLE left_behind (id text)',
        hidden('PREPARE p AS SELECT 1'),
        hidden('LISTEN somebody'),
      );
      expect(await look()).toEqual(before);
      expect(await firstRow('SELECT count(*) AS n FROM pg_prepared_statements WHERE from_sql')).toEqual({
        n: 0,
      });
      expect(await firstRow('SELECT count(*) AS n FROM pg_listening_channels()')).toEqual({ n: 0 });
    }
    // The connections were used before.
    expect(pids.size).toBeLessThan(3);
    expect(await database.query(`SELECT current_setting('search_path') AS path`, [])).toEqual([
      { path: expect.stringContaining('project_library') },
    ]);
  });

  it('a batch runs on a new connection after the server has ended the old ones', async () => {
    const others = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
      WHERE usename = current_user AND pid <> pg_backend_pid()`;
    await Promise.all([run('read', 'SELECT pg_sleep(0.2)'), run('read', 'SELECT pg_sleep(0.2)')]);
    await run('read', others);
    expect(await Promise.all([1, 2, 3].map((n) => firstRow(`SELECT ${n} AS n`)))).toEqual([
      { n: 1 },
      { n: 2 },
      { n: 3 },
    ]);
    await expect(
      run('write', 'UPDATE books SET pages = 2', 'SELECT pg_terminate_backend(pg_backend_pid())'),
    ).rejects.toMatchObject({ code: 'DATABASE_UNAVAILABLE' });
    expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
  });

  it('a statement of a batch that reads cannot make the transaction write', async () => {
    const loosen = `SELECT set_config('transaction_read_only', 'off', true)`;
    for (const statements of [
      [loosen, 'DELETE FROM books'],
      ['SET TRANSACTION READ WRITE', 'DELETE FROM books'],
      [hidden('SET TRANSACTION READ WRITE')],
      ['DELETE FROM books'],
      [hidden('DELETE FROM books')],
      [`SELECT nextval('none')`],
    ]) {
      await expect(run('read', ...statements)).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    }
    expect(await firstRow('SELECT count(*) AS n FROM books')).toEqual({ n: 1 });
  });

  it.each([
    ['by itself', ['SELECT pg_sleep(60)']],
    [
      'after it has given itself more time',
      [`SELECT set_config('statement_timeout', '0', true)`, 'SELECT pg_sleep(60)'],
    ],
    ['together with others', Array<string>(20).fill('SELECT pg_sleep(0.1)')],
  ])('a batch that takes too long is ended: %s', async (_, statements) => {
    const batch = run('write', 'UPDATE books SET pages = 2', ...statements);
    await expect(batch).rejects.toMatchObject({
      code: 'STATEMENT_TIMEOUT',
      message: expect.stringContaining('1 second'),
    });
    expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
  });

  it('a result that is far too large is not received in full', async () => {
    const url = new URL(String(engine.settings.DATABASE_URL));
    const proxy = await startTestProxy(Number(url.port));
    url.port = String(proxy.port);
    // A busy machine takes its time to make so large results.
    const through = createPostgresEngine({ url: url.href, batchTimeout: 600_000 });
    const behind = await through.open({ id: 'other', schema: schemaOf(library) });
    for (const sql of [
      `SELECT repeat('x', 400000000)`,
      `SELECT repeat('x', 1000000) FROM generate_series(1, 1000)`,
      'SELECT generate_series(1, 100000000)',
    ]) {
      const before = proxy.received();
      const read = behind.run({ mode: 'read', statements: [{ sql, parameters: [], verb: 'SELECT' }] });
      await expect(read).rejects.toMatchObject({
        code: 'SQL_REFUSED',
        message: expect.stringContaining('too much'),
      });
      expect(proxy.received() - before).toBeLessThan(100 * 1024 * 1024);
    }
    await behind.close();
    await through.close();
    await proxy.close();
    expect(await firstRow('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('a value of a type that JSON lacks is returned as text, a number or null', async () => {
    expect(
      await firstRow(`SELECT 9007199254740993::bigint AS big, 7::bigint AS small, 1.50::numeric AS price,
        12345678901234567890::numeric AS huge, 'NaN'::float8 AS nan, '-Infinity'::float4 AS infinite, true AS yes,
        '\\x00ff'::bytea AS bytes, '{"b": 1, "a": [2]}'::json AS json, ARRAY[1, 2] AS list,
        '2024-02-29'::date AS day, '2024-02-29 12:00:00.5'::timestamp AS moment,
        '2024-02-29 12:00:00+00'::timestamptz AT TIME ZONE 'UTC' AS here, '1 day'::interval AS span,
        'a6a1f8d2-0000-4000-8000-000000000000'::uuid AS uuid, NULL::json AS nothing, 'x'::name AS name`),
    ).toEqual({
      big: '9007199254740993',
      small: 7,
      price: 1.5,
      huge: '12345678901234567890',
      nan: null,
      infinite: null,
      yes: true,
      bytes: 'AP8=',
      json: '{"b": 1, "a": [2]}',
      list: '{1,2}',
      day: '2024-02-29',
      moment: '2024-02-29T12:00:00.5',
      here: '2024-02-29T12:00:00',
      span: '1 day',
      uuid: 'a6a1f8d2-0000-4000-8000-000000000000',
      nothing: null,
      name: 'x',
    });
    const zoned = async (zone: string) => {
      const { results } = await run(
        'read',
        `SELECT set_config('TimeZone', '${zone}', true)`,
        `SELECT '2024-02-29 12:00:00+00'::timestamptz AS at`,
      );
      return (results as SqlRows[])[1]?.rows[0]?.at;
    };
    expect(await zoned('UTC')).toBe('2024-02-29T12:00:00Z');
    expect(await zoned('Europe/Berlin')).toBe('2024-02-29T13:00:00+01:00');
    expect(await zoned('Asia/Kolkata')).toBe('2024-02-29T17:30:00+05:30');
  });
});
