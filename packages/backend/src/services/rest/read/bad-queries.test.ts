import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** `QUERIES=10000 npx vitest run packages/backend/src/services/rest/read/bad-queries.test.ts` is the long run. */
const QUERIES = Number(process.env.QUERIES ?? 1_000);
/** Milliseconds of CPU time of this thread, which the load of the machine does not affect. */
const LONGEST_MS = 50;
const QUERY_ERRORS = /^(?:INVALID_FILTER|INVALID_CURSOR|UNKNOWN_COLUMN|VALIDATION_FAILED|FILTER_REQUIRED)$/;

let db: TestDatabase;

const rows = ['a', 'b', 'c'].map((id, index) => buildBook({ id, title: `Book ${id}`, pages: index }));

beforeAll(async () => {
  db = await openTestDatabase(library);
  await db.service('POST', 'books', { body: rows });
});

afterAll(() => db.close());

const words = (...texts: string[]) => fc.constantFrom(...texts);
const repeated = (text: string, times: number) => Array.from({ length: times }, () => text);

/** Valid parts of a query. */
const validPart = words(
  'pages=gte.0',
  'title=neq.x',
  'author=is.null',
  'id=in.(a,b,"c,d")',
  'title=ilike.*b*',
  'or=(pages.eq.1,not.and(title.like.B*,pages.lt.9))',
  'select=id,title',
  'order=pages.desc.nullslast,id',
  'limit=2',
  'offset=1',
);

/**
 * Measures the CPU time that a response takes. A slow request is sent again: one response may include the garbage
 * collection or compilation that earlier ones have caused, but not each time.
 */
async function timed<T>(send: () => Promise<T>, tries = 5): Promise<{ response: T; ms: number }> {
  const before = process.threadCpuUsage();
  const response = await send();
  const { user, system } = process.threadCpuUsage(before);
  const ms = (user + system) / 1_000;
  if (ms < LONGEST_MS || tries === 1) return { response, ms };
  return timed(send, tries - 1);
}

test('a valid query that is altered in any way is served or refused, and never fails', async () => {
  const character = fc.oneof(
    words('(', ')', ',', '.', '"', '\\', '*', '%25', '%00', '&', '=', '%'),
    fc.string({ maxLength: 1 }),
  );
  const damage = fc.record({
    at: fc.nat(200),
    remove: fc.nat(3),
    insert: character.map((text) => text.replace('#', '')),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(validPart, { minLength: 1, maxLength: 3 }),
      fc.array(damage, { maxLength: 3 }),
      async (parts, all) => {
        let text = parts.join('&');
        for (const { at, remove, insert } of all) {
          const place = at % (text.length + 1);
          text = text.slice(0, place) + insert + text.slice(place + remove);
        }
        const { response, ms } = await timed(() => db.service('GET', `books?${text}`));
        expect(response).toMatchObject(
          response.status === 200
            ? { body: expect.any(Array) }
            : { status: 400, body: { code: expect.stringMatching(QUERY_ERRORS) } },
        );
        expect(ms, text).toBeLessThan(LONGEST_MS);
      },
    ),
    { numRuns: QUERIES },
  );
});

test('a filter of 1 MB is refused at once', async () => {
  for (const text of [
    `title=eq.${'x'.repeat(1_000_000)}`,
    `or=${'('.repeat(1_000_000)}`,
    `id=in.(${'a,'.repeat(500_000)})`,
    `${'%41'.repeat(333_333)}=eq.1`,
    '&'.repeat(1_000_000),
  ]) {
    const { response, ms } = await timed(() => db.service('GET', `books?${text}`));
    expect([response.status, response.body.code]).toEqual([400, 'INVALID_FILTER']);
    expect(ms).toBeLessThan(LONGEST_MS);
  }
});

test('a query just within the limits is served', async () => {
  const list = Array.from({ length: 1_000 }, (_, index) => `x${index}`).join();
  for (const [text, ids] of [
    [`id=in.(a,${list.slice(list.indexOf(',') + 1)})`, ['a']],
    [`and=${'(and'.repeat(9)}(pages.eq.1${')'.repeat(10)}`, ['b']],
    [`or=(${repeated('pages.eq.9', 499).join()},pages.eq.1)`, ['b']],
    [repeated('pages=eq.1', 100).join('&'), ['b']],
    [`title=neq.${'x'.repeat(90_000)}`, ['a', 'b', 'c']],
    [`title=not.like.${'x'.repeat(200)}`, ['a', 'b', 'c']],
    [`order=${['title', 'pages', 'author', 'shelf', 'id', ...repeated('id', 5)].join()}`, ['a', 'b', 'c']],
    ['offset=9007199254740991', []],
    ['limit=9007199254740991', ['a', 'b', 'c']],
  ] as const) {
    const { status, body } = await db.service('GET', `books?select=id&${text}`);
    expect([status, body.map(({ id }: { id: string }) => id).sort()], text.slice(0, 60)).toEqual([200, ids]);
  }
});

test('on_conflict and columns are refused for requests without new rows', async () => {
  for (const [verb, setting] of [
    ['GET', 'on_conflict=id'],
    ['GET', 'columns=id'],
    ['PATCH', 'id=eq.a&on_conflict=id'],
    ['DELETE', 'id=eq.a&columns=id'],
  ] as const) {
    const body = verb === 'PATCH' ? { body: { pages: 1 } } : {};
    expect((await db.service(verb, `books?${setting}`, body)).body.code).toBe('INVALID_FILTER');
  }
});
