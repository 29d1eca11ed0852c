import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library as definition,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ReadOptions } from '../../port.ts';

/** Looks a book up, with one of fewer pages than so many. */
const BY_ID = 'SELECT max(title), max(pages) FROM books WHERE id = $1 AND pages < $2';
const LOOK_UP: ReadOptions = { row: { columns: 2, isById: true } };

let library: TestDatabase;

beforeEach(async () => {
  library = await openTestDatabase(definition);
  const books = Array.from({ length: 40 }, (_, at) =>
    buildBook({ id: `b${at}`, title: `T${at}`, pages: at }),
  );
  await library.service('POST', 'books', { body: books });
});
afterEach(() => library.close());

/** Returns a function that returns the statements on books that were sent since. */
function recordStatements(): () => string[] {
  const query = vi.spyOn(pg.Client.prototype, 'query');
  onTestFinished(() => query.mockRestore());
  const texts = () => query.mock.calls.map(([statement]) => (statement as unknown as { text: string }).text);
  return () => texts().filter((text) => text?.includes('books'));
}

describe('reads of one row each that come together', () => {
  test('rows that are read by id at once are read by few statements, and each read gets its own', async () => {
    const sent = recordStatements();
    const ids = Array.from({ length: 60 }, (_, at) => `b${at}`);
    const responses = await Promise.all(ids.map((id) => library.service('GET', `books?id=eq.${id}`)));
    const titles = ids.map((_, at) => (at < 40 ? [`T${at}`] : []));
    expect(responses.map(({ body }) => body.map(({ title }: { title: string }) => title))).toEqual(titles);
    expect(sent().length).toBeLessThan(10);
  });

  test('callers who may read different rows each see their own', async () => {
    await library.service('POST', 'books', { body: buildBook({ id: 'hidden', shelf: 1 }) });
    const ada = library.as(buildUser('ada'));
    const responses = await Promise.all(
      ['b1', 'hidden', 'b2', 'hidden'].flatMap((id) => [
        library.anonymous('GET', `books?id=eq.${id}`),
        ada('GET', `books?id=eq.${id}`),
      ]),
    );
    expect(responses.map(({ body }) => body.length)).toEqual([1, 1, 0, 1, 1, 1, 0, 1]);
  });

  test('values of all kinds are sent as they are, and one that no text contains fails its own read alone', async () => {
    const ids = ['b1', 'b\0', `b2'"{},\\`, 'NULL', '', 'b3'];
    const reads = ids.map(async (id) => library.database.values(BY_ID, [id, 50], LOOK_UP));
    expect(await Promise.allSettled(reads)).toMatchObject([
      { value: [['T1', 1]] },
      { reason: { code: 'VALIDATION_FAILED' } },
      ...Array(3).fill({ value: [[null, null]] }),
      { value: [['T3', 3]] },
    ]);
    const mixed = [30, 2.5, null, 2 ** 60].map((most) =>
      library.database.values(BY_ID, ['b2', most], LOOK_UP),
    );
    const found = [['T2', 2]];
    expect(await Promise.allSettled(mixed)).toMatchObject([
      { value: found },
      { reason: { code: 'VALIDATION_FAILED' } },
      { value: [[null, null]] },
      { value: found },
    ]);
  });

  test('lists that differ in their values alone are read beside each other', async () => {
    const sent = recordStatements();
    const lists = await Promise.all(
      [3, 8, 50].map((most) => library.service('GET', `books?pages=lt.${most}&order=pages&limit=5`)),
    );
    expect(lists.map(({ body }) => body.at(-1).id)).toEqual(['b2', 'b4', 'b4']);
    expect(sent()).toHaveLength(3);
  });

  test('closing a database waits for reads that were not sent yet', async () => {
    const reads = ['b1', 'b2'].map((id) => library.database.values(BY_ID, [id, 9], LOOK_UP));
    await library.database.close();
    expect(await Promise.all(reads)).toEqual([[['T1', 1]], [['T2', 2]]]);
  });
});

describe('the reads of a page', () => {
  const count = 'SELECT count(*) FROM books WHERE pages < $1 AND shelf = $2';
  const named = `SELECT max("title") AS "a$1", '$2', min(pages) FROM books WHERE id = $1 OR title = $2`;

  function readPage(page: object, at: number) {
    const { database } = library;
    const of = (columns: number): ReadOptions => ({ page, row: { columns, isById: false } });
    return Promise.all([
      database.values(count, [at, 0], of(1)),
      database.values(named, [`b${at}`, 'none'], of(3)),
      database.values('SELECT count(*) FROM books', [], of(1)),
    ]);
  }

  test('the reads of a page are one statement, and so are those of pages that are alike', async () => {
    const sent = recordStatements();
    expect(await readPage({}, 7)).toEqual([[[7]], [['T7', '$2', 7]], [[40]]]);
    expect(sent()).toHaveLength(1);
    const pages = [3, 4, 50].map((at) => readPage({}, at));
    expect(await Promise.all(pages)).toEqual([
      [[[3]], [['T3', '$2', 3]], [[40]]],
      [[[4]], [['T4', '$2', 4]], [[40]]],
      [[[40]], [[null, '$2', null]], [[40]]],
    ]);
    expect(sent()).toHaveLength(2);
  });

  test('a read that takes too long leaves the other reads of its page alone, and does not hold up the next page', async () => {
    const sent = recordStatements();
    const { database } = library;
    const read = (page: object) => {
      const options: ReadOptions = { page, row: { columns: 1, isById: false } };
      return Promise.allSettled([
        database.values(count, [5, 0], options),
        database.values(`SELECT 'books' || pg_sleep(60)::text`, [], options),
        database.values('SELECT count(*) FROM books', [], options),
      ]);
    };
    const results = [
      { status: 'fulfilled', value: [[5]] },
      { status: 'rejected', reason: expect.objectContaining({ code: 'STATEMENT_TIMEOUT' }) },
      { status: 'fulfilled', value: [[40]] },
    ];
    expect(await read({})).toEqual(results);
    expect(sent()).toHaveLength(4);
    // It is run by itself now, so that the others are not in its way.
    expect(await read({})).toEqual(results);
    const after = sent().slice(4);
    expect(after.filter((text) => text.includes('pg_sleep'))).toEqual([
      `SELECT 'books' || pg_sleep(60)::text`,
    ]);
  });

  /** Reads a page of several statements, each of which returns a column of text or a number. */
  function readAll(statements: readonly (readonly [text: string, values: readonly (string | number)[]])[]) {
    const options: ReadOptions = { page: {}, row: { columns: 1, isById: false } };
    return Promise.allSettled(
      statements.map(async ([text, values]) => library.database.values(text, values, options)),
    );
  }

  test('a value that fails a page leaves its statements together for the next page, however long one of them takes', async () => {
    const sent = recordStatements();
    const slow = `SELECT $1 || 'books' || pg_sleep(0.11)::text`;
    const read = (value: string) =>
      readAll([
        [slow, ['a']],
        ['SELECT max(title) FROM books WHERE id = $1', [value]],
      ]);
    expect(await read('b\0')).toMatchObject([{ value: [['abooks']] }, { status: 'rejected' }]);
    expect(sent()).toHaveLength(3);
    expect(await read('b3')).toMatchObject([{ value: [['abooks']] }, { value: [['T3']] }]);
    expect(sent()).toHaveLength(4);
  });

  test('a statement without a row leaves the rows of the others as they are, and is not joined with them again', async () => {
    const sent = recordStatements();
    const read = () =>
      readAll([
        ['SELECT title FROM books WHERE id = $1', ['nobody']],
        [count, [5, 0]],
      ]);
    const results = [{ value: [] }, { value: [[5]] }];
    expect(await read()).toMatchObject(results);
    expect(sent()).toHaveLength(3);
    expect(await read()).toMatchObject(results);
    expect(sent().slice(3)).toEqual(['SELECT title FROM books WHERE id = $1', count]);
  });

  test('reads by id of which some have no row each get their own', async () => {
    const byId = ['b1', 'nobody', 'b2'].map(async (id) =>
      library.database.values('SELECT title FROM books WHERE id = $1', [id], {
        row: { columns: 1, isById: true },
      }),
    );
    expect(await Promise.all(byId)).toEqual([[['T1']], [], [['T2']]]);
  });

  test('a read with more than 1,000 values is sent by itself', async () => {
    const sent = recordStatements();
    const ids = Array.from({ length: 1_001 }, (_, at) => `b${at}`);
    const among = `SELECT count(*) FROM books WHERE id IN (${ids.map((_, at) => `$${at + 1}`).join(', ')})`;
    const found = [{ value: [[40]] }, { value: [[5]] }, { value: [[6]] }];
    expect(
      await readAll([
        [among, ids],
        [count, [5, 0]],
        [count, [6, 0]],
      ]),
    ).toMatchObject(found);
    expect(sent()).toHaveLength(2);
  });

  test('pages of more than 50 kinds are read as well, the last of them one statement after the other', async () => {
    const sent = recordStatements();
    for (let kind = 0; kind < 52; kind += 1) {
      const before = sent().length;
      expect(
        await readAll([
          [`SELECT count(*) + ${kind} FROM books`, []],
          [count, [5, 0]],
        ]),
      ).toMatchObject([{ value: [[40 + kind]] }, { value: [[5]] }]);
      expect(sent().length - before).toBe(kind < 50 ? 1 : 2);
    }
  });
});
