import { openTestEngine, type TestEngine } from '@fabrica/backend/testing/database/build-test-engine.ts';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { projectUrl, withPostgresClient } from '@fabrica/backend/testing/database/build-test-postgres.ts';
import { Client, type DatabaseError } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { migrateToLatest } from '../../migrate.ts';
import type { Database } from '../../port.ts';
import { schemaOf } from '../../schema.ts';

let engine: TestEngine;
let url: string;
const databases: Database[] = [];
/** A connection with the role of the project `nosy`, for any SQL. */
let nosy: Client;

beforeAll(async () => {
  engine = await openTestEngine();
  url = engine.settings.DATABASE_URL ?? '';
  for (const id of ['nosy', 'shy']) {
    const database = await engine.open({ id, schema: schemaOf(library) });
    await migrateToLatest(database, library.migrations);
    const book = {
      id: `of-${id}`,
      user_id: 'ada',
      title: `Secret of ${id}`,
      shelf: 0,
      created_at: 1,
      updated_at: 1,
    };
    await database.writer.insertInto('books').values(book).execute();
    databases.push(database);
  }
  nosy = new Client(await projectUrl(url, 'nosy'));
  await nosy.connect();
  // A large object of the other project.
  await withPostgresClient(await projectUrl(url, 'shy'), (shy) =>
    shy.query(`SELECT lo_from_bytea(4711, 'Secret of shy')`),
  );
});

afterAll(async () => {
  await nosy.end();
  for (const database of databases) await database.close();
  await engine.close();
});

beforeEach(async () => {
  await nosy.query('ROLLBACK');
  await nosy.query('DISCARD ALL');
});

test('a project finds its own tables without a schema name', async () => {
  const { rows } = await nosy.query('SELECT id FROM books');
  expect(rows).toEqual([{ id: 'of-nosy' }]);
});

const REFUSED = /^(42501|0A000|58P01|42883|3F000|0LP01)$/;

describe('access to another project', () => {
  test.each([
    'SELECT * FROM project_shy.books',
    'DROP TABLE project_shy.books',
    'CREATE VIEW peek AS SELECT * FROM project_shy.books; SELECT * FROM peek',
    'CREATE TABLE project_shy.mine (id text)',
    'CREATE TABLE refers (id text REFERENCES project_shy.books)',
    'BEGIN; LOCK TABLE project_shy.books',
    'SELECT * FROM fabrica.project_roles',
    'SELECT rolpassword FROM pg_authid',
    'SELECT lo_get(4711)',
    'SELECT stavalues1 FROM pg_statistic',
  ])('data of another project cannot be reached by: %s', refused);
});

describe('other roles', () => {
  test.each([
    'SET ROLE fabrica',
    'SET SESSION AUTHORIZATION fabrica',
    `SELECT set_config('role', 'fabrica', false)`,
    'ALTER ROLE CURRENT_USER SUPERUSER',
    'CREATE ROLE another',
    'GRANT fabrica TO CURRENT_USER',
    `ALTER ROLE fabrica PASSWORD 'known'`,
  ])('another role cannot be taken on by: %s', refused);

  test('a project cannot use the role of another project', async () => {
    const { username } = new URL(await projectUrl(url, 'shy'));
    await refused(`SET ROLE "${username}"`);
    await refused(`GRANT "${username}" TO CURRENT_USER`);
    await refused(`ALTER ROLE "${username}" PASSWORD 'known'`);
    await refused(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${username}'`);
  });
});

describe('access to the machine', () => {
  test.each([
    `SELECT pg_read_file('/etc/passwd')`,
    `SELECT pg_ls_dir('.')`,
    `SELECT lo_import('/etc/passwd')`,
    `COPY books TO PROGRAM 'cat > /tmp/out'`,
    'CREATE EXTENSION dblink',
    `SELECT dblink_connect('host=127.0.0.1')`,
    `CREATE FUNCTION f() RETURNS int LANGUAGE c AS 'libc', 'getpid'`,
    'CREATE SCHEMA another',
    'CREATE FUNCTION pg_catalog.lower(bigint) RETURNS text LANGUAGE sql AS $$ SELECT NULL::text $$',
    'CREATE PUBLICATION everything FOR ALL TABLES',
    `ALTER SYSTEM SET log_statement = 'all'`,
    `SELECT pg_create_physical_replication_slot('s')`,
    `SET session_replication_role = 'replica'`,
  ])('the machine and the network cannot be reached by: %s', refused);
});

test('a project cannot see the queries and statistics of another project', async () => {
  const [, shy] = databases;
  await shy?.query(`SELECT 'Secret of shy' AS secret`, []);
  const { rows } = await nosy.query(`SELECT query FROM pg_stat_activity WHERE usename <> current_user`);
  expect(rows.length).toBeGreaterThan(0);
  expect(JSON.stringify(rows)).not.toContain('Secret of shy');
  const stats = await nosy.query(`SELECT * FROM pg_stats WHERE schemaname = 'project_shy'`);
  expect(stats.rows).toEqual([]);
});

async function refused(sql: string): Promise<void> {
  const error = await nosy.query(sql).then(
    () => undefined,
    (reason: DatabaseError) => reason,
  );
  expect(error?.code ?? 'it was done', `${sql}: ${error?.message}`).toMatch(REFUSED);
}

test('a project that takes every advisory lock it finds does not hold up another', async () => {
  const [, shy] = databases;
  const write = async (act: () => Promise<unknown> = async () => undefined) =>
    shy?.writer.transaction().execute(async (transaction) => {
      await transaction.updateTable('books').set({ title: 'Shy' }).where('id', '=', 'of-shy').execute();
      await act();
    });
  const keys: string[] = [];
  await write(async () => {
    const { rows } = await nosy.query(
      `SELECT ((classid::bigint << 32) | objid::bigint)::text AS key FROM pg_locks WHERE locktype = 'advisory'`,
    );
    for (const { key } of rows) keys.push(key);
  });
  for (const key of keys) await nosy.query('SELECT pg_try_advisory_lock($1::bigint)', [key]);
  await expect(write()).resolves.toBeUndefined();
});
