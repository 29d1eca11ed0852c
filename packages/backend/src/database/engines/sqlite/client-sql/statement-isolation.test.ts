import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { CompiledQuery } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { migrateToLatest } from '../../../migrate.ts';
import type { Database, Engine } from '../../../port.ts';
import { schemaOf } from '../../../schema.ts';
import type { StatementBatch } from '../../../sql/statement-batch.ts';
import { createSqliteEngine } from '../sqlite-engine.ts';

let folder: string;
let engine: Engine;
let database: Database;

/** Starting the process does not count towards the timeout of a batch. */
const LONGEST_MS = 500;
const ENDLESS = 'WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) FROM n';
const INSERT = `INSERT INTO books VALUES ('b1', 'ada', 'One', NULL, 1, 0, 0, 0)`;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fabrica-statements-'));
  engine = createSqliteEngine(folder, { batchTimeout: LONGEST_MS });
  database = await engine.open({ id: 'library', schema: schemaOf(library) });
  await migrateToLatest(database, library.migrations);
  const other = new DatabaseSync(join(folder, 'other.sqlite'));
  other.exec(`CREATE TABLE secrets (text); INSERT INTO secrets VALUES ('theirs')`);
  other.close();
});

beforeEach(async () => {
  await run('write', 'DELETE FROM books');
});

afterAll(async () => {
  await database.close();
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs statements without the parser, which refuses some of them by their first word. */
const run = (mode: StatementBatch['mode'], ...statements: string[]) => {
  const verbOf = (sql: string) => sql.trim().split(/\s/, 1)[0]?.toUpperCase() ?? '';
  return database.run({
    mode,
    statements: statements.map((sql) => ({ sql, parameters: [], verb: verbOf(sql) })),
  });
};

const firstRow = async (sql: string) => (await run('read', sql)).results[0]?.rows[0];

describe('a statement on SQLite', () => {
  const path = (name: string) => `'${join(folder, name)}'`;

  it.each([
    ['attaches another project’s file', () => `ATTACH ${path('other.sqlite')} AS other`],
    ['attaches a new file', () => `ATTACH ${path('made.sqlite')} AS made`],
    ['attaches the memory', () => `ATTACH ':memory:' AS made`],
    ['detaches its own', () => 'DETACH main'],
    ['copies its file', () => `VACUUM INTO ${path('made.sqlite')}`],
    ['rewrites its file', () => 'VACUUM'],
    ['loads an extension', () => `SELECT load_extension(${path('made.so')})`],
    ['reads a file', () => `SELECT readfile(${path('other.sqlite')})`],
    ['writes a file', () => `SELECT writefile(${path('made.sqlite')}, 'x')`],
    [
      'takes a file for a table',
      () => `CREATE VIRTUAL TABLE made USING csv(filename = ${path('other.sqlite')})`,
    ],
    ['takes the pages for a table', () => 'CREATE VIRTUAL TABLE made USING sqlite_dbpage'],
    ['registers a tokenizer', () => `SELECT fts3_tokenizer('simple', x'00')`],
    ['returns the path of the file', () => 'PRAGMA database_list'],
    ['returns the path by a function', () => 'SELECT * FROM pragma_database_list'],
    ['changes the schema as rows', () => `UPDATE sqlite_schema SET sql = '' WHERE name = 'books'`],
    ['deletes the schema as rows', () => `DELETE FROM sqlite_master WHERE name = 'books'`],
    ['makes a temporary table', () => 'CREATE TEMP TABLE books (id)'],
    ['makes one by its schema', () => 'CREATE TABLE temp.books (id)'],
    ['makes a temporary view', () => 'CREATE TEMP VIEW books AS SELECT 1'],
    ['makes a temporary trigger', () => 'CREATE TEMP TRIGGER t AFTER INSERT ON books BEGIN SELECT 1; END'],
    ['makes a temporary virtual table', () => 'CREATE VIRTUAL TABLE temp.found USING fts5(text)'],
    ['writes into the temporary schema', () => `DELETE FROM temp.sqlite_master`],
    [
      'makes a trigger on a table of migrations',
      () => 'CREATE TRIGGER t AFTER INSERT ON books BEGIN SELECT 1; END',
    ],
    [
      'makes one in place of writes to a view',
      () => 'CREATE TRIGGER t INSTEAD OF INSERT ON titles BEGIN SELECT 1; END',
    ],
    ['takes a name of the server’s', () => 'CREATE VIEW fabrica_told AS SELECT 1'],
    ['begins a transaction', () => 'BEGIN'],
    ['ends its transaction', () => 'COMMIT'],
    ['rolls back its transaction', () => 'ROLLBACK'],
    ['begins a savepoint', () => 'SAVEPOINT a'],
  ])('a statement is refused that %s', async (_, sql) => {
    const before = readdirSync(folder);
    for (const mode of ['write', 'read'] as const) {
      await expect(run(mode, sql())).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    }
    await expect(run('write', INSERT, sql())).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    expect(readdirSync(folder)).toEqual(before);
    expect(await firstRow('SELECT count(*) AS n FROM books')).toEqual({ n: 0 });
    expect(existsSync(join(folder, 'made.sqlite'))).toBe(false);
  });

  it.each([
    'journal_mode = DELETE',
    'journal_mode',
    'writable_schema = ON',
    'query_only = OFF',
    'foreign_keys = OFF',
    'locking_mode = EXCLUSIVE',
    'user_version = 9',
    'cache_size = 1',
    'wal_checkpoint(TRUNCATE)',
    'trusted_schema = ON',
    'busy_timeout = 0',
    'key = "x"',
  ])('the statement PRAGMA %s is refused', async (pragma) => {
    for (const mode of ['write', 'read'] as const) {
      await expect(run(mode, `PRAGMA ${pragma}`)).rejects.toMatchObject({ code: 'SQL_REFUSED' });
      await expect(run(mode, `PRAGMA main.${pragma}`)).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    }
    const file = new DatabaseSync(join(folder, 'library.sqlite'), { readOnly: true });
    expect(file.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    expect(file.prepare('PRAGMA user_version').get()).toEqual({ user_version: 0 });
    file.close();
  });

  it('a statement can read the definitions of tables', async () => {
    expect(await firstRow('PRAGMA table_info(books)')).toMatchObject({ name: 'id', type: 'TEXT' });
    expect(await firstRow(`SELECT name FROM pragma_table_info('loans') WHERE cid = 1`)).toEqual({
      name: 'book_id',
    });
    expect(await firstRow('PRAGMA foreign_key_list(loans)')).toMatchObject({ table: 'books' });
    expect(await firstRow('PRAGMA user_version')).toEqual({ user_version: 0 });
    expect(await firstRow('PRAGMA integrity_check')).toEqual({ integrity_check: 'ok' });
    expect(await firstRow(`SELECT type FROM sqlite_schema WHERE name = 'titles'`)).toEqual({ type: 'view' });
  });

  it('a statement can create full-text tables, and triggers on tables of clients', async () => {
    await run(
      'write',
      'CREATE VIRTUAL TABLE found USING fts5(text)',
      `INSERT INTO found VALUES ('an écorché')`,
    );
    expect(await firstRow(`SELECT text FROM found WHERE found MATCH 'écorché'`)).toEqual({
      text: 'an écorché',
    });
    const { written } = await run(
      'write',
      'CREATE TABLE drafts (id text)',
      `CREATE TRIGGER publish AFTER INSERT ON drafts BEGIN ${INSERT}; SELECT CASE WHEN 1 THEN 2 END; END`,
      `INSERT INTO drafts VALUES ('x')`,
    );
    expect(written).toEqual(['books']);
    await run('write', 'ALTER TABLE found RENAME TO searched', 'DROP TABLE searched', 'DROP TABLE drafts');
    expect(await firstRow('SELECT count(*) AS n FROM fabrica_client_tables')).toEqual({ n: 0 });
  });

  it.each(['; DROP TABLE notes', ';; /* ; */ x', `; SELECT '`])(
    'a statement of several is not followed by another one: %s',
    async (rest) => {
      const trigger =
        'CREATE TRIGGER t AFTER INSERT ON drafts BEGIN SELECT 1; SELECT CASE WHEN 1 THEN 2 END; END';
      const both = run('write', 'CREATE TABLE drafts (id text)', trigger + rest);
      await expect(both).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
      await run('write', 'CREATE TABLE drafts (id text)', `${trigger}; ; -- end`, 'DROP TABLE drafts');
    },
  );

  it('the triggers of the project see the deletion of a row that a statement replaces', async () => {
    await database.writer.executeQuery(
      CompiledQuery.raw(
        `CREATE TRIGGER loan_gone AFTER DELETE ON loans BEGIN DELETE FROM books WHERE id = 'b2'; END`,
      ),
    );
    await run(
      'write',
      INSERT,
      INSERT.replace('b1', 'b2'),
      `INSERT INTO loans VALUES ('l1', 'b1', 'ada', NULL)`,
    );
    const { written } = await run(
      'write',
      `INSERT OR /* ! */ REPLACE INTO loans VALUES ('l2', 'b1', 'ada', NULL)`,
    );
    expect(written.sort()).toEqual(expect.arrayContaining(['books', 'loans']));
    expect(await firstRow('SELECT count(*) AS n FROM books')).toEqual({ n: 1 });
    await database.writer.executeQuery(CompiledQuery.raw('DROP TRIGGER loan_gone'));
  });

  it('a statement that rolls back the transaction rolls back its whole batch', async () => {
    await run('write', INSERT);
    const again = run('write', 'UPDATE books SET pages = 2', INSERT.replace('INSERT', 'INSERT OR ROLLBACK'));
    await expect(again).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await firstRow('SELECT pages FROM books')).toEqual({ pages: 1 });
  });

  it('a deferred constraint is checked at the end of the batch', async () => {
    await run(
      'write',
      'CREATE TABLE later (book_id text REFERENCES books (id) DEFERRABLE INITIALLY DEFERRED)',
    );
    const orphan = run('write', `INSERT INTO later VALUES ('none')`);
    await expect(orphan).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    await run('write', `INSERT INTO later VALUES ('b1')`, INSERT);
    await run('write', 'DROP TABLE later');
  });

  it.each(['read', 'write'] as const)(
    'a statement that takes too long is ended in mode %s and blocks nothing else',
    async (mode) => {
      let ticks = 0;
      const ticking = setInterval(() => {
        ticks += 1;
      }, 10);
      const endless = run(mode, ...(mode === 'write' ? [INSERT] : []), ENDLESS);
      await expect(endless).rejects.toMatchObject({
        code: 'STATEMENT_TIMEOUT',
        message: expect.stringContaining('0.5'),
      });
      clearInterval(ticking);
      expect(ticks).toBeGreaterThan(5);
      // The lock is free, and nothing was written.
      await database.writer
        .insertInto('books')
        .values({ id: 'b2', user_id: 'u', title: 't', shelf: 0, created_at: 0, updated_at: 0 })
        .execute();
      expect((await run('write', INSERT, 'SELECT id FROM books ORDER BY id')).results[1]?.rows).toEqual([
        { id: 'b1' },
        { id: 'b2' },
      ]);
    },
  );

  it('a statement that takes too much memory is ended', async () => {
    const columns = Array.from({ length: 60 }, (_, at) => `randomblob(31000000) AS c${at}`);
    await expect(run('read', `SELECT ${columns}`)).rejects.toMatchObject({
      code: expect.toBeOneOf(['SQL_REFUSED', 'STATEMENT_TIMEOUT']),
    });
    await expect(run('read', 'SELECT zeroblob(900000000)')).rejects.toMatchObject({ code: 'SQL_REFUSED' });
    expect(await firstRow('SELECT 1 AS one')).toEqual({ one: 1 });
  });

  it('the process for statements ends with the server, even when that is killed', async () => {
    const script = `
      const { createSqliteEngine } = await import(${JSON.stringify(new URL('../sqlite-engine.ts', import.meta.url).href)});
      const database = await createSqliteEngine(${JSON.stringify(folder)}).open({ id: 'library', schema: new Map() });
      const run = (sql) => database.run({ mode: 'read', statements: [{ sql, parameters: [], verb: 'SELECT' }] });
      await run('SELECT 1');
      run(${JSON.stringify(ENDLESS)});
      console.log('runs');`;
    const server = spawn(process.execPath, ['--input-type=module', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(server.stdout, 'data');
    const host = Number(execFileSync('pgrep', ['-P', String(server.pid)], { encoding: 'utf8' }));
    expect(isAlive(host)).toBe(true);
    server.kill('SIGKILL');
    await expect.poll(() => isAlive(host)).toBe(false);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
