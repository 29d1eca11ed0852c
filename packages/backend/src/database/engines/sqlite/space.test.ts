import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { openTestFolder, type TestFolder } from '@fabrica/backend/testing/database/build-test-sqlite.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { compactOldFiles } from '../../compact.ts';
import type { Database } from '../../port.ts';
import { connectToWrite } from './connect.ts';
import { createStatementLimits, statementTimedOut } from './reader/statement-limits.ts';

const MB = 1024 ** 2;

let files: TestFolder;

beforeEach(() => {
  files = openTestFolder();
});
afterEach(() => files.close());

const sizeOf = (id: string) =>
  ['', '-wal'].reduce(
    (sum, end) =>
      sum + (statSync(join(files.folder, `${id}.sqlite${end}`), { throwIfNoEntry: false })?.size ?? 0),
    0,
  );

/** Inserts rows of 5 kB each. */
async function fill(database: Database, rows: number): Promise<void> {
  await sql`
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows})
    INSERT INTO sheets SELECT 'n' || i, 'secret-of-a-note ' || hex(zeroblob(2500)) FROM n`.execute(
    database.writer,
  );
}

const createTable = (database: Database) =>
  sql`CREATE TABLE sheets (id TEXT PRIMARY KEY, text TEXT)`.execute(database.writer);
const run = (database: Database, text: string) => sql.raw(text).execute(database.writer);

test('a file gives the space of deleted rows back, while reads and writes go on', async () => {
  const database = await files.open('library');
  await createTable(database);
  const before = sizeOf('library');
  await fill(database, 6_000);
  expect(sizeOf('library')).toBeGreaterThan(before + 28 * MB);
  await run(database, `DELETE FROM sheets WHERE id <> 'n6000'`);
  let reads = 0;
  await expect
    .poll(
      async () => {
        await run(database, `INSERT INTO sheets VALUES ('w${reads}', 'written meanwhile')`);
        expect(
          await database.query(`SELECT length(text) AS length FROM sheets WHERE id = 'n6000'`, []),
        ).toEqual([{ length: 5_017 }]);
        reads += 1;
        return sizeOf('library');
      },
      { interval: 100 },
    )
    .toBeLessThan(before + 3 * MB);
  expect(database.space?.read()).toMatchObject({ givesBack: true });
  expect(await database.query('SELECT count(*) AS notes FROM sheets', [])).toEqual([{ notes: reads + 1 }]);
  const other = files.another('library');
  expect(other.prepare('PRAGMA integrity_check').get()).toEqual({ integrity_check: 'ok' });
});

/** Creates a file as older versions did, with deleted rows in its free pages. */
async function createOldFile(): Promise<Database> {
  const database = await files.open('library');
  await createTable(database);
  const other = files.another('library');
  other.exec('PRAGMA auto_vacuum = NONE; VACUUM; PRAGMA secure_delete = OFF;');
  await fill(database, 2_000);
  other.exec('DELETE FROM sheets; PRAGMA wal_checkpoint(TRUNCATE);');
  other.close();
  expect(database.space?.read()).toMatchObject({ givesBack: false });
  return database;
}

test('the file of an older version is rewritten once at the start, and its free pages hold nothing afterwards', async () => {
  const database = await createOldFile();
  const lines: string[] = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  const projects = new Map([['library', { database }]]);
  const content = () => readFileSync(join(files.folder, 'library.sqlite'), 'latin1');
  expect(content()).toContain('secret-of-a-note');
  await compactOldFiles(projects, { dataDir: files.folder, log });
  expect(content()).not.toContain('secret-of-a-note');
  expect(sizeOf('library')).toBeLessThan(MB);
  expect(database.space?.read()).toMatchObject({ givesBack: true });
  expect(lines).toHaveLength(1);
  await compactOldFiles(projects, { dataDir: files.folder, log });
  expect(lines).toHaveLength(1);
});

test('opening a file does not wait for other writers, and writes nothing', async () => {
  const database = await files.open('library');
  await createTable(database);
  const other = files.another('library');
  const version = () => other.prepare('PRAGMA data_version').get()?.data_version;
  const before = version();
  other.exec('BEGIN IMMEDIATE');
  const connection = connectToWrite(
    join(files.folder, 'library.sqlite'),
    createStatementLimits({ timeout: 1_000, createError: statementTimedOut }),
  );
  connection.close();
  other.exec('ROLLBACK');
  expect(version()).toBe(before);
});
