import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { everyRow } from '../../../core/filter.ts';
import { defineProject } from '../../../project-database.ts';
import { authMigrations } from '../../auth/index.ts';
import { storageMigrations } from '../../storage/index.ts';

const id = { type: 'text', max: 60 } as const;

/** The library with accounts and files beside it, and a view of the accounts. */
const withAccounts = defineProject({
  ...library,
  tables: {
    ...libraryTables,
    readers: {
      view: true,
      ofUsers: true,
      columns: { id, display_name: { type: 'text', max: 100 } },
      policies: { anonymous: { read: everyRow } },
    },
  },
  migrations: {
    ...authMigrations,
    ...storageMigrations,
    ...library.migrations,
    readers: {
      async up(db: Kysely<{ users: { id: string; display_name: string } }>) {
        await db.schema
          .createView('readers')
          .as(db.selectFrom('users').select(['id', 'display_name']))
          .execute();
      },
    },
  },
});

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(withAccounts);
});

afterAll(() => db.close());

beforeEach(async () => {
  for (const table of ['books', 'users', 'files']) await run(`DELETE FROM ${table}`);
});

/** Runs a batch, and returns the tables of the event that it published; undefined for none. */
async function run(...statements: string[]): Promise<readonly string[] | undefined> {
  db.tableEvents.length = 0;
  const { status, body } = await db.service('POST', '/batch', {
    body: { statements: statements.map((sql) => ({ sql })) },
  });
  expect([status, body.error]).toEqual([200, undefined]);
  expect(db.events).toEqual([]);
  expect(db.tableEvents.length).toBeLessThan(2);
  const [event] = db.tableEvents;
  if (event) expect(event.projectId).toBe('library');
  return event && [...event.tables].sort();
}

const book = (id: string) =>
  `INSERT INTO books (id, user_id, title, shelf, created_at, updated_at) VALUES ('${id}', 'ada', 'One', 0, 1, 2)`;
const loan = (id: string, of: string) =>
  `INSERT INTO loans (id, book_id, user_id) VALUES ('${id}', '${of}', 'ada')`;
const user = (id: string) =>
  `INSERT INTO users (id, email, display_name, role, password_hash, created_at) VALUES ('${id}', '${id}@example.org', '${id}', 'member', 'secret', 1)`;

describe('writes by statements', () => {
  it('a batch that writes publishes the names of the tables once it is committed', async () => {
    expect(await run(book('b1'), book('b2'), 'UPDATE books SET pages = 1')).toEqual(['books']);
    expect(await run(book('b3'), user('ada'))).toEqual(['books', 'users']);
    expect(await run(`${book('b1')} ON CONFLICT (id) DO UPDATE SET pages = 99`)).toEqual(['books']);
  });

  it('a statement that is not in a batch publishes its tables, also one that begins like a read', async () => {
    for (const query of [
      book('b1'),
      `WITH one AS (SELECT 7 AS pages) UPDATE books SET pages = (SELECT pages FROM one)`,
    ]) {
      db.tableEvents.length = 0;
      expect((await db.service('POST', '/sql', { body: { query } })).status).toBe(200);
      expect(db.tableEvents).toEqual([{ projectId: 'library', tables: ['books'] }]);
    }
  });

  it('the tables that cascades write are published', async () => {
    await run(book('b1'), loan('l1', 'b1'), `INSERT INTO notes VALUES ('n1', 'l1')`);
    expect(await run(`DELETE FROM books WHERE id = 'b1'`)).toEqual(
      expect.arrayContaining(['books', 'loans', 'notes']),
    );
  });

  it('nothing is published for a batch that reads, or of which nothing is committed', async () => {
    expect(await run('SELECT * FROM books')).toBe(undefined);
    const { status } = await db.service('POST', '/batch', {
      body: { statements: [{ sql: 'DELETE FROM books' }, { sql: 'SELECT * FROM nowhere' }] },
    });
    expect([status, db.tableEvents]).toEqual([400, []]);
  });

  it('writes on tables of clients are not published', async () => {
    expect(
      await run('CREATE TABLE scratch (id text)', `INSERT INTO scratch VALUES ('a')`, 'DROP TABLE scratch'),
    ).toBe(undefined);
  });

  it('a batch makes the caches stale that follow changes one by one, before its response and in other processes', async () => {
    const other = await db.openElsewhere();
    const [here, there] = [db.database.foreignCommits(), other.foreignCommits()];
    await run(book('b1'));
    expect(db.database.foreignCommits()).toBeGreaterThan(here);
    await expect.poll(() => other.foreignCommits()).toBeGreaterThan(there);
  });

  it('a batch may change as many rows as its time allows', async () => {
    const books = `INSERT INTO books (id, user_id, title, shelf, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)
       SELECT CAST(i AS text), 'ada', 'Many', 0, 0, 0 FROM n`;
    expect(await run(books, 'UPDATE books SET shelf = 1')).toEqual(['books']);
  });
});
