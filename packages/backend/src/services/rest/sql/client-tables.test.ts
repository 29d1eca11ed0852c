import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

/** Tables that SQL with the secret key has created, over REST with that key. */
let db: TestDatabase;

const sql = (query: string) => db.service('POST', '/sql', { body: { query } });
const returned = { prefer: 'return=representation' };

beforeAll(async () => {
  db = await openTestDatabase(library);
});

afterAll(() => db.close());

beforeEach(async () => {
  await sql('DROP TABLE IF EXISTS "Marks"');
  const made = await sql(
    `CREATE TABLE "Marks" (id TEXT PRIMARY KEY, body TEXT NOT NULL, stars BIGINT NOT NULL DEFAULT 3, weight REAL)`,
  );
  expect(made.status).toBe(200);
});

const rows = [
  { id: 'a', body: 'Crown', stars: 1, weight: 0.5 },
  { id: 'b', body: 'heart, (left)', stars: 2, weight: null },
  { id: 'c', body: 'Élan', stars: 2, weight: 2 },
];

const fill = () => db.service('POST', 'Marks', { body: rows });
const bodies = async (query: string) =>
  (await db.service('GET', `Marks?${query}`)).body.map(({ id }: { id: string }) => id).join('');

describe('a table that SQL has created', () => {
  it('is written and read with the secret key, and the engine fills in defaults and the server ids', async () => {
    const { status, body } = await db.service('POST', 'Marks', { body: { body: 'One' }, headers: returned });
    expect(status).toBe(201);
    expect(body).toEqual([
      { id: expect.stringMatching(/^\d+_[0-9a-f]+$/), body: 'One', stars: 3, weight: null },
    ]);
    expect((await fill()).status).toBe(201);
    expect((await db.service('GET', 'Marks?id=in.(a,b,c)')).body).toEqual(rows);
    expect(await sql('SELECT count(*) AS n FROM "Marks"')).toMatchObject({ body: { rows: [{ n: 4 }] } });
  });

  it('is filtered, ordered, counted and paged like any other', async () => {
    await fill();
    expect(await bodies('body=ilike.*é*')).toBe('c');
    expect(await bodies('body=eq.heart, (left)')).toBe('b');
    expect(await bodies('weight=gt.0.4&order=stars.desc')).toBe('ca');
    expect(await bodies('or=(stars.eq.1,weight.is.null)')).toBe('ab');
    const first = await db.service('GET', 'Marks?order=stars.desc&limit=2', {
      headers: { prefer: 'count=exact' },
    });
    expect(first.headers.get('content-range')).toBe('0-1/3');
    expect(await bodies(`order=stars.desc&limit=2&cursor=${first.headers.get('x-next-cursor')}`)).toBe('a');
    expect(await db.service('GET', 'Marks?nothing=eq.1')).toMatchObject({
      status: 400,
      body: { code: 'UNKNOWN_COLUMN' },
    });
  });

  it('may have several rows of one id, which are all returned', async () => {
    await sql('CREATE TABLE IF NOT EXISTS loose (id TEXT, body TEXT)');
    await sql('DELETE FROM loose');
    const texts = Array.from({ length: 30 }, (_, at) => `Text ${10 + at}`);
    const values = texts.map((body) => `('a', '${body}')`).join(', ');
    await sql(`INSERT INTO loose VALUES ${values}, ('b', 'Other')`);
    for (const filter of ['id=eq.a', 'id=in.(a,c)']) {
      const { body, headers } = await db.service('GET', `loose?${filter}&select=body`, {
        headers: { prefer: 'count=exact' },
      });
      expect(body.map((row: { body: string }) => row.body).sort()).toEqual(texts);
      expect(headers.get('content-range')).toBe('0-29/30');
    }
    const first = await db.service('GET', 'loose?id=eq.a&select=body&limit=1');
    expect(first.body).toHaveLength(1);
    expect(first.headers.get('x-next-cursor')).not.toBeNull();
  });

  it('is updated, upserted and deleted by filters, all or nothing', async () => {
    await fill();
    const updated = await db.service('PATCH', 'Marks?stars=eq.2&body=like.h*', {
      body: { stars: 5, weight: 1.5 },
      headers: returned,
    });
    expect(updated).toMatchObject({ status: 200, body: [{ id: 'b', stars: 5, weight: 1.5 }] });
    const merged = await db.service('POST', 'Marks?on_conflict=id', {
      body: [
        { id: 'a', body: 'Crown again' },
        { id: 'd', body: 'New' },
      ],
      headers: returned,
    });
    expect(merged.body).toMatchObject([
      { id: 'a', body: 'Crown again', stars: 1 },
      { id: 'd', stars: 3 },
    ]);
    const single = { ...returned, accept: 'application/vnd.pgrst.object+json' };
    const several = await db.service('PATCH', 'Marks?id=in.(a,b)', { body: { stars: 9 }, headers: single });
    expect(several.status).toBe(406);
    expect(await bodies('stars=eq.9')).toBe('');
    const one = await db.service('DELETE', 'Marks?id=eq.d', { headers: single });
    expect(one).toMatchObject({ status: 200, body: { id: 'd' } });
    const twice = await db.service('POST', 'Marks', {
      body: [
        { id: 'e', body: 'x' },
        { id: 'a', body: 'x' },
      ],
    });
    expect(twice.status).toBe(409);
    expect(await bodies('')).toBe('abc');
    expect((await db.service('DELETE', 'Marks')).body.code).toBe('FILTER_REQUIRED');
    expect((await db.service('DELETE', 'Marks?stars=gt.0&limit=1')).body.code).toBe('VALIDATION_FAILED');
    expect((await db.service('DELETE', 'Marks?stars=gt.0')).status).toBe(204);
    expect(await bodies('')).toBe('');
  });

  it('is as it was altered in the next request, and unknown once it is dropped', async () => {
    await fill();
    const read = () => db.service('GET', 'Marks?id=eq.a&select=*');
    expect((await read()).body).toEqual([rows[0]]);
    expect((await read()).body).toEqual([rows[0]]);
    await sql(`ALTER TABLE "Marks" ADD COLUMN place TEXT DEFAULT 'north'`);
    expect((await read()).body).toEqual([{ ...rows[0], place: 'north' }]);
    await sql('DROP TABLE "Marks"');
    expect(await read()).toMatchObject({ status: 404, body: { code: 'UNKNOWN_TABLE' } });
    await sql('CREATE TABLE "Marks" (name TEXT)');
    expect((await read()).body.code).toBe('UNKNOWN_COLUMN');
  });

  it('is closed to everybody without the secret key, and tables of the services to everybody', async () => {
    await fill();
    const requests = async (send: SendTestRequest, table: string) => {
      const filtered = `${table}?id=eq.a`;
      const all = [
        await send('GET', filtered),
        await send('POST', table, { body: { id: 'z', body: 'x' } }),
        await send('PATCH', filtered, { body: { body: 'x' } }),
        await send('DELETE', filtered),
      ];
      return all.map(({ status, body }) => `${status} ${body.code}`);
    };
    const unknown = Array.from({ length: 4 }, () => '404 UNKNOWN_TABLE');
    for (const send of [db.anonymous, db.as(buildUser('ada'))]) {
      expect(await requests(send, 'Marks')).toEqual(unknown);
    }
    for (const table of ['kysely_migration', 'fabrica_client_tables', 'sqlite_schema', 'pg_class', 'marks']) {
      expect(await requests(db.service, table)).toEqual(unknown);
    }
    expect(await bodies('')).toBe('abc');
  });
});
