import {
  openTestDatabase,
  type TestDatabase,
} from '@fabrica/backend/testing/database/build-test-database.ts';
import { buildBook, library as definition } from '@fabrica/backend/testing/database/build-test-library.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { matchesIgnoringCase } from '../sqlite/like.ts';
import { createSyntax, FOLDING_COLLATIONS } from './syntax.ts';

let library: TestDatabase;

beforeAll(async () => {
  library = await openTestDatabase(definition);
});
afterAll(() => library.close());

/** Every letter from Latin to Armenian: Unicode adds no more letters in this range. */
const letters = Array.from({ length: 0x58f }, (_, at) => String.fromCodePoint(at + 1)).filter((one) =>
  /\p{L}/u.test(one),
);

test.each(FOLDING_COLLATIONS)('a letter matches its upper case with the collation %s', async (collation) => {
  const { ilike } = createSyntax(collation);
  const unlike: string[] = [];
  const unlikeHere: string[] = [];
  for (let at = 0; at < letters.length; at += 200) {
    const some = letters.slice(at, at + 200);
    const values: string[] = [];
    const bind = (value: string) => `$${values.push(value)}`;
    const responses = some.map((letter, index) => {
      // The é keeps a sigma from being final, and the pattern from being ASCII alone.
      const [text, pattern] = [`${letter.toUpperCase()}é`, `${letter}é`];
      if (!matchesIgnoringCase(text, pattern)) unlikeHere.push(letter);
      return `${ilike(`${bind(text)}::text`, pattern, bind)} AS "${index}"`;
    });
    const [row = {}] = await library.database.query(`SELECT ${responses.join(', ')}`, values);
    unlike.push(...some.filter((_, index) => !row[index]));
  }
  // Apart from Unicode's newest pairs, the letters are the same as on SQLite.
  const newest = ['ƛ', 'ɤ', 'ʂ', 'İ'];
  expect(unlike.filter((letter) => !newest.includes(letter))).toEqual(
    unlikeHere.filter((letter) => !newest.includes(letter)),
  );
  if (collation === 'pg_unicode_fast') expect(unlike).toEqual(unlikeHere);
});

test.each([
  ['ilike', 'É*', ['école', 'École']],
  ['ilike', '*STRASSE', []],
  ['ilike', '*straße', ['STRAßE', 'straße']],
  ['ilike', 'ΔΡΌΜΟΣ', ['δρόμος', 'ΔΡΌΜΟΣ']],
  ['like', 'É*', ['École']],
  ['ilike', 'k*', ['kelvin']],
])('the filter %s.%s finds the titles %j', async (operator, pattern, titles) => {
  const { service } = library;
  const all = ['école', 'École', 'STRAßE', 'straße', 'δρόμος', 'ΔΡΌΜΟΣ', 'kelvin', '\u212aelvin'];
  await service('DELETE', 'books?id=neq.x');
  await service('POST', 'books', { body: all.map((title) => buildBook({ title })) });
  const { body } = await service(
    'GET',
    `books?select=title&title=${operator}.${encodeURIComponent(pattern)}`,
  );
  expect(body.map(({ title }: { title: string }) => title).sort()).toEqual([...titles].sort());
});
