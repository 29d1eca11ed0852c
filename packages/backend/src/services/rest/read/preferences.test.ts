import {
  openTestDatabase,
  type SendTestRequest,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

let db: TestDatabase;
let ada: SendTestRequest;

const book = { user_id: 'ada', title: 'Heart' };

beforeEach(async () => {
  db = await openTestDatabase(library);
  ada = db.as(buildUser('ada'));
});

afterEach(() => db.close());

async function stored(query = ''): Promise<Record<string, unknown>[]> {
  return (await db.service('GET', `books?order=id&${query}`)).body;
}

describe('preferences', () => {
  beforeEach(async () => {
    const rows = ['x', 'y', 'z'].map((id) => ({ ...book, id }));
    await db.service('POST', 'books', { body: rows });
    db.events.length = 0;
  });

  const prefer = (text: string) => ({ headers: { prefer: text } });

  test('Preference-Applied names the preferences that were applied and no others', async () => {
    const applied = async (text: string) =>
      (await ada('GET', 'books', prefer(text))).headers.get('preference-applied');
    expect(await applied('count=exact')).toBe('count=exact');
    expect(await applied('count=planned')).toBe('count=exact');
    expect(await applied('wait=10, count=estimated, timezone=UTC')).toBe('count=exact');
    expect(await applied('max-affected=3')).toBeNull();
    expect(await applied('respond-async')).toBeNull();
    expect((await ada('GET', 'books')).headers.get('preference-applied')).toBeNull();
  });

  test('an unknown preference with strict handling is a 400, and nothing is written', async () => {
    const { status, body } = await ada('DELETE', 'books?id=eq.x', prefer('handling=strict, colour=red'));
    expect([status, body.details]).toEqual([
      400,
      [{ field: 'colour=red', message: 'is no preference of this service' }],
    ]);
    expect((await ada('DELETE', 'books?id=eq.x', prefer('handling=strict, max-affected=few'))).status).toBe(
      400,
    );
    expect(db.events).toEqual([]);
  });

  test('max-affected limits the rows of a write, as in PostgREST', async () => {
    const two = 'handling=strict, max-affected=2';
    const path = 'books?shelf=eq.0';
    for (const method of ['PATCH', 'DELETE']) {
      const body = method === 'PATCH' ? { body: { pages: 1 } } : {};
      const response = await ada(method, path, { ...body, ...prefer(two) });
      expect([response.status, response.body.code]).toEqual([400, 'VALIDATION_FAILED']);
    }
    expect(db.events).toEqual([]);
    expect((await ada('PATCH', `${path}&limit=2`, { body: { pages: 1 }, ...prefer(two) })).status).toBe(204);
    expect((await ada('DELETE', path, prefer('max-affected=2'))).status).toBe(204);
    expect(await stored()).toEqual([]);
  });

  test('count=exact counts the rows that were written', async () => {
    const range = async (method: string, path: string, body?: unknown) =>
      (await ada(method, path, { body, ...prefer('count=exact') })).headers.get('content-range');
    expect(await range('POST', 'books', [book, book])).toBe('*/2');
    expect(await range('PATCH', 'books?shelf=eq.0', { pages: 1 })).toBe('0-4/5');
    expect(await range('PATCH', 'books?id=eq.nobody', { pages: 1 })).toBe('*/0');
    expect(await range('DELETE', 'books?shelf=eq.0')).toBe('*/5');
    expect(await range('DELETE', 'books?shelf=eq.0')).toBe('*/0');
  });

  test('an unknown media type is a 406, and nothing is written', async () => {
    for (const headers of [
      { accept: 'application/xml' },
      { accept: 'application/vnd.pgrst.object+json;nulls=stripped' },
      { accept: 'application/json;q=0' },
      { 'content-profile': 'private' },
    ]) {
      const { status, body } = await ada('DELETE', 'books?id=eq.x', { headers });
      expect([status, body.code], JSON.stringify(headers)).toEqual([406, 'NOT_ACCEPTABLE']);
    }
    expect(db.events).toEqual([]);
    for (const accept of ['text/html,*/*;q=0.8', 'application/xml, application/json', 'application/*', '']) {
      expect((await ada('GET', 'books', { headers: { accept } })).status).toBe(200);
    }
  });
});
