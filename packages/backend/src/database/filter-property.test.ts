import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestDatabase, type TestDatabase } from './build-test-database.ts';
import { buildBook, library } from './build-test-library.ts';

/** SQL's third truth: what is compared with null is neither true nor false. */
type Truth = boolean | null;
type Cell = string | number | null;
type Book = { id: string; title: string; author: string | null; pages: number | null };

/** A condition in the form of PostgREST, and what it says about a row. */
interface Condition {
  text: string;
  holds(row: Book): Truth;
}

const words = [
  '',
  'a',
  'A',
  'b',
  'ab',
  'Äb',
  'äB',
  'a_b',
  'a%b',
  'null',
  'a,b',
  'a.b',
  '(a)',
  '"',
  '\\',
] as const;
const authors: readonly (string | null)[] = [...words, null];
const numbers = [-2, -1, 0, 1, 2] as const;
const pageCounts: readonly (number | null)[] = [...numbers, null];

const rows: Book[] = authors.flatMap((author, index) =>
  pageCounts.map((pages, at) => ({
    id: `r${index}-${at}`,
    title: words[(index + at) % words.length] || 'untitled',
    author,
    pages,
  })),
);

let db: TestDatabase;

beforeAll(async () => {
  db = await openTestDatabase(library);
  await db.service('POST', 'books', { body: rows.map(buildBook) });
});

afterAll(() => db.close());

const quoted = (value: Cell) =>
  typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`;

const order = (left: string | number, right: string | number) => (left < right ? -1 : left > right ? 1 : 0);

const comparisons: Record<string, (sign: number) => boolean> = {
  eq: (sign) => sign === 0,
  neq: (sign) => sign !== 0,
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
};

const operand = fc.oneof(
  fc.record({ column: fc.constantFrom('author', 'title'), value: fc.constantFrom(...words) }),
  fc.record({ column: fc.constant('pages'), value: fc.constantFrom(...numbers) }),
);
const cellOf = (row: Book, column: string): Cell => row[column as keyof Book];

const comparison: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom(...Object.keys(comparisons)), operand)
  .map(([operator, { column, value }]) => ({
    text: `${column}.${operator}.${quoted(value)}`,
    holds: (row) => {
      const cell = cellOf(row, column);
      return cell === null ? null : (comparisons[operator]?.(order(cell, value)) ?? null);
    },
  }));

const list: fc.Arbitrary<Condition> = fc
  .tuple(fc.boolean(), fc.array(fc.constantFrom(...words), { maxLength: 4 }))
  .map(([negated, values]) => ({
    text: `author.${negated ? 'not.in' : 'in'}.(${values.map(quoted).join(',')})`,
    holds: ({ author }) => {
      if (values.length === 0) return negated;
      return author === null ? null : values.some((value) => value === author) !== negated;
    },
  }));

const nullness: fc.Arbitrary<Condition> = fc
  .tuple(fc.constantFrom('author', 'pages'), fc.boolean())
  .map(([column, negated]) => ({
    text: `${column}.${negated ? 'not.is' : 'is'}.null`,
    holds: (row) => (cellOf(row, column) === null) !== negated,
  }));

const step = fc.constantFrom(
  { text: '%', regex: '.*' },
  { text: '_', regex: '.' },
  { text: '\\%', regex: '%' },
  { text: '\\_', regex: '_' },
  { text: 'a', regex: 'a' },
  { text: 'B', regex: 'B' },
  { text: 'Ä', regex: 'Ä' },
  { text: '[', regex: '\\[' },
  { text: '.', regex: '\\.' },
);
const pattern: fc.Arbitrary<Condition> = fc
  .tuple(fc.boolean(), fc.array(step, { maxLength: 5 }))
  .map(([caseless, steps]) => {
    const regex = new RegExp(`^${steps.map((one) => one.regex).join('')}$`, caseless ? 'isu' : 'su');
    return {
      text: `author.${caseless ? 'ilike' : 'like'}.${quoted(steps.map(({ text }) => text).join(''))}`,
      holds: ({ author }) => (author === null ? null : regex.test(author)),
    };
  });

const not = (truth: Truth): Truth => (truth === null ? null : !truth);

function group([kind, negated, of]: [string, boolean, Condition[]]): Condition {
  return {
    text: `${negated ? 'not.' : ''}${kind}(${of.map(({ text }) => text).join(',')})`,
    holds: (row) => {
      const truths = of.map((one) => one.holds(row));
      const decisive = kind === 'or';
      const truth = truths.includes(decisive) ? decisive : truths.includes(null) ? null : !decisive;
      return negated ? not(truth) : truth;
    },
  };
}

const filter = fc.letrec<{ condition: Condition; group: Condition }>((tie) => ({
  condition: fc.oneof({ depthSize: 'small' }, comparison, list, nullness, pattern, tie('group')),
  group: fc
    .tuple(
      fc.constantFrom('and', 'or'),
      fc.boolean(),
      fc.array(tie('condition'), { minLength: 1, maxLength: 4 }),
    )
    .map(group),
}));

test('any filter finds the rows that it describes, and no others', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(filter.condition, { minLength: 1, maxLength: 3 }), async (conditions) => {
      const query = `and=${encodeURIComponent(`(${conditions.map(({ text }) => text).join(',')})`)}`;
      const { status, body } = await db.service('GET', `books?select=id&${query}`);
      const expected = rows.filter((row) => conditions.every((one) => one.holds(row) === true));
      expect({ status, ids: body.map?.(({ id }: { id: string }) => id).sort() ?? body }).toEqual({
        status: 200,
        ids: expected.map(({ id }) => id).sort(),
      });
    }),
    { numRuns: 400 },
  );
});
