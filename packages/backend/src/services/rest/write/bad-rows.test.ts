import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildUser, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';

let db: TestDatabase;

const book = { id: 'x', user_id: 'ada', title: 'Heart' };

beforeAll(async () => {
  db = await openTestDatabase(library);
  await db.service('POST', 'books', { body: { ...book, id: 'there', created_at: 1, updated_at: 1 } });
});

afterAll(() => db.close());

const field = (name: string) => [expect.objectContaining({ field: name })];

test.each([
  ['an unknown column', { ...book, nothing: 1 }, 'UNKNOWN_COLUMN', field('nothing')],
  ['an inherited name', { ...book, constructor: 'x' }, 'UNKNOWN_COLUMN', field('constructor')],
  [
    'a prototype',
    `{"id":"x","user_id":"ada","title":"x","__proto__":{"shelf":1}}`,
    'UNKNOWN_COLUMN',
    field('__proto__'),
  ],
  ['SQL for a column', { ...book, 'title" = 1; --': 'x' }, 'UNKNOWN_COLUMN', undefined],
  ['a missing column', { id: 'x', user_id: 'ada' }, 'VALIDATION_FAILED', field('title')],
  ['a blank title', { ...book, title: '  \n ' }, 'VALIDATION_FAILED', field('title')],
  [
    'a title of signs that nobody sees',
    { ...book, title: '\u200b\u2800 \u3164\u00ad' },
    'VALIDATION_FAILED',
    field('title'),
  ],
  ['a title that is too long', { ...book, title: 'x'.repeat(21) }, 'VALIDATION_FAILED', field('title')],
  ['a number for text', { ...book, title: 1 }, 'VALIDATION_FAILED', field('title')],
  ['an object for text', { ...book, title: { $ne: 1 } }, 'VALIDATION_FAILED', field('title')],
  ['an array for text', { ...book, author: ['x'] }, 'VALIDATION_FAILED', field('author')],
  ['null for a title', { ...book, title: null }, 'VALIDATION_FAILED', field('title')],
  ['text for a number', { ...book, pages: '10' }, 'VALIDATION_FAILED', field('pages')],
  ['a fraction', { ...book, pages: 1.5 }, 'VALIDATION_FAILED', field('pages')],
  [
    'a number without end',
    `{"id":"x","user_id":"ada","title":"x","pages":1e999}`,
    'VALIDATION_FAILED',
    field('pages'),
  ],
  ['a number past 2^53', { ...book, pages: 2 ** 53 }, 'VALIDATION_FAILED', field('pages')],
  ['a boolean for text', { ...book, author: true }, 'VALIDATION_FAILED', field('author')],
  ['a number below the least', { ...book, pages: -1_001 }, 'VALIDATION_FAILED', field('pages')],
  ['NUL in text', { ...book, author: 'a\0b' }, 'VALIDATION_FAILED', field('author')],
  ['half a surrogate pair', { ...book, author: '\ud83d' }, 'VALIDATION_FAILED', field('author')],
  ['an id of a form that is not allowed', { ...book, id: '../x' }, 'VALIDATION_FAILED', field('id')],
  ['an empty id', { ...book, id: '' }, 'VALIDATION_FAILED', field('id')],
  ['one bad row of two', [book, { ...book, id: 'y', title: '' }], 'VALIDATION_FAILED', field('title')],
  ['a row that is text', ['x'], 'VALIDATION_FAILED', undefined],
  ['a row that is null', 'null', 'VALIDATION_FAILED', undefined],
  ['rows of rows', [[book]], 'VALIDATION_FAILED', undefined],
  ['1,001 rows', Array.from({ length: 1_001 }, () => ({})), 'VALIDATION_FAILED', undefined],
  ['half a body', '{"id":', 'INVALID_JSON', undefined],
  ['no body', '', 'VALIDATION_FAILED', undefined],
])('a row with a fault is a 400, and nothing is written: %s', async (_, body, code, details) => {
  const sent = body as unknown;
  const before = (await db.service('GET', 'books')).body;
  const created = await db.as(buildUser('ada'))('POST', 'books', { body: sent });
  expect(created).toMatchObject({ status: 400, body: { code, error: expect.stringMatching(/\.$/) } });
  if (details) expect(created.body.details).toEqual(details);
  expect((await db.service('GET', 'books')).body).toEqual(before);
  expect(db.events).toHaveLength(1);
});

test('the error names all faults of a row', async () => {
  const { body } = await db.service('POST', 'books', { body: { title: '', pages: 'x' } });
  expect(body.details.map((fault: { field: string }) => fault.field)).toEqual(['title', 'pages', 'user_id']);
});

test('the length of a text is counted in code points', async () => {
  const title = '🫀'.repeat(20);
  const response = await db.service('PATCH', 'books?id=eq.there', { body: { title } });
  expect(response.status).toBe(204);
  expect((await db.service('GET', 'books?id=eq.there')).body[0].title).toBe(title);
  expect((await db.service('PATCH', 'books?id=eq.there', { body: { title: `${title}x` } })).status).toBe(400);
});

test('a body over 4 MB is a 413, and one of another type than JSON is a 415', async () => {
  const large = await db.service('POST', 'books', { body: { ...book, author: 'x'.repeat(4_200_000) } });
  expect([large.status, large.body.code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  const headers = { 'content-type': 'text/csv' };
  const typed = await db.service('POST', 'books', { body: 'id\nx', headers });
  expect([typed.status, typed.body.code]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
});

test('a filter on a request with new rows is refused', async () => {
  const { status, body } = await db.service('POST', 'books?id=eq.x', { body: book });
  expect([status, body.code]).toEqual([400, 'INVALID_FILTER']);
});
