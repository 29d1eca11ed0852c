import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { library, libraryTables } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { Kysely } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ChangeEvent } from '../../../core/bus.ts';
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
  db.events.length = 0;
});

/** Runs a batch and returns the events that it published. */
async function run(...statements: (string | [sql: string, ...args: unknown[]])[]): Promise<ChangeEvent[]> {
  const known = db.events.length;
  const { status, body } = await db.service('POST', '/batch', {
    body: {
      statements: statements.map((one) => {
        const [sql, ...args] = typeof one === 'string' ? [one] : one;
        return { sql, args };
      }),
    },
  });
  expect([status, body.error]).toEqual([200, undefined]);
  return db.events.slice(known);
}

const brief = (events: readonly ChangeEvent[]) =>
  events.map(({ table, operation, id, changed }) => `${operation} ${table} ${id}: ${changed.join(' ')}`);

const BOOK = {
  id: 'b1',
  user_id: 'ada',
  title: 'One',
  author: null,
  pages: 10,
  shelf: 0,
  created_at: 1,
  updated_at: 2,
};
const insertBook = (name: string): [string, ...unknown[]] => {
  const row = { ...BOOK, id: name };
  return [
    `INSERT INTO books (${Object.keys(row)}) VALUES (${Object.keys(row).map(() => '?')})`,
    ...Object.values(row),
  ];
};
const loan = (name: string, book: string, user = 'ada') =>
  `INSERT INTO loans (id, book_id, user_id) VALUES ('${name}', '${book}', '${user}')`;
const user = (name: string) =>
  `INSERT INTO users (id, email, display_name, role, password_hash, created_at) VALUES ('${name}', '${name}@example.org', '${name}', 'member', 'secret', 1)`;

describe('changes by statements', () => {
  it('a change by SQL is published like one over REST once it is committed', async () => {
    const { body: created } = await db.service('POST', 'books', {
      body: { ...BOOK, id: 'rest' },
      headers: { prefer: 'return=representation' },
    });
    expect(created).toEqual([{ ...BOOK, id: 'rest' }]);
    const [overRest] = db.events;
    const [event, ...others] = await run(insertBook('b1'));
    expect(others).toEqual([]);
    expect(event).toEqual({ ...overRest, id: 'b1', after: BOOK, changed: expect.any(Array) });
    expect([...(event?.changed ?? [])].sort()).toEqual([...(overRest?.changed ?? [])].sort());

    const [update] = await run(`UPDATE books SET pages = 11, author = 'Ada' WHERE id = 'b1'`);
    expect(update).toEqual({
      projectId: 'library',
      table: 'books',
      operation: 'update',
      id: 'b1',
      changed: ['author', 'pages'],
      before: BOOK,
      after: { ...BOOK, pages: 11, author: 'Ada' },
    });
    const [deletion] = await run(`DELETE FROM books WHERE id = 'b1'`);
    expect(deletion).toMatchObject({ operation: 'delete', before: update?.after, after: null });
  });

  it('each change of a batch is published, in order', async () => {
    const events = await run(
      insertBook('b1'),
      insertBook('b2'),
      'UPDATE books SET pages = pages + 1',
      `DELETE FROM books WHERE id = 'b1'`,
    );
    expect(brief(events).map((line) => line.split(':')[0])).toEqual([
      'create books b1',
      'create books b2',
      'update books b1',
      'update books b2',
      'delete books b1',
    ]);
  });

  it('no change is published when no row changes, no row matches, or nothing is committed', async () => {
    await run(insertBook('b1'));
    expect(await run('UPDATE books SET pages = pages', `DELETE FROM books WHERE id = 'none'`)).toEqual([]);
    const known = db.events.length;
    const { status } = await db.service('POST', '/batch', {
      body: { statements: [{ sql: 'DELETE FROM books' }, { sql: 'SELECT * FROM nowhere' }] },
    });
    expect([status, db.events.length]).toEqual([400, known]);
  });

  it('the rows that cascades delete are published as changes', async () => {
    await run(insertBook('b1'), loan('l1', 'b1'), loan('l2', 'b1', 'bob'));
    await run(`INSERT INTO notes VALUES ('n1', 'l1')`);
    const events = await run(`DELETE FROM books WHERE id = 'b1'`);
    expect(
      brief(events)
        .map((line) => line.split(':')[0])
        .sort(),
    ).toEqual(['delete books b1', 'delete loans l1', 'delete loans l2', 'delete notes n1']);
  });

  it('the row that an upsert updates is published as a change', async () => {
    await run(insertBook('b1'));
    const [sql, ...args] = insertBook('b1');
    const events = await run([`${sql} ON CONFLICT (id) DO UPDATE SET pages = 99`, ...args]);
    expect(brief(events)).toEqual(['update books b1: pages']);
    expect(await run([`${sql} ON CONFLICT DO NOTHING`, ...args])).toEqual([]);
  });

  it('integers beyond 2^53 are published with all digits', async () => {
    const [event] = await run(insertBook('b1'), ['UPDATE books SET pages = ?', '9007199254740993']);
    expect(event?.after?.pages).toBe(10);
    expect(db.events.at(-1)?.after?.pages).toBe('9007199254740993');
  });

  it('changes of tables of clients are not published', async () => {
    expect(
      await run('CREATE TABLE scratch (id text)', `INSERT INTO scratch VALUES ('a')`, 'DROP TABLE scratch'),
    ).toEqual([]);
  });

  it('a change of an account is published as a change of the views that show it, and in no other way', async () => {
    expect(await run(user('ada'))).toEqual([
      {
        projectId: 'library',
        table: 'readers',
        operation: 'create',
        id: 'ada',
        changed: ['id', 'display_name'],
        before: null,
        after: { id: 'ada', display_name: 'ada' },
      },
    ]);
    expect(await run(`UPDATE users SET password_hash = 'other'`)).toEqual([]);
    const [update] = await run(`UPDATE users SET display_name = 'Ada'`);
    expect(update).toMatchObject({
      table: 'readers',
      changed: ['display_name'],
      after: { display_name: 'Ada' },
    });
    expect(brief(await run('DELETE FROM users'))).toEqual(['delete readers ada: id display_name']);
  });

  it('the deletion of a file is published', async () => {
    const insert = `INSERT INTO files (path, "blob", content_type, size, hash, created_at, updated_at)
      VALUES ('a.png', 'key', 'image/png', 1, 'x', 1, 1)`;
    expect(await run(insert)).toEqual([]);
    expect(await run(`DELETE FROM files`)).toMatchObject([
      { table: 'files', operation: 'delete', id: 'a.png', before: { blob: 'key' } },
    ]);
  });

  it('a batch with too many changes is refused', async () => {
    const books = (count: number) =>
      `INSERT INTO books (id, user_id, title, shelf, created_at, updated_at)
       WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${count})
       SELECT CAST(i AS text), 'ada', 'Many', 0, 0, 0 FROM n`;
    const { body } = await db.service('POST', '/sql', { body: { query: books(10_001) } });
    expect(body).toMatchObject({
      code: 'SQL_REFUSED',
      error: `The statement was refused: it changes too much: 10000 rows of the project's tables at once at most, and 32 MB of them. Change some at a time.`,
    });
    expect(await run(books(10_000))).toHaveLength(10_000);
    const over = await db.service('POST', '/batch', {
      body: {
        statements: [
          { sql: `DELETE FROM books WHERE id < '2'` },
          { sql: 'UPDATE books SET shelf = 1' },
          { sql: 'DELETE FROM books' },
        ],
      },
    });
    expect(over.body.error).toMatch(/^Statement \d was refused: it changes too much/);
    expect(await run('DELETE FROM books')).toHaveLength(10_000);
  });
});
