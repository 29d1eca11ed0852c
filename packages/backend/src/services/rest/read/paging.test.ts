import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import {
  buildBook,
  buildUser,
  library,
  libraryTables,
} from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let db: TestDatabase;

const COUNT = 57;
const exact = { headers: { prefer: 'count=exact' } };

beforeAll(async () => {
  db = await openTestDatabase(library);
  // There are many equal values, and some nulls.
  const body = Array.from({ length: COUNT }, (_, index) =>
    buildBook({
      id: `b${String((index * 31) % COUNT).padStart(2, '0')}`,
      author: index % 3 === 0 ? null : `author ${index % 4}`,
      pages: index % 5 === 0 ? null : index % 7,
      shelf: index % 2,
    }),
  );
  await db.service('POST', 'books', { body });
});

afterAll(() => db.close());

/** Follows the cursors and returns the ids of all pages. */
async function walk(send: SendTestRequest, query: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const response = await send('GET', `books?select=id&${query}${cursor && `&cursor=${cursor}`}`);
    expect(response.status).toBe(200);
    for (const row of response.body) {
      expect(Object.keys(row)).toEqual(['id']);
      ids.push(row.id);
    }
    cursor = response.headers.get('x-next-cursor');
    expect(ids.length, 'the walk has an end').toBeLessThanOrEqual(COUNT);
  }
  return ids;
}

describe('requests of one form', () => {
  test('the same request returns to each caller what its policy shows, whoever was first', async () => {
    const callers: [SendTestRequest, ids: string, size: number][] = [
      [db.anonymous, '', 29],
      [db.as(buildUser('ada')), 'b31', COUNT],
      [db.service, 'b31', COUNT],
    ];
    for (const turn of [callers, callers.toReversed(), callers]) {
      for (const [send, ids, size] of turn) {
        // This book is on shelf 1, which anonymous callers do not see.
        for (const filter of [
          'id=eq.b31',
          'id=in.(b31)',
          'id=eq.b31&shelf=eq.1',
          'id=eq.b31&shelf=not.eq.0',
        ]) {
          const { body } = await send('GET', `books?select=id&${filter}`);
          expect(body.map(({ id }: { id: string }) => id).join()).toBe(ids);
        }
        expect((await send('GET', 'books?select=id&limit=100')).body).toHaveLength(size);
      }
    }
  });

  test('requests that differ in values, limits and offsets alone return their own rows', async () => {
    const idsOf = async (query: string) =>
      (await db.service('GET', `books?select=id&${query}`)).body.map(({ id }: { id: string }) => id).join();
    for (const _ of [1, 2]) {
      expect(await idsOf('id=eq.b05')).toBe('b05');
      expect(await idsOf('id=eq.b06')).toBe('b06');
      expect(await idsOf('id=eq.b06&limit=0')).toBe('');
      expect(await idsOf('id=eq.b06&offset=1')).toBe('');
      expect(await idsOf('id=lt.b03')).toBe('b00,b01,b02');
      expect(await idsOf('id=lt.b04&limit=2')).toBe('b00,b01');
      expect(await idsOf('id=lt.b04&limit=2&offset=1')).toBe('b01,b02');
      expect(await idsOf('id=gt.b54')).toBe('b55,b56');
      expect(await idsOf('id=eq.none')).toBe('');
    }
  });
});

describe('cursors', () => {
  test.each([
    '',
    'order=id.desc',
    'order=pages',
    'order=pages.desc',
    'order=pages.asc.nullsfirst',
    'order=pages.desc.nullslast',
    'order=shelf.desc',
    'order=shelf.desc,pages.asc,author.desc.nullslast',
    'order=author.desc,shelf.asc',
    'order=shelf,id.desc',
    'order=shelf&shelf=eq.1',
  ])('following the cursors returns all rows once, in order: %s', async (order) => {
    const { body } = await db.service('GET', `books?${order}`);
    const whole = body.map(({ id }: { id: string }) => id);
    for (const limit of [1, 4, 50]) expect(await walk(db.service, `${order}&limit=${limit}`)).toEqual(whole);
    expect(new Set(whole).size).toBe(whole.length);
  });
});

test('nulls come last when ascending and first when descending unless the order says otherwise', async () => {
  const ends = async (order: string) => {
    const { body } = await db.service('GET', `books?order=${order}`);
    return [body[0].pages, body.at(-1).pages];
  };
  expect(await ends('pages')).toEqual([0, null]);
  expect(await ends('pages.desc')).toEqual([null, 0]);
  expect(await ends('pages.nullsfirst')).toEqual([null, 6]);
  expect(await ends('pages.desc.nullslast')).toEqual([6, null]);
});

test('a cursor keeps its position when rows are inserted before it', async () => {
  const first = await db.service('GET', 'books?order=id&limit=10&id=gte.b00');
  await db.service('POST', 'books', { body: buildBook({ id: 'a-new-first' }) });
  const next = await db.service('GET', `books?order=id&limit=1&cursor=${first.headers.get('x-next-cursor')}`);
  expect(next.body[0].id).toBe('b10');
  await db.service('DELETE', 'books?id=eq.a-new-first');
});

test('a cursor of another order, or one that was altered, is refused', async () => {
  const { headers } = await db.service('GET', 'books?order=pages&limit=3');
  const cursor = headers.get('x-next-cursor') ?? '';
  const forged = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const [signature] = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  for (const [order, sent] of [
    ['pages.desc', cursor],
    ['id', cursor],
    ['pages', cursor.slice(0, -4)],
    ['pages', forged([signature, 'text', 'b00'])],
    ['pages', forged([signature, 1, null])],
    ['pages', forged([signature, 1])],
    ['pages', forged([signature, 1, 'b00', 'b00'])],
    ['pages', forged({ 0: signature })],
  ]) {
    const { status, body } = await db.service('GET', `books?order=${order}&cursor=${sent}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code: 'INVALID_CURSOR' });
  }
});

test('limit and offset page through the list in a stable default order', async () => {
  const { body: whole } = await db.service('GET', 'books');
  const { body: middle } = await db.service('GET', 'books?limit=10&offset=20');
  expect(middle).toEqual(whole.slice(20, 30));
  expect((await db.service('GET', 'books?limit=0')).body).toEqual([]);
  expect((await db.service('GET', `books?offset=${COUNT}`)).body).toEqual([]);
});

describe('Content-Range', () => {
  test.each([
    ['limit=10', '0-9/57'],
    ['limit=10&offset=50', '50-56/57'],
    ['limit=100', '0-56/57'],
    ['limit=0', '*/57'],
    ['offset=1000', '*/57'],
    ['id=eq.nobody', '*/0'],
    ['shelf=eq.1&limit=5', '0-4/28'],
  ])('Content-Range of a list with %s is %s', async (query, range) => {
    const { headers, status } = await db.service('GET', `books?${query}`, exact);
    expect([status, headers.get('content-range')]).toEqual([200, range]);
  });

  test('Content-Range counts the rows that the caller may read, and has no total unless requested', async () => {
    expect((await db.anonymous('GET', 'books?limit=1', exact)).headers.get('content-range')).toBe('0-0/29');
    expect((await db.service('GET', 'books?limit=1')).headers.get('content-range')).toBe('0-0/*');
  });

  test('Content-Range counts the whole list on any page', async () => {
    const first = await db.service('GET', 'books?limit=50');
    const last = await db.service('GET', `books?cursor=${first.headers.get('x-next-cursor')}`, exact);
    expect(last.headers.get('content-range')).toBe('0-6/57');
  });
});

test('a response has 1,000 rows by default and 10,000 at most', async () => {
  const many = await openTestDatabase(library);
  for (let part = 0; part < 11; part += 1) {
    const body = Array.from({ length: 1_000 }, (_, index) => buildBook({ id: `b${part}-${index}` }));
    await many.service('POST', 'books', { body });
  }
  expect((await many.service('GET', 'books')).body).toHaveLength(1_000);
  expect((await many.service('GET', 'books?limit=5000')).body).toHaveLength(5_000);
  expect((await many.service('GET', 'books?limit=999999')).body).toHaveLength(10_000);
  const all = await many.service('DELETE', 'books?id=like.b*');
  expect([all.status, all.body.code]).toEqual([400, 'VALIDATION_FAILED']);
  await many.close();
});

test('a request for one object returns it, and is a 406 unless there is exactly one row', async () => {
  const headers = { accept: 'application/vnd.pgrst.object+json' };
  const one = await db.service('GET', 'books?id=eq.b01&select=id,shelf', { headers });
  expect(one.body).toEqual({ id: 'b01', shelf: expect.any(Number) });
  expect(one.headers.get('content-type')).toContain('application/vnd.pgrst.object+json');
  for (const query of ['id=eq.nobody', 'limit=2']) {
    const { status, body } = await db.service('GET', `books?${query}`, { headers });
    expect({ status, code: body.code }).toEqual({ status: 406, code: 'NOT_ACCEPTABLE' });
  }
});

test('columns come in the order of the selection, or of the definition by default', async () => {
  const names = async (query: string) =>
    Object.keys((await db.service('GET', `books?limit=1&${query}`)).body[0]).join();
  expect(await names('select=pages,id,pages')).toBe('pages,id');
  expect(await names('select=*')).toBe(await names(''));
  expect(await names('select=shelf&order=author')).toBe('shelf');
});

test('HEAD returns the count without the rows', async () => {
  const { status, headers, body } = await db.service('HEAD', 'books', exact);
  expect([status, headers.get('content-range'), body]).toEqual([200, '0-56/57', undefined]);
});

test('a method that tables do not support is a 405', async () => {
  const { status, body } = await db.service('PUT', 'books?id=eq.b01', { body: {} });
  expect([status, body.code]).toEqual([405, 'METHOD_NOT_ALLOWED']);
});

test('a write is visible in the next response, and does not change an earlier one', async () => {
  const list = () => db.service('GET', 'books?select=id,title&id=in.(b01,late)&order=id', exact);
  const before = await list();
  expect((await list()).body).toEqual(before.body);
  await db.service('POST', 'books', { body: buildBook({ id: 'late' }) });
  expect((await list()).headers.get('content-range')).toBe('0-1/2');
  await db.service('PATCH', 'books?id=eq.late', { body: { title: 'Later' } });
  expect((await list()).body[1]).toEqual({ id: 'late', title: 'Later' });
  await db.service('DELETE', 'books?id=eq.late');
  expect((await list()).body).toEqual(before.body);
});

test('a page of large rows ends early, and its cursors lead to all rows', async () => {
  const { books } = libraryTables;
  if (!books) throw new Error('The library has no books.');
  const author = { type: 'text', max: 400_000, nullable: true } as const;
  const large = await openTestDatabase({
    ...library,
    tables: { ...libraryTables, books: { ...books, columns: { ...books.columns, author } } },
  });
  const names = Array.from({ length: 60 }, (_, index) => `b${index}`);
  for (const id of names)
    await large.service('POST', 'books', { body: buildBook({ id, author: 'x'.repeat(300_000) }) });
  const read: string[] = [];
  let cursor: string | null = '';
  for (let pages = 0; cursor !== null && pages < 5; pages++) {
    const response = await large.service('GET', `books?limit=1000${cursor && `&cursor=${cursor}`}`, exact);
    expect(response.body.length).toBeLessThan(names.length);
    expect(response.headers.get('content-range')).toBe(`0-${response.body.length - 1}/60`);
    read.push(...response.body.map(({ id }: { id: string }) => id));
    cursor = response.headers.get('x-next-cursor');
  }
  expect(read).toEqual([...names].sort());
  await large.close();
});
