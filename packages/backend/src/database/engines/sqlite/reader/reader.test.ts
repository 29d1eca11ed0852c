import { library } from '@fabrica/backend/testing/database/build-test-library.ts';
import {
  createBook,
  openTestFolder,
  type TestFolder,
} from '@fabrica/backend/testing/database/build-test-sqlite.ts';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Filter } from '../../../../core/filter.ts';
import type { Database } from '../../../port.ts';
import { compileCount, compileSelect } from '../../../query/compile.ts';
import { schemaOf } from '../../../schema.ts';
import { createSqliteThreads, type SqliteThreads } from '../sqlite-threads.ts';
import { QUICK_ROWS } from './file-reader.ts';

const MANY = 20_000;

let files: TestFolder;
let threads: SqliteThreads;
let database: Database;

beforeEach(async () => {
  threads = createSqliteThreads();
  // Longer than the default, which is too short for these reads on a busy machine.
  files = openTestFolder({ threads, statementTimeout: 60_000 });
  database = await files.open('library');
  await sql`
    WITH RECURSIVE counted (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counted WHERE n < ${MANY})
    INSERT INTO books (id, user_id, title, author, pages, shelf, created_at, updated_at)
    SELECT printf('b-%05d', n), 'user-' || (n % 7), 'Écorché ' || n, NULL, n, 0, n, n FROM counted`.execute(
    database.writer,
  );
});

afterEach(async () => {
  vi.useRealTimers();
  await files.close();
  await threads.end();
});

function contextOf({ syntax }: Database) {
  const schema = schemaOf(library);
  const table = schema.get('books');
  if (!table) throw new Error('The library has books.');
  return { schema, table, syntax };
}

function select(filter: Filter, { columns = ['id'], limit = 10 } = {}, from = database) {
  const order = [{ column: 'id', descending: false, nullsFirst: false }];
  const query = { columns, filter, order, limit, offset: 0, after: undefined };
  return compileSelect(contextOf(from), query);
}

const pagesOver = (value: number): Filter => ({ kind: 'compare', column: 'pages', operator: 'gt', value });
const titled = (operator: 'like' | 'ilike', value: string): Filter => ({
  kind: 'compare',
  column: 'title',
  operator,
  value,
});

describe('a read', () => {
  test('a read that looks at few rows returns without a promise', () => {
    // The clock stands still: on a busy machine a read may take longer than it may in the main thread.
    vi.useFakeTimers({ toFake: ['performance'] });
    const few = select(pagesOver(QUICK_ROWS - 10));
    expect(database.query(few.sql, few.parameters)).toHaveLength(10);
    const many = select(pagesOver(QUICK_ROWS - 9));
    expect(database.query(many.sql, many.parameters)).toBeInstanceOf(Promise);
  });

  test('a read by key returns without a promise however many rows the table has', () => {
    const of: Filter = { kind: 'in', column: 'id', values: ['b-19999', 'b-00002', 'b-7'] };
    const { sql: text, parameters } = select(of);
    expect(database.query(text, parameters)).toMatchObject([{ id: 'b-00002' }, { id: 'b-19999' }]);
  });

  test('a read that looks at many rows runs in the reader’s thread, and quick reads overtake it', async () => {
    const order: string[] = [];
    const slow = select(pagesOver(MANY - 3));
    const response = database.query(slow.sql, slow.parameters);
    expect(response).toBeInstanceOf(Promise);
    const delayed = Promise.resolve(response).then((rows) => order.push(`slow: ${rows.map(({ id }) => id)}`));
    const quick = select({ kind: 'and', of: [] }, { limit: 1 });
    order.push(`quick: ${(await database.query(quick.sql, quick.parameters)).map(({ id }) => id)}`);
    await delayed;
    expect(order).toEqual(['quick: b-00001', 'slow: b-19998,b-19999,b-20000']);
  });

  test('a read returns the same objects, arrays and counts in either thread', async () => {
    const { sql: text, parameters } = select(pagesOver(MANY - 2), { columns: ['id', 'author', 'pages'] });
    for (const _ of ['once', 'again']) {
      expect(await database.query(text, parameters)).toEqual([
        { id: 'b-19999', author: null, pages: 19_999 },
        { id: 'b-20000', author: null, pages: 20_000 },
      ]);
      expect(await database.values(text, parameters)).toEqual([
        ['b-19999', null, 19_999],
        ['b-20000', null, 20_000],
      ]);
    }
    for (const [filter, total] of [
      [pagesOver(5), MANY - 5],
      [{ kind: 'and', of: [] }, MANY],
    ] as const) {
      const count = compileCount(contextOf(database), filter);
      expect(await database.query(count.sql, count.parameters)).toEqual([{ total }]);
    }
  });

  test('a read in the reader’s thread sees earlier writes', async () => {
    const { sql: text, parameters } = select(titled('like', 'Untitled'));
    expect(await database.query(text, parameters)).toEqual([]);
    await createBook(database, 'new');
    expect(await database.query(text, parameters)).toEqual([{ id: 'new' }]);
  });

  test('a read in the reader’s thread does not block writes', async () => {
    const { sql: text, parameters } = select(titled('ilike', '%É%'), { limit: MANY });
    const reading = database.query(text, parameters);
    await Promise.all([createBook(database, 'n-1'), createBook(database, 'n-2')]);
    expect((await reading).length).toBeGreaterThanOrEqual(MANY);
  });

  test('a read cannot write in either thread', async () => {
    expect(() => database.query('DELETE FROM books RETURNING id', [])).toThrow(/readonly/);
    const slow = `DELETE FROM books WHERE within_rows() RETURNING id`;
    expect(() => database.query(slow, [])).toThrow(/readonly/);
  });

  test('closing a database waits for a running read', async () => {
    const { sql: text, parameters } = select(pagesOver(MANY - 1));
    const reading = database.query(text, parameters);
    await database.close();
    expect(await reading).toEqual([{ id: 'b-20000' }]);
  });

  test('a read runs in a new thread after the reader’s thread has ended', async () => {
    const { sql: text, parameters } = select(pagesOver(MANY - 1));
    expect(await database.query(text, parameters)).toHaveLength(1);
    const interrupted = database.query(text, parameters);
    await threads.reader.end();
    await expect(interrupted).rejects.toThrow('came to its end');
    expect(await database.query(text, parameters)).toHaveLength(1);
  });
});

describe('a read that takes too long', () => {
  test.each([
    ['rows', pagesOver(MANY)],
    ['texts, case by case', titled('like', '%no such thing%')],
    ['texts', titled('ilike', '%no such thing%')],
    ['texts beyond ASCII', titled('ilike', '%É%no such thing')],
  ])(
    'a read that takes too long is ended while it looks at %s, and the next read succeeds',
    async (_, filter) => {
      const strictFolder = openTestFolder({ threads, statementTimeout: 0 });
      try {
        const small = await strictFolder.open('library');
        await sql`ATTACH ${`${files.folder}/library.sqlite`} AS large`.execute(small.writer);
        await sql`INSERT INTO books SELECT * FROM large.books`.execute(small.writer);
        const slow = select(filter, {}, small);
        for (const _ of ['once', 'again']) {
          const reading = async () => small.query(slow.sql, slow.parameters);
          await expect(reading()).rejects.toMatchObject({ code: 'STATEMENT_TIMEOUT' });
        }
        const quick = select({ kind: 'compare', column: 'id', operator: 'eq', value: 'b-00007' }, {}, small);
        expect(small.query(quick.sql, quick.parameters)).toEqual([{ id: 'b-00007' }]);
      } finally {
        await strictFolder.close();
      }
    },
  );
});
