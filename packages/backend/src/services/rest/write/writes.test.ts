import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let db: TestDatabase;
let ada: SendTestRequest;
let ben: SendTestRequest;

const representation = { prefer: 'return=representation' };

beforeEach(async () => {
  db = await openTestDatabase(library);
  ada = db.as(buildUser('ada'));
  ben = db.as(buildUser('ben'));
});

afterEach(() => db.close());

const book = { user_id: 'ada', title: 'Heart' };

async function stored(query = ''): Promise<Record<string, unknown>[]> {
  return (await db.service('GET', `books?order=id&${query}`)).body;
}

describe('creates', () => {
  test('a new row gets an id, stamps and defaults, and its texts are trimmed', async () => {
    const before = Date.now();
    const { status, body } = await ada('POST', 'books', {
      body: { ...book, title: '  Heart ', created_at: 5, updated_at: 'never' },
      headers: representation,
    });
    expect(status).toBe(201);
    expect(body).toEqual([
      {
        id: expect.stringMatching(/^book_\d{13}_[0-9a-f]{16}$/),
        user_id: 'ada',
        title: 'Heart',
        author: null,
        pages: null,
        shelf: 0,
        created_at: expect.any(Number),
        updated_at: expect.any(Number),
      },
    ]);
    expect(body[0].created_at).toBeGreaterThanOrEqual(before);
    expect(await stored()).toEqual(body);
  });

  test('a new row is returned only if requested, with the selected columns', async () => {
    const plain = await ada('POST', 'books', { body: book });
    expect([plain.status, plain.body]).toEqual([201, undefined]);
    const headers = { prefer: 'return=minimal' };
    expect((await ada('POST', 'books', { body: book, headers })).body).toBeUndefined();
    const { body } = await ada('POST', 'books?select=title', { body: book, headers: representation });
    expect(body).toEqual([{ title: 'Heart' }]);
  });

  test('of creates that are sent at once, each fails by itself and publishes what it has written', async () => {
    const good = Array.from({ length: 20 }, (_, at) => `good-${String(at).padStart(2, '0')}`);
    await db.service('POST', 'books', { body: { ...book, id: 'taken' } });
    db.events.length = 0;
    const responses = await Promise.all(
      good.flatMap((id) => [
        ada('POST', 'books', { body: { ...book, id } }),
        ada('POST', 'books', { body: { ...book, id: 'taken' } }),
        ben('POST', 'books', { body: book }),
        ada('POST', 'loans', { body: { book_id: `no-${id}`, user_id: 'ada' } }),
      ]),
    );
    expect(responses.map(({ status }) => status)).toEqual(good.flatMap(() => [201, 409, 403, 400]));
    expect(db.events.map(({ id }) => id).sort()).toEqual(good);
    expect((await stored()).map(({ id }) => id)).toEqual([...good, 'taken']);
  });

  test('several new rows are created all together or not at all', async () => {
    const good = await ada('POST', 'books', {
      body: [book, { ...book, title: 'Lung' }],
      headers: representation,
    });
    expect(good.body.map(({ title }: { title: string }) => title)).toEqual(['Heart', 'Lung']);
    db.events.length = 0;
    const twice = [
      { ...book, id: 'x' },
      { ...book, id: 'x' },
    ];
    const bad = await ada('POST', 'books', { body: twice });
    expect([bad.status, bad.body.code]).toEqual([409, 'CONFLICT']);
    expect(bad.body.error).not.toMatch(/unique|constraint|books\.id/i);
    const foreign = await ada('POST', 'books', { body: [book, { ...book, user_id: 'ben' }] });
    expect([foreign.status, foreign.body.code]).toEqual([403, 'FORBIDDEN']);
    expect(await stored()).toHaveLength(2);
    expect(db.events).toEqual([]);
    expect((await ada('POST', 'books', { body: [] })).status).toBe(201);
  });

  test('one object is returned for a new row if requested', async () => {
    const headers = { ...representation, accept: 'application/vnd.pgrst.object+json' };
    expect((await ada('POST', 'books', { body: book, headers })).body.title).toBe('Heart');
    expect((await ada('POST', 'books', { body: [book, book], headers })).status).toBe(406);
    expect(await stored()).toHaveLength(1);
  });

  test('booleans are stored as 1 and 0', async () => {
    const { body } = await ada('POST', 'books', { body: { ...book, pages: true }, headers: representation });
    expect(body[0].pages).toBe(1);
    await ada('PATCH', `books?id=eq.${body[0].id}`, { body: { pages: false } });
    expect(await stored()).toMatchObject([{ pages: 0 }]);
  });

  test('the parameter columns limits the columns that are taken from new rows', async () => {
    const body = [
      { ...book, id: 'x', pages: 3, colour: 'red' },
      { ...book, id: 'y' },
    ];
    const columns = 'columns="id",user_id,title,pages';
    expect((await ada('POST', `books?${columns}`, { body })).status).toBe(201);
    expect(await stored('select=id,pages')).toEqual([
      { id: 'x', pages: 3 },
      { id: 'y', pages: null },
    ]);
    for (const bad of ['columns=colour', 'columns=', 'columns=id,', 'columns=id&columns=title']) {
      expect((await ada('POST', `books?${bad}`, { body })).status).toBe(400);
    }
  });

  test('new rows are returned in the requested order, with nulls where PostgreSQL puts them', async () => {
    const body = [2, null, 1].map((pages) => ({ ...book, id: `p${pages}`, pages }));
    const path = 'books?select=id&order=pages.desc.nullslast';
    const { body: rows } = await ada('POST', path, { body, headers: representation });
    expect(rows.map(({ id }: { id: string }) => id)).toEqual(['p2', 'p1', 'pnull']);
  });

  test('the service role may set stamps and create rows of others', async () => {
    await db.service('POST', 'books', { body: { ...book, user_id: 'ben', created_at: 5, updated_at: 6 } });
    expect(await stored()).toMatchObject([{ user_id: 'ben', created_at: 5, updated_at: 6 }]);
    const { status, body } = await db.service('PATCH', `books?id=eq.${(await stored())[0]?.id}`, {
      body: { updated_at: Number.MAX_SAFE_INTEGER },
    });
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'updated_at', message: 'must be a time in milliseconds' }],
    ]);
  });

  test('a new row that refers to a missing row is a 400', async () => {
    const { status, body } = await ada('POST', 'loans', { body: { book_id: 'nothing', user_id: 'ada' } });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect(body.error).not.toMatch(/foreign|constraint/i);
  });

  test('a new row that exists already as the only one per user is returned as it is', async () => {
    await ada('POST', 'books', { body: { ...book, id: 'x' } });
    const loan = { book_id: 'x', user_id: 'ada' };
    const first = await ada('POST', 'loans', { body: loan, headers: representation });
    const second = await ada('POST', 'loans', { body: { ...loan, id: 'other' }, headers: representation });
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body).toEqual(first.body);
    const viaUpsert = await ada('POST', 'loans?on_conflict=id', {
      body: { ...loan, id: 'z' },
      headers: representation,
    });
    expect([viaUpsert.status, viaUpsert.body]).toEqual([200, first.body]);
    const forged = await ben('POST', 'loans', { body: loan, headers: representation });
    expect([forged.status, forged.body.code]).toEqual([403, 'FORBIDDEN']);
    expect((await db.service('GET', 'loans')).body).toHaveLength(1);
    expect(db.events.map(({ table, operation }) => `${operation} ${table}`)).toEqual([
      'create books',
      'create loans',
    ]);
  });

  test('a policy on the caller’s name is checked', async () => {
    await ada('POST', 'books', { body: { ...book, id: 'x' } });
    const loan = { book_id: 'x', user_id: 'ada' };
    expect((await ada('POST', 'loans', { body: { ...loan, user_name: 'Ben' } })).status).toBe(403);
    expect((await ada('POST', 'loans', { body: { ...loan, user_name: 'ada@example.org' } })).status).toBe(
      403,
    );
    expect((await ada('POST', 'loans', { body: { ...loan, user_name: 'Anonymous' } })).status).toBe(201);
  });
});

describe('upserts', () => {
  beforeEach(async () => {
    await ada('POST', 'books', { body: { ...book, id: 'x', pages: 10 } });
    db.events.length = 0;
  });

  test('an upsert updates the existing row and inserts the missing one', async () => {
    const body = [
      { id: 'x', title: 'Heart II' },
      { ...book, id: 'y' },
    ];
    const { status, body: rows } = await ada('POST', 'books?on_conflict=id', {
      body,
      headers: representation,
    });
    expect(status).toBe(201);
    expect(rows).toMatchObject([
      { id: 'x', title: 'Heart II', pages: 10 },
      { id: 'y', title: 'Heart' },
    ]);
    expect(db.events).toMatchObject([
      { operation: 'update', id: 'x', changed: expect.arrayContaining(['title']) },
      { operation: 'create', id: 'y' },
    ]);
  });

  test('an upsert is a 200 when no row is new, and writes nothing when no value differs', async () => {
    const { status } = await ada('POST', 'books?on_conflict=id', { body: { ...book, id: 'x' } });
    expect([status, db.events]).toEqual([200, []]);
  });

  test('an upsert accepts camelCase columns, and preferences separated by spaces', async () => {
    const { body } = await ada('POST', 'books?on_conflict=id', {
      body: { userId: 'ada', id: 'x', title: 'Camel' },
      headers: { prefer: 'return=representation resolution=merge-duplicates' },
    });
    expect(body).toMatchObject([{ id: 'x', title: 'Camel' }]);
  });

  test('an upsert that ignores duplicates returns the new rows alone', async () => {
    const headers = { prefer: 'return=representation,resolution=ignore-duplicates' };
    const body = [
      { ...book, id: 'x', title: 'Other' },
      { ...book, id: 'y' },
    ];
    const response = await ben('POST', 'books', { body: { ...book, id: 'x' }, headers });
    expect([response.status, response.body]).toEqual([200, []]);
    expect((await ada('POST', 'books?on_conflict=id', { body, headers })).body).toMatchObject([{ id: 'y' }]);
    expect(await stored('id=eq.x')).toMatchObject([{ title: 'Heart' }]);
  });

  test('concurrent upserts of the same row create one row and all succeed', async () => {
    const at = async (path: string, body: object) => {
      const responses = Array.from({ length: 20 }, () => ada('POST', path, { body }));
      return (await Promise.all(responses)).map(({ status }) => status).sort();
    };
    const once = [...Array.from({ length: 19 }, () => 200), 201];
    expect(await at('books?on_conflict=id', { ...book, id: 'new' })).toEqual(once);
    expect(await at('loans', { book_id: 'x', user_id: 'ada' })).toEqual(once);
    expect(await stored('id=eq.new')).toHaveLength(1);
  });

  test('an upsert cannot update rows of others, or columns that the policy excludes', async () => {
    const stolen = await ben('POST', 'books?on_conflict=id', {
      body: { id: 'x', user_id: 'ben', title: 'Mine' },
    });
    const given = await ada('POST', 'books?on_conflict=id', { body: { id: 'x', user_id: 'ben' } });
    expect(given.status).toBe(403);
    const moved = await ada('POST', 'books?on_conflict=id', { body: { ...book, id: 'x', shelf: 3 } });
    expect([stolen.status, moved.status]).toEqual([403, 403]);
    expect(await stored()).toMatchObject([{ user_id: 'ada', title: 'Heart', shelf: 0 }]);
    expect(db.events).toEqual([]);
  });

  test('on_conflict must name unique columns', async () => {
    const { status, body } = await ada('POST', 'books?on_conflict=title', { body: book });
    expect([status, body.code]).toEqual([400, 'VALIDATION_FAILED']);
    expect((await ada('POST', 'books?on_conflict=nothing', { body: book })).body.code).toBe('UNKNOWN_COLUMN');
    const loan = { book_id: 'x', user_id: 'ada' };
    await ada('POST', 'loans', { body: loan });
    expect((await ada('POST', 'loans?on_conflict=user_id,book_id', { body: loan })).status).toBe(403);
  });
});

describe('updates', () => {
  beforeEach(async () => {
    await db.service('POST', 'books', {
      body: [
        { ...book, id: 'x', updated_at: 1 },
        { ...book, id: 'y' },
        { ...book, id: 'z', user_id: 'ben' },
      ],
    });
    db.events.length = 0;
  });

  test('an update writes the columns, stamps the row and publishes what differs', async () => {
    const { status, body } = await ada('PATCH', 'books?id=eq.x', {
      body: { title: 'New ', pages: 3, author: null },
      headers: representation,
    });
    expect([status, body.length]).toEqual([200, 1]);
    expect(body[0]).toMatchObject({ title: 'New', pages: 3 });
    expect(body[0].updated_at).toBeGreaterThan(1);
    expect(await stored('id=eq.x')).toEqual(body);
    expect(db.events).toEqual([
      {
        projectId: 'library',
        table: 'books',
        operation: 'update',
        id: 'x',
        changed: ['title', 'pages', 'updated_at'],
        before: expect.objectContaining({ title: 'Heart', pages: null, updated_at: 1 }),
        after: body[0],
      },
    ]);
  });

  test('an update is a 204 without a body unless the rows are requested', async () => {
    const { status, body } = await ada('PATCH', 'books?id=eq.x', { body: { pages: 1 } });
    expect([status, body]).toEqual([204, undefined]);
    const none = await ada('PATCH', 'books?id=eq.nobody', { body: { pages: 1 }, headers: representation });
    expect([none.status, none.body]).toEqual([200, []]);
  });

  test('an update changes the caller’s own rows, and is a 403 when all rows belong to others', async () => {
    const some = await ada('PATCH', 'books?shelf=eq.0', { body: { pages: 1 }, headers: representation });
    expect(some.body.map(({ id }: { id: string }) => id)).toEqual(['x', 'y']);
    const { status, body } = await ada('PATCH', 'books?id=eq.z', { body: { pages: 1 } });
    expect([status, body.code]).toEqual([403, 'FORBIDDEN']);
    expect(await stored('id=eq.z')).toMatchObject([{ pages: null }]);
  });

  test('an update of columns that the policy excludes, or that gives a row away, is refused', async () => {
    for (const change of [
      { shelf: 1 },
      { id: 'q' },
      { created_at: 5 },
      { title: 'x', shelf: 0 },
      { user_id: 'ben' },
    ]) {
      const { status, body } = await ada('PATCH', 'books?id=eq.x', { body: change });
      expect([status, body.code], JSON.stringify(change)).toEqual([403, 'FORBIDDEN']);
    }
    expect(await stored('id=eq.x')).toMatchObject([{ user_id: 'ada', title: 'Heart', shelf: 0 }]);
    expect(db.events).toEqual([]);
  });

  test('an update follows the order and the limit of the request', async () => {
    await ada('PATCH', 'books?user_id=eq.ada&order=id.desc&limit=1', { body: { pages: 9 } });
    expect((await stored()).map(({ pages }) => pages)).toEqual([null, 9, null]);
  });

  test('an update needs a filter and at least one column', async () => {
    for (const path of ['books', 'books?select=id', 'books?order=id&limit=1']) {
      expect((await ada('PATCH', path, { body: { pages: 1 } })).body.code).toBe('FILTER_REQUIRED');
      expect((await ada('DELETE', path)).body.code).toBe('FILTER_REQUIRED');
    }
    expect((await ada('PATCH', 'books?id=eq.x', { body: {} })).status).toBe(400);
    expect((await ada('PATCH', 'books?id=eq.x', { body: [{ pages: 1 }] })).status).toBe(400);
  });

  test('an update of several rows writes nothing when one object was requested', async () => {
    const headers = { ...representation, accept: 'application/vnd.pgrst.object+json' };
    const path = 'books?user_id=eq.ada';
    expect((await ada('PATCH', path, { body: { pages: 1 }, headers })).status).toBe(406);
    expect((await ada('DELETE', path, { headers })).status).toBe(406);
    expect(await stored('pages=is.null')).toHaveLength(3);
  });
});

describe('deletes', () => {
  beforeEach(async () => {
    await db.service('POST', 'books', {
      body: [
        { ...book, id: 'x' },
        { ...book, id: 'z', user_id: 'ben' },
      ],
    });
    await db.service('POST', 'loans', {
      body: [
        { id: 'l1', book_id: 'x', user_id: 'ada' },
        { id: 'l2', book_id: 'x', user_id: 'ben' },
      ],
    });
    await db.service('POST', 'notes', { body: [{ id: 'n1', loan_id: 'l2' }] });
    db.events.length = 0;
  });

  test('a delete removes dependent rows too and publishes all of them', async () => {
    const { status, body } = await ada('DELETE', 'books?id=eq.x', { headers: representation });
    expect([status, body.length]).toEqual([200, 1]);
    for (const table of ['loans', 'notes']) expect((await db.service('GET', table)).body).toEqual([]);
    expect(db.events.map(({ operation, table, id }) => `${operation} ${table} ${id}`)).toEqual([
      'delete books x',
      'delete loans l1',
      'delete loans l2',
      'delete notes n1',
    ]);
    expect(db.events[0]).toMatchObject({ before: { title: 'Heart' }, after: null, projectId: 'library' });
  });

  test('a delete is a 204 without a body, even when no row matches', async () => {
    expect(await ada('DELETE', 'loans?id=eq.l1')).toMatchObject({ status: 204, body: undefined });
    expect(await ada('DELETE', 'loans?id=eq.l1')).toMatchObject({ status: 204, body: undefined });
  });

  test('a delete of rows of others is a 403 unless the policy allows it through a row of the caller’s own', async () => {
    expect((await ada('DELETE', 'books?id=eq.z')).status).toBe(403);
    expect((await ada('DELETE', 'loans?id=eq.l2')).status).toBe(204);
    expect((await ben('DELETE', 'loans?id=eq.l1')).status).toBe(403);
    expect(await stored()).toHaveLength(2);
    expect((await db.service('GET', 'loans')).body).toMatchObject([{ id: 'l1' }]);
  });
});
