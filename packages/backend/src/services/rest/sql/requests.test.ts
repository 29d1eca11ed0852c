import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, buildUser, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import type { TestResponse } from '@fabrica/backend/testing/test-response.ts';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
});

afterAll(() => db.close());

const errorOf = ({ status, body }: TestResponse) => [status, body.code];

describe('callers', () => {
  const body = { query: 'SELECT 1', statements: [{ sql: 'SELECT 1' }] };

  test.each(['/sql', '/batch'])(
    'a caller without the secret key is refused at %s, whatever the body is',
    async (path) => {
      for (const sent of [body, '{', 'x'.repeat(5_000_000)]) {
        expect(errorOf(await db.anonymous('POST', path, { body: sent }))).toEqual([401, 'UNAUTHENTICATED']);
        const user = db.as(buildUser('ada', 'admin'));
        expect(errorOf(await user('POST', path, { body: sent }))).toEqual([403, 'FORBIDDEN']);
      }
    },
  );

  test.each(['GET', 'PUT', 'DELETE'])('the method %s is a 405 for statements', async (method) => {
    expect((await db.service(method, '/sql')).status).toBe(405);
    expect((await db.service(method, '/batch')).status).toBe(405);
  });
});

describe('bodies', () => {
  const many = (count: number) => Array.from({ length: count }, () => 1);
  const one = { sql: 'SELECT 1' };

  it.each<[string, string, unknown]>([
    ['without a statement', '/sql', {}],
    ['with a statement that is no text', '/sql', { query: 1 }],
    ['with parameters that are no list', '/sql', { query: 'SELECT ?', params: { a: 1 } }],
    ['with a parameter that is an object', '/sql', { query: 'SELECT ?', params: [{}] }],
    ['with a parameter that is a list', '/sql', { query: 'SELECT ?', params: [[1]] }],
    [
      'with too many parameters',
      '/sql',
      { query: `SELECT ${many(1_001).map(() => '?')}`, params: many(1_001) },
    ],
    ['with too long a statement', '/sql', { query: `SELECT '${'x'.repeat(100_000)}'` }],
    ['without statements', '/batch', {}],
    ['with no statement', '/batch', { statements: [] }],
    ['with statements that are text', '/batch', { statements: ['SELECT 1'] }],
    ['with too many statements', '/batch', { statements: many(501).map(() => one) }],
    ['with another mode', '/batch', { statements: [one], mode: 'deferred' }],
  ])('a body %s is refused', async (_, path, body) => {
    expect(errorOf(await db.service('POST', path, { body }))).toEqual([400, 'VALIDATION_FAILED']);
  });

  it('a body that is not JSON, or larger than 4 MB, is refused', async () => {
    expect((await db.service('POST', '/sql', { body: '{' })).body.code).toBe('INVALID_JSON');
    const large = { query: 'SELECT ?', params: ['x'.repeat(4 * 1024 * 1024)] };
    expect((await db.service('POST', '/sql', { body: large })).status).toBe(413);
  });

  it('a body may have 500 statements and 1,000 parameters', async () => {
    const statements = many(500).map(() => one);
    expect((await db.service('POST', '/batch', { body: { statements } })).body.results).toHaveLength(500);
    const names = Array.from({ length: 1_000 }, (_, at) => `book ${at}`);
    await db.service('POST', 'books', { body: buildBook({ id: 'b1', title: 'book 999' }) });
    const query = `SELECT id FROM books WHERE title IN (${names.map(() => '?')})`;
    const { body } = await db.service('POST', '/sql', { body: { query, params: names } });
    expect(body.rows).toEqual([{ id: 'b1' }]);
    for (const params of [null, undefined, []]) {
      expect(
        (await db.service('POST', '/sql', { body: { query: 'SELECT 1 AS one', params } })).body.rows,
      ).toEqual([{ one: 1 }]);
    }
  });
});
