import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { projectUrl, withPostgresClient } from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { checkTables } from '../../../check-tables.ts';
import { migrateToLatest } from '../../../migrate.ts';
import type { Database } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import { createPostgresEngine } from '../postgres-engine.ts';

let engine: TestEngine;
let db: TestDatabase;
let other: Database;
/** The role of the project, which owns what migrations have created. */
let owner: string;

const LONGEST_MS = 1_000;

beforeAll(async () => {
  engine = await openTestEngine();
  const url = String(engine.settings.DATABASE_URL);
  const another = () => createPostgresEngine({ url, poolSize: 4, batchTimeout: LONGEST_MS });
  db = await openTestDatabase(library, { ...another(), settings: engine.settings, another });
  other = await engine.open({ id: 'other', schema: schemaOf(library) });
  await migrateToLatest(other, library.migrations);
  await insert(other, 'theirs');
  owner = new URL(await projectUrl(url, 'library')).username;
  await withPostgresClient(await projectUrl(url, 'library'), (project) =>
    project.query(`SELECT lo_from_bytea(4711, 'of the project')`),
  );
});

beforeEach(async () => {
  await run('write', 'DELETE FROM books');
  await insert(db.database, 'ours');
});

afterAll(async () => {
  await db.close();
  await other.close();
  await engine.close();
});

async function insert({ writer }: Database, id: string): Promise<void> {
  const row = { id, user_id: 'ada', title: 'One', pages: 1, shelf: 0, created_at: 0, updated_at: 0 };
  await writer.insertInto('books').values(row).execute();
}

const run = (mode: 'read' | 'write', ...statements: string[]) =>
  db.service('POST', '/batch', { body: { statements: statements.map((sql) => ({ sql })), mode } });

const firstRow = async (sql: string, mode: 'read' | 'write' = 'read') =>
  (await run(mode, sql)).body.results?.[0]?.rows[0];

const errorOf = async (...statements: string[]) => {
  const { status, body } = await run('write', ...statements);
  return status === 200 ? 'none' : body.code;
};

/** Runs a batch, and returns the tables whose writes were published. */
const written = async (...statements: string[]) => {
  db.tableEvents.length = 0;
  expect(await errorOf(...statements)).toBe('none');
  return db.tableEvents.flatMap(({ tables }) => tables);
};

const hidden = (sql: string) => `DO $do$ BEGIN EXECUTE '${sql.replaceAll(`'`, `''`)}'; END $do$`;

/** Expects that nothing has changed, and that statements have all of their rights. */
async function expectUnchanged(): Promise<void> {
  await checkTables(library, db.database);
  expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
  expect(await other.query('SELECT id, title FROM books', [])).toEqual([{ id: 'theirs', title: 'One' }]);
  expect(await errorOf('UPDATE books SET pages = 1')).toBe('none');
  expect(await errorOf('CREATE TABLE made (id text)', 'DROP TABLE made')).toBe('none');
}

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
    expect(await errorOf(sql)).toBeOneOf(['SQL_REFUSED', 'VALIDATION_FAILED']);
    expect(await errorOf(`UPDATE books SET pages = 2`, hidden(sql))).toBe('SQL_REFUSED');
    await expectUnchanged();
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
    expect(await errorOf(sql)).toBeOneOf(['SQL_REFUSED', 'VALIDATION_FAILED']);
    expect(await errorOf('UPDATE books SET pages = 2', hidden(sql))).toBe('SQL_REFUSED');
    await expectUnchanged();
  });

  it.each<[string, ...string[]]>([
    [
      'a function with the rights of its owner that alters a table',
      `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = project_library AS $$
         BEGIN ALTER TABLE books DROP COLUMN pages CASCADE; END $$`,
      'SELECT f()',
    ],
    [
      'a function that gives itself the role of the project',
      `CREATE FUNCTION f() RETURNS void LANGUAGE plpgsql AS $$ BEGIN EXECUTE 'SET ROLE "OWNER"'; END $$`,
      'SELECT f()',
    ],
    ['a membership in the role of the project', 'GRANT "OWNER" TO CURRENT_USER'],
    ['a member of its own role', 'GRANT CURRENT_USER TO "OWNER"'],
    ['a role by a setting', `SELECT set_config('role', 'OWNER', false)`, 'DROP TABLE notes'],
    [
      'a session of another role',
      `SELECT set_config('session_authorization', 'OWNER', false)`,
      'DROP TABLE notes',
    ],
    ['a reset role', 'CREATE TABLE t (id text)', hidden('RESET ROLE'), 'DROP TABLE notes'],
    ['the password of the project’s role', `ALTER ROLE "OWNER" PASSWORD 'known'`],
    ['its own name', 'ALTER ROLE CURRENT_USER RENAME TO mighty'],
    ['everything that it owns', 'CREATE TABLE t (id text)', 'DROP OWNED BY CURRENT_USER CASCADE'],
    ['everything that the project owns', 'DROP OWNED BY "OWNER"'],
    ['an owner for what it has', 'CREATE TABLE t (id text)', 'REASSIGN OWNED BY CURRENT_USER TO "OWNER"'],
    ['a table of the project’s role', 'CREATE TABLE t (id text)', 'ALTER TABLE t OWNER TO "OWNER"'],
    ['a table that it takes over', 'ALTER TABLE books OWNER TO CURRENT_USER'],
    ['a schema that it takes over', 'ALTER SCHEMA project_library OWNER TO CURRENT_USER'],
    ['a schema of another name', 'ALTER SCHEMA project_library RENAME TO gone'],
    ['every table for everybody', 'GRANT ALL ON ALL TABLES IN SCHEMA project_library TO PUBLIC'],
    ['rights that it takes from the project', 'REVOKE ALL ON books FROM "OWNER"'],
    ['rights of what it will create', 'ALTER DEFAULT PRIVILEGES GRANT ALL ON TABLES TO PUBLIC'],
    [
      'rights of what migrations will',
      'ALTER DEFAULT PRIVILEGES FOR ROLE "OWNER" GRANT ALL ON TABLES TO PUBLIC',
    ],
    [
      'an event trigger',
      'CREATE FUNCTION f() RETURNS event_trigger LANGUAGE plpgsql AS $$ BEGIN END $$',
      'CREATE EVENT TRIGGER watch ON ddl_command_end EXECUTE FUNCTION f()',
    ],
    [
      'a trigger on a table of migrations',
      'CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$',
      'CREATE TRIGGER none BEFORE INSERT ON books FOR EACH ROW EXECUTE FUNCTION f()',
    ],
    [
      'a partition',
      'CREATE TABLE t (LIKE books) PARTITION BY LIST (id)',
      'ALTER TABLE t ATTACH PARTITION books DEFAULT',
    ],
    ['statistics', 'CREATE STATISTICS s ON title, pages FROM books'],
    ['a comment on a column', `COMMENT ON COLUMN books.title IS 'mine'`],
    ['the count of commits', `SELECT setval('commit_count', 1)`],
    ['the sequence of commits', 'ALTER SEQUENCE commit_count RESTART'],
    [
      'a view of its own in place of the catalog',
      'CREATE TEMP VIEW pg_locks AS SELECT * FROM pg_catalog.pg_locks WHERE false',
      'CREATE TEMP VIEW pg_class AS SELECT * FROM pg_catalog.pg_class WHERE false',
      `SELECT set_config('search_path', 'pg_temp, pg_catalog, project_library', false)`,
      'DELETE FROM kysely_migration',
    ],
    [
      'functions of its own in place of the catalog’s',
      'CREATE FUNCTION pg_backend_pid() RETURNS int LANGUAGE sql AS $$ SELECT 0 $$',
      `SELECT set_config('search_path', 'project_library, pg_catalog', false)`,
      'DELETE FROM kysely_migration',
    ],
    [
      'a copy of the migrations in a temporary table that it swaps',
      'CREATE TEMP TABLE kysely_migration AS SELECT * FROM kysely_migration',
      'DELETE FROM project_library.kysely_migration',
    ],
    ['a foreign server', 'CREATE SERVER s FOREIGN DATA WRAPPER dblink_fdw'],
    ['another database', `SELECT * FROM dblink('dbname=postgres', 'SELECT 1') AS t (n int)`],
    ['a program by a table', 'CREATE TABLE t (line text)', hidden(`COPY t FROM PROGRAM 'id'`)],
    ['a file by a large object', "SELECT lo_export(4711, '/tmp/stolen')"],
    ['a large object of the project', 'SELECT lo_get(4711)'],
    ['a large object of the project that it removes', 'SELECT lo_unlink(4711)'],
    ['a publication', 'CREATE PUBLICATION everything FOR ALL TABLES'],
    ['a subscription', `CREATE SUBSCRIPTION s CONNECTION 'host=127.0.0.1' PUBLICATION p`],
    ['a replication slot', `SELECT pg_create_logical_replication_slot('s', 'test_decoding')`],
    ['the server’s log', 'SELECT pg_rotate_logfile()'],
    ['the statistics of all', 'SELECT pg_stat_reset()'],
    ['a setting of the server', `SELECT set_config('log_statement', 'none', false)`],
    ['triggers that do not fire', `SELECT set_config('session_replication_role', 'replica', false)`],
    [
      'a procedure that commits',
      'CREATE PROCEDURE p() LANGUAGE plpgsql AS $$ BEGIN UPDATE books SET pages = 2; COMMIT; END $$',
      'CALL p()',
    ],
    ['a block that commits', 'UPDATE books SET pages = 2', 'DO $$ BEGIN COMMIT; END $$'],
    ['a commit behind nested comments', 'UPDATE books SET pages = 2', '/* /* */ SELECT */ ;; COMMIT'],
  ])('a hostile statement is refused: it wants %s', async (_, ...statements) => {
    const named = statements.map((sql) => sql.replaceAll('OWNER', owner));
    expect(await errorOf(...named)).toBeOneOf(['SQL_REFUSED', 'VALIDATION_FAILED']);
    await expectUnchanged();
  });

  it('a statement cannot see or end the connections of the server', async () => {
    await db.database.query(`SELECT 'of the project' AS secret`, []);
    const found = await run(
      'read',
      `SELECT query, pid FROM pg_stat_activity WHERE usename = '${owner}' AND state IS NOT NULL OR query LIKE '%secret%'`,
    );
    expect(JSON.stringify(found.body)).not.toContain('of the project');
    const end = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${owner}'`;
    expect(await errorOf(end)).toBe('SQL_REFUSED');
    expect(await errorOf(end.replace('terminate', 'cancel'))).toBe('SQL_REFUSED');
  });

  it('a view of clients has no more rights over REST than in SQL, and leaves nothing in the connection', async () => {
    await run(
      'write',
      `CREATE FUNCTION act() RETURNS text LANGUAGE plpgsql AS $$ BEGIN
         PERFORM set_config('search_path', 'public', false), set_config('statement_timeout', '0', false);
         ALTER TABLE project_library.notes ADD COLUMN mine text; RETURN 'done'; EXCEPTION WHEN OTHERS THEN RETURN SQLSTATE; END $$`,
      "CREATE FUNCTION name() RETURNS text LANGUAGE sql AS $$ SELECT current_user::text || pg_notify('x', '') $$",
      "CREATE VIEW acts AS SELECT act() AS id, name() AS name, current_setting('search_path') AS path",
    );
    for (let round = 0; round < 3; round++) {
      const { body } = await db.service('GET', 'acts?select=id,name');
      expect(body).toEqual([{ id: '42501', name: expect.not.stringContaining(`"${owner}"`) }]);
      expect((await db.anonymous('GET', 'books?select=id')).body).toEqual([{ id: 'ours' }]);
    }
    await run('write', 'DROP VIEW acts', 'DROP FUNCTION act, name');
    await expectUnchanged();
  });

  it('a loop that catches its own end is ended all the same, and its locks with it', async () => {
    const loop = `DO $$ BEGIN LOOP BEGIN PERFORM pg_sleep(60); EXCEPTION WHEN query_canceled THEN NULL; END; END LOOP; END $$`;
    expect(await errorOf('LOCK TABLE books IN ACCESS EXCLUSIVE MODE', loop)).toBe('DATABASE_UNAVAILABLE');
    await expectUnchanged();
  });

  it('a statement that has created a table reads and writes it over REST, and another project does not see it', async () => {
    await run('write', 'CREATE TABLE shared (id text PRIMARY KEY)', 'GRANT ALL ON shared TO PUBLIC');
    expect((await db.service('POST', 'shared', { body: { id: 'a' } })).status).toBe(201);
    expect((await db.service('GET', 'shared')).body).toEqual([{ id: 'a' }]);
    await expect(
      other.run({
        mode: 'read',
        statements: [{ sql: 'SELECT * FROM project_library.shared', parameters: [], verb: 'SELECT' }],
      }),
    ).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    await run('write', 'DROP TABLE shared');
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
    await expectUnchanged();
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
      comment: 'Ours',
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
    expect(
      await written(`INSERT INTO drafts VALUES ('d1', '{"b": 1, "a": 2}', '2024-02-29 12:00+02')`),
    ).toEqual(['books']);
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
    expect(await written('TRUNCATE books CASCADE')).toEqual(expect.arrayContaining(['books', 'loans']));
  });

  it('a statement cannot contain another statement', async () => {
    expect(await errorOf('SELECT 1; SELECT 2')).toBe('VALIDATION_FAILED');
    expect(await errorOf('DELETE FROM books; COMMIT; SELECT 1')).toBe('VALIDATION_FAILED');
    expect(await errorOf('DELETE FROM books; COMMIT; SELEC')).toBe('SQL_REFUSED');
    await expectUnchanged();
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
    expect(await db.database.query(`SELECT current_setting('search_path') AS path`, [])).toEqual([
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
    expect(await errorOf('UPDATE books SET pages = 2', 'SELECT pg_terminate_backend(pg_backend_pid())')).toBe(
      'DATABASE_UNAVAILABLE',
    );
    expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
  });

  it('a statement of a batch that reads cannot make the transaction write', async () => {
    const loosen = `SELECT set_config('transaction_read_only', 'off', true)`;
    for (const statements of [
      [loosen, 'DELETE FROM books'],
      [hidden('SET TRANSACTION READ WRITE')],
      ['DELETE FROM books'],
      [hidden('DELETE FROM books')],
      [`SELECT nextval('none')`],
    ]) {
      expect((await run('read', ...statements)).body.code).toBe('SQL_REFUSED');
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
    const { body } = await run('write', 'UPDATE books SET pages = 2', ...statements);
    expect([body.code, body.error]).toEqual(['STATEMENT_TIMEOUT', expect.stringContaining('1 second')]);
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
      `SELECT repeat('x', 150000000)`,
      `SELECT repeat('x', 1000000) FROM generate_series(1, 150)`,
      'SELECT generate_series(1, 10000000)',
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
      const { body } = await run(
        'read',
        `SELECT set_config('TimeZone', '${zone}', true)`,
        `SELECT '2024-02-29 12:00:00+00'::timestamptz AS at`,
      );
      return body.results[1].rows[0].at;
    };
    expect(await zoned('UTC')).toBe('2024-02-29T12:00:00Z');
    expect(await zoned('Europe/Berlin')).toBe('2024-02-29T13:00:00+01:00');
    expect(await zoned('Asia/Kolkata')).toBe('2024-02-29T17:30:00+05:30');
  });
});
