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
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let db: TestDatabase;
let ada: SendTestRequest;

const representation = { prefer: 'return=representation' };
const book = { user_id: 'ada', title: 'Heart' };

async function stored(query = ''): Promise<Record<string, unknown>[]> {
  return (await db.service('GET', `books?order=id&${query}`)).body;
}

describe('many rows', () => {
  const many = Array.from({ length: 120 }, (_, index) => ({
    ...book,
    id: `b${String(index).padStart(3, '0')}`,
  }));
  const ids = many.map(({ id }) => id);

  beforeEach(async () => {
    db = await openTestDatabase(library);
    ada = db.as(buildUser('ada'));
    await db.service('POST', 'books', { body: many });
    db.events.length = 0;
  });

  afterEach(() => db.close());

  test('many rows are updated and published in the order of the query', async () => {
    const path = 'books?select=id&id=like.b*&order=id.desc';
    const { body } = await ada('PATCH', path, { body: { pages: 7 }, headers: representation });
    expect(body.map(({ id }: { id: string }) => id)).toEqual(ids.toReversed());
    expect(db.events.map(({ id }) => id)).toEqual(ids.toReversed());
    expect(db.events[0]).toMatchObject({
      changed: expect.arrayContaining(['pages']),
      before: { pages: null, title: 'Heart' },
      after: { pages: 7, title: 'Heart' },
    });
    expect(await stored('pages=eq.7')).toHaveLength(many.length);
  });

  test('many rows are deleted from an offset on, and published with their dependents', async () => {
    const lent = ids.map((id) => ({ id: `of-${id}`, book_id: id, user_id: 'ada' }));
    await db.service('POST', 'loans', { body: lent });
    db.events.length = 0;
    expect((await ada('DELETE', 'books?id=like.b*&order=id&offset=20&limit=60')).status).toBe(204);
    const gone = ids.slice(20, 80);
    expect(db.events.map(({ table, id }) => `${table} ${id}`)).toEqual([
      ...gone.map((id) => `books ${id}`),
      ...gone.map((id) => `loans of-${id}`),
    ]);
    expect(await stored('select=id')).toEqual([...ids.slice(0, 20), ...ids.slice(80)].map((id) => ({ id })));
    expect((await db.service('GET', 'loans')).body).toHaveLength(60);
  });

  test('many rows are updated all together or not at all', async () => {
    const taken = await db.service('PATCH', 'books?id=like.b*', { body: { id: 'one' } });
    expect([taken.status, taken.body.code]).toEqual([409, 'CONFLICT']);
    const given = await ada('PATCH', 'books?user_id=eq.ada', { body: { user_id: 'ben' } });
    expect([given.status, given.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(db.events).toEqual([]);
    expect(await stored('user_id=eq.ada')).toHaveLength(many.length);
  });
});

test('rows that are too long together are not written by one request, but some at a time', async () => {
  const { books } = libraryTables;
  if (!books) throw new Error('The library has no books.');
  const author = { type: 'text', max: 4_000_000, nullable: true } as const;
  const large = await openTestDatabase({
    ...library,
    tables: { ...libraryTables, books: { ...books, columns: { ...books.columns, author } } },
  });
  for (const id of ['a', 'b', 'c', 'd', 'e']) {
    const row = buildBook({ id, author: id.repeat(3_900_000) });
    expect((await large.service('POST', 'books', { body: row })).status).toBe(201);
  }
  large.events.length = 0;
  for (const method of ['PATCH', 'DELETE']) {
    const body = method === 'PATCH' ? { body: { pages: 1 } } : {};
    const refused = await large.service(method, 'books?shelf=eq.0', body);
    expect([refused.status, refused.body.error]).toEqual([
      400,
      'These rows are too long to be changed by one request: narrow the filter, or set a limit.',
    ]);
    expect(large.events).toEqual([]);
  }
  expect((await large.service('PATCH', 'books?shelf=eq.0&limit=3', { body: { pages: 1 } })).status).toBe(204);
  expect((await large.service('DELETE', 'books?pages=eq.1')).status).toBe(204);
  expect((await large.service('GET', 'books?select=id')).body).toEqual([{ id: 'd' }, { id: 'e' }]);
  expect(large.events.map(({ operation, id }) => `${operation} ${id}`)).toEqual(
    ['update', 'delete'].flatMap((operation) => ['a', 'b', 'c'].map((id) => `${operation} ${id}`)),
  );
  await large.close();
});
