import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
  const body = [
    { id: 'a', title: 'Heart', author: 'Vesalius', pages: 10 },
    { id: 'b', title: 'heart, again', author: null, pages: null },
    { id: 'c', title: '50% off', author: 'Élan', pages: -5 },
    { id: 'd', title: 'snake_case*', author: 'null', pages: 0 },
    { id: 'e', title: 'Smile :) (x)', author: 'a "quoted" b\\c', pages: 300 },
  ].map(buildBook);
  const { status } = await db.service('POST', 'books', { body });
  expect(status).toBe(201);
});

afterAll(() => db.close());

/** Returns the ids that a filter finds, as one text. */
async function found(query: string): Promise<string> {
  const { status, body } = await db.service('GET', `books?select=id&order=id&${query}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body.map(({ id }: { id: string }) => id).join('');
}

const quote = encodeURIComponent;

describe('operators', () => {
  test.each([
    ['pages=eq.10', 'a'],
    ['pages=neq.10', 'cde'],
    ['pages=gt.0', 'ae'],
    ['pages=gte.0', 'ade'],
    ['pages=lt.0', 'c'],
    ['pages=lte.0', 'cd'],
    ['pages=eq.-5', 'c'],
    ['title=eq.Heart', 'a'],
    ['title=eq.', ''],
    ['author=eq.null', 'd'],
    ['pages=in.(10,-5,99)', 'ac'],
    ['pages=in.()', ''],
    ['pages=not.in.()', 'abcde'],
    ['pages=not.in.(10,-5)', 'de'],
    ['pages=not_in.(10,-5)', 'de'],
    [`title=in.("heart, again",Heart)`, 'ab'],
    ['title=in.(Smile (x),Heart)', 'a'],
    [`author=in.(${quote('"a \\"quoted\\" b\\\\c"')})`, 'e'],
    ['author=is.null', 'b'],
    ['author=is.not_null', 'acde'],
    ['author=not.is.null', 'acde'],
    ['author=not.null', 'acde'],
    ['pages=is.true', 'ace'],
    ['pages=is.1', 'ace'],
    ['pages=is.false', 'd'],
    ['pages=not.is.true', 'bd'],
    ['pages=not.eq.10', 'cde'],
    ['pages=not.10', 'cde'],
    ['title=not.Heart', 'bcde'],
    ['pages=not.gt.0', 'cd'],
    ['pages=gte.0&pages=lt.300', 'ad'],
  ])('a filter finds the rows that its operator selects: %s', async (query, ids) => {
    expect(await found(query)).toBe(ids);
  });
});

describe('patterns', () => {
  test.each([
    ['title=like.Heart*', 'a'],
    ['title=like.heart%25', 'b'],
    ['title=ilike.HEART*', 'ab'],
    ['title=like.*ear*', 'ab'],
    ['title=like.H_art', 'a'],
    [`title=like.${quote('%\\%%')}`, 'c'],
    [`title=like.${quote('%\\_%')}`, 'd'],
    [`title=like.${quote('%\\*')}`, 'd'],
    ['title=like.[H]eart', ''],
    ['title=like.?eart', ''],
    ['author=ilike.él*', 'c'],
    ['author=ilike.*ÉLAN', 'c'],
    ['author=ilike.*É_a%25n*', 'c'],
    ['author=ilike._é*', ''],
    ['author=like.él*', ''],
    ['author=not.like.V*', 'cde'],
    ['author=not.ilike.v*', 'cde'],
  ])('a pattern finds the texts that match it: %s', async (query, ids) => {
    expect(await found(query)).toBe(ids);
  });
});

describe('groups', () => {
  test.each([
    ['or=(pages.eq.10,pages.lt.0)', 'ac'],
    ['or=(pages=eq.10,pages=lt.0)', 'ac'],
    ['or=( pages.eq.10, pages.lt.0)', 'ac'],
    ['or=(and( pages.gt.0, title.eq.Heart) , not.or(pages.is.not_null, title.eq.x) )', 'ab'],
    ['and=(pages.gte.0,pages.lt.300)', 'ad'],
    ['not.and=(pages.gte.0,pages.lt.300)', 'ce'],
    ['not.or=(pages.eq.10,pages.lt.0)', 'de'],
    ['or=(pages.not.gt.0,author.is.null)', 'bcd'],
    ['or=(and(pages.gt.0,title.eq.Heart),not.or(pages.is.not_null,title.eq.x))', 'ab'],
    ['or=(and=(pages=gt.0,title=eq.Heart),author=is.null)', 'ab'],
    ['or=(pages=in.(10,0),title=eq.heart, again)', 'abd'],
    ['or=(pages.in.(10,0),title.eq."heart, again")', 'abd'],
    ['or=(pages.not.in.(10,0,300),pages.not_in.(10,0,-5))', 'ce'],
    [`or=(${quote('pages=gt.0&title=eq.Heart')},pages=eq.0)`, 'ad'],
    [`or=(author.eq.${quote('"a \\"quoted\\" b\\\\c"')},pages.eq.10)`, 'ae'],
    ['or=(title=eq.Heart,title=eq.nobody (else))', 'a'],
    ['or=(title.like.*eart,pages.eq.0)&pages=gt.5', 'a'],
    [`and=${'(and'.repeat(9)}(pages.eq.10${')'.repeat(10)}`, 'a'],
  ])('a group of PostgREST or of an existing client finds its rows: %s', async (query, ids) => {
    expect(await found(query)).toBe(ids);
  });
});

test('a value that was encoded twice is decoded, and one that was encoded once is left alone', async () => {
  expect(await found(`title=eq.${quote(quote('heart, again'))}`)).toBe('b');
  expect(await found(`title=eq.${quote(quote('50% off'))}`)).toBe('c');
  expect(await found(`title=eq.${quote('50% off')}`)).toBe('c');
  expect(await found(`title=ilike.${quote(quote('%HEART%'))}`)).toBe('ab');
  expect(await found(`author=in.(${quote(quote('Élan'))},x)`)).toBe('c');
});

test('a text that looks percent-encoded is found as it is', async () => {
  await db.service('POST', 'books', { body: buildBook({ id: 'z', title: '50%25', author: 'a%2Cb' }) });
  expect(await found(`title=eq.${quote('50%25')}`)).toBe('z');
  expect(await found(`title=in.(${quote('50%25')})`)).toBe('z');
  expect(await found(`title=in.(${quote('"50%25"')})`)).toBe('z');
  expect(await found(`or=(author.eq.${quote('a%2Cb')},id.eq.x)`)).toBe('z');
  expect(await found(`title=neq.${quote('50%25')}&id=gt.e`)).toBe('');
  await db.service('DELETE', 'books?id=eq.z');
});

describe('invalid filters', () => {
  const deep = (levels: number) => `and=${'(and'.repeat(levels - 1)}(pages.eq.1${')'.repeat(levels)}`;
  const list = (length: number) => Array.from({ length }, (_, index) => index).join(',');
  test.each([
    ['nothing=eq.1', 'UNKNOWN_COLUMN'],
    ['constructor=eq.1', 'UNKNOWN_COLUMN'],
    ['__proto__=eq.1', 'UNKNOWN_COLUMN'],
    ['pages=1', 'INVALID_FILTER'],
    ['pages=', 'INVALID_FILTER'],
    ['pages=equals.1', 'INVALID_FILTER'],
    ['pages=eq.one', 'INVALID_FILTER'],
    ['pages=eq.1.5', 'INVALID_FILTER'],
    ['pages=eq.1e3', 'INVALID_FILTER'],
    ['pages=eq.99999999999999999999', 'INVALID_FILTER'],
    ['pages=eq.null', 'INVALID_FILTER'],
    ['pages=like.1*', 'INVALID_FILTER'],
    ['title=is.true', 'INVALID_FILTER'],
    ['pages=is.maybe', 'INVALID_FILTER'],
    ['pages=in.1,2', 'INVALID_FILTER'],
    ['pages=in.(1,2', 'INVALID_FILTER'],
    ['pages=in.(1,2)3', 'INVALID_FILTER'],
    ['pages=in.(1,x)', 'INVALID_FILTER'],
    [`pages=in.(${list(1_001)})`, 'INVALID_FILTER'],
    [`or=(pages.in.(${list(1_001)}))`, 'INVALID_FILTER'],
    [Array.from({ length: 11 }, () => `pages=in.(${list(1_000)})`).join('&'), 'INVALID_FILTER'],
    [`or=(${Array.from({ length: 11 }, () => `pages.in.(${list(1_000)})`)})`, 'INVALID_FILTER'],
    ['title=eq.a%00b', 'INVALID_FILTER'],
    ['title=like.a%00b', 'INVALID_FILTER'],
    ['title=in.(a%00)', 'INVALID_FILTER'],
    [`title=like.${'a'.repeat(201)}`, 'INVALID_FILTER'],
    [`title=like.${quote('a\\')}`, 'INVALID_FILTER'],
    [deep(11), 'INVALID_FILTER'],
    ['and=()', 'INVALID_FILTER'],
    ['or=pages.eq.1', 'INVALID_FILTER'],
    ['or=(pages.eq.1', 'INVALID_FILTER'],
    ['or=(pages.eq.1))', 'INVALID_FILTER'],
    ['or=(pages.eq.1,)', 'INVALID_FILTER'],
    ['or=(pages)', 'INVALID_FILTER'],
    ['or=(pages.eq.1,nothing.eq.2)', 'UNKNOWN_COLUMN'],
    ['or=(pages.equals.1)', 'INVALID_FILTER'],
    [`or=(${Array.from({ length: 501 }, () => 'pages.eq.1').join(',')})`, 'INVALID_FILTER'],
    [Array.from({ length: 101 }, () => 'pages=eq.1').join('&'), 'INVALID_FILTER'],
    [`title=eq.${'x'.repeat(100_001)}`, 'INVALID_FILTER'],
    ['select=id,nothing', 'UNKNOWN_COLUMN'],
    ['select=id,loans(id)', 'UNKNOWN_COLUMN'],
    ['select=count()', 'UNKNOWN_COLUMN'],
    ['order=nothing', 'UNKNOWN_COLUMN'],
    ['order=id.upwards', 'INVALID_FILTER'],
    ['order=id.desc.nulls', 'INVALID_FILTER'],
    ['order=lower(title)', 'INVALID_FILTER'],
    ['limit=-1', 'VALIDATION_FAILED'],
    ['limit=ten', 'VALIDATION_FAILED'],
    ['limit=1.5', 'VALIDATION_FAILED'],
    ['limit=', 'VALIDATION_FAILED'],
    ['limit=99999999999999999999', 'VALIDATION_FAILED'],
    ['offset=1e308', 'VALIDATION_FAILED'],
    ['offset=-1', 'VALIDATION_FAILED'],
    ['cursor=x', 'INVALID_CURSOR'],
    ['cursor=', 'INVALID_CURSOR'],
    ['cursor=x&offset=1', 'INVALID_CURSOR'],
    ['order=id&order=title', 'INVALID_FILTER'],
    ['limit=1&limit=2', 'INVALID_FILTER'],
    ['pages=eq.1&limit=1&offset=0&offset=0', 'INVALID_FILTER'],
  ])('an invalid query is refused with 400: %.70s', async (query, code) => {
    const { status, body } = await db.service('GET', `books?${query}`);
    expect({ status, code: body.code }).toEqual({ status: 400, code });
    expect(body.error).not.toMatch(/select|sqlite|t0/i);
  });

  test('an unknown table is a 404, whatever its name is', async () => {
    for (const name of ['nothing', 'constructor', '__proto__', 'sqlite_master', 'books"', 'books;--']) {
      const { status, body } = await db.service('GET', encodeURIComponent(name));
      expect({ status, code: body.code }).toEqual({ status: 404, code: 'UNKNOWN_TABLE' });
    }
  });
});

test('SQL anywhere in a query is a value or an error, and never runs', async () => {
  const attacks = [
    `' OR 1=1 --`,
    `"; DROP TABLE books; --`,
    `1) UNION SELECT * FROM loans --`,
    `\\' OR ''='`,
    `x') OR ('1'='1`,
  ];
  for (const attack of attacks.map(quote)) {
    for (const query of [
      `title=eq.${attack}`,
      `title=like.${attack}`,
      `title=ilike.${attack}`,
      `title=in.("${attack}")`,
      `or=(title.eq."${attack}",title.eq."${attack}")`,
    ]) {
      const { status, body } = await db.service('GET', `books?${query}`);
      expect(status < 300 ? body : status, query).toEqual(status < 300 ? [] : 400);
    }
    for (const query of [
      `pages=eq.${attack}`,
      `pages=${attack}`,
      `${attack}=eq.1`,
      `select=${attack}`,
      `select=id,${attack}`,
      `order=${attack}`,
      `order=id.${attack}`,
      `limit=${attack}`,
      `offset=${attack}`,
      `cursor=${attack}`,
      `or=${attack}`,
      `or=(${attack})`,
      `or=(${attack}.eq.1)`,
    ]) {
      const { status } = await db.service('GET', `books?${query}`);
      expect(status, query).toBe(400);
    }
    const upsert = await db.service('POST', `books?on_conflict=${attack}`, { body: buildBook({ id: 'z' }) });
    expect(upsert.status).toBe(400);
  }
  expect(await found('')).toBe('abcde');
});
