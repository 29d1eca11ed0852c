import type { ComparisonOperator } from '@fabrica/contract';
import fc from 'fast-check';
import type { Row } from '../../src/core/bus.ts';
import type { Filter, Scalar } from '../../src/core/filter.ts';
import { holds, type TestQuery, type TestTable, type TestTerm } from './evaluate-test-query.ts';

/** Pools small enough for equal values, and for rows that match. Code points beyond 0xffff sort after 0xe000. */
const texts = [
  '',
  ' ',
  'a',
  'A',
  'ab',
  'aB',
  'b',
  'Äb',
  'äB',
  'ß',
  'a_b',
  'a%b',
  'a*b',
  'a,b',
  'a.b',
  'a&b=c',
  '(a)',
  '"a"',
  "it's",
  'a\\b',
  'null',
  'not.eq.a',
  'line\nbreak',
  '[a]',
  '?',
  '\u{e000}',
  '🫀',
  '🫁b',
  'é',
  'e\u0301',
];
const integers = [-9_007_199_254_740_991, -2, -1, 0, 1, 2, 10, 1_700_000_000_000, 9_007_199_254_740_991];

const columnRule = fc.record({
  type: fc.constantFrom('text' as const, 'integer' as const),
  nullable: fc.boolean(),
});

const someValue = ({ type }: { type: 'text' | 'integer' }): fc.Arbitrary<Scalar> =>
  type === 'text' ? fc.constantFrom(...texts) : fc.constantFrom(...integers);

const someCell = (rule: { type: 'text' | 'integer'; nullable: boolean }): fc.Arbitrary<Scalar> =>
  rule.nullable ? fc.option(someValue(rule), { freq: 4 }) : someValue(rule);

export const tableOf = (name: string): fc.Arbitrary<TestTable> =>
  fc.array(columnRule, { minLength: 2, maxLength: 5 }).chain((rules) => {
    const own = rules.map((rule, index) => [`${rule.type === 'text' ? 't' : 'n'}${index}`, rule] as const);
    const columns = Object.fromEntries([['id', { type: 'text' as const, nullable: false }], ...own]);
    const names = own.map(([column]) => column);
    const cells = Object.fromEntries(own.map(([column, rule]) => [column, someCell(rule)]));
    return fc
      .record({
        keys: fc.uniqueArray(fc.subarray(names, { minLength: 1, maxLength: Math.min(3, names.length) }), {
          maxLength: 2,
          comparator: (a, b) => a.join() === b.join(),
        }),
        rows: fc.array(fc.record({ id: fc.stringMatching(/^[A-Za-z0-9_-]{1,4}$/), ...cells }), {
          minLength: 15,
          maxLength: 60,
        }),
      })
      .map(({ keys, rows }) => ({ name, columns, keys, rows: withoutClashes(rows, keys) }))
      .chain((table) => {
        const opensSome = (policy: Filter) => table.rows.some((row) => holds(policy, row) === true);
        return filterOf(table)
          .filter(opensSome)
          .map((policy) => ({ ...table, policy }));
      });
  });

/** Keeps the first of the rows with the same key; null equals nothing. */
function withoutClashes(rows: readonly Row[], keys: readonly string[][]): Row[] {
  const accepted: Row[] = [];
  for (const row of rows) {
    if (!accepted.some((other) => [['id'], ...keys].some((key) => holdsSame(row, other, key))))
      accepted.push(row);
  }
  return accepted;
}

function holdsSame(row: Row, other: Row, key: readonly string[]): boolean {
  return key.every((column) => row[column] !== null && row[column] === other[column]);
}

/** Generates any filter that both a request and a policy can have; most values are those of some row. */
function filterOf(table: Pick<TestTable, 'columns' | 'rows'>, depth = 2): fc.Arbitrary<Filter> {
  const ofColumn = fc
    .constantFrom(...Object.entries(table.columns))
    .chain(([column, rule]): fc.Arbitrary<Filter> => {
      const present = table.rows.map((row) => row[column] ?? null).filter((cell) => cell !== null);
      const value =
        present.length === 0
          ? someValue(rule)
          : fc.oneof(someValue(rule), fc.constantFrom(...present), fc.constantFrom(...present));
      const operator = fc.constantFrom<ComparisonOperator>('eq', 'neq', 'gt', 'gte', 'lt', 'lte');
      const conditions: fc.Arbitrary<Filter>[] = [
        fc.record({ kind: fc.constant('compare' as const), column: fc.constant(column), operator, value }),
        fc.record({
          kind: fc.constant('in' as const),
          column: fc.constant(column),
          values: fc.array(value, { maxLength: 4 }),
        }),
        fc.constant({ kind: 'is', column, value: 'null' }),
      ];
      if (rule.type === 'text') {
        conditions.push(
          fc.record({
            kind: fc.constant('compare' as const),
            column: fc.constant(column),
            operator: fc.constantFrom<ComparisonOperator>('like', 'ilike'),
            value: pattern,
          }),
        );
      } else {
        conditions.push(
          fc.constantFrom({ kind: 'is', column, value: 'true' }, { kind: 'is', column, value: 'false' }),
        );
      }
      return fc.oneof(...conditions);
    });
  if (depth === 0) return ofColumn;
  const inner = filterOf(table, depth - 1);
  return fc.oneof(
    { weight: 4, arbitrary: ofColumn },
    { weight: 1, arbitrary: inner.map((of): Filter => ({ kind: 'not', of })) },
    {
      weight: 2,
      arbitrary: fc.record({
        kind: fc.constantFrom('and' as const, 'or' as const),
        of: fc.array(inner, { minLength: 1, maxLength: 3 }),
      }),
    },
  );
}

const pattern = fc
  .array(
    fc.constantFrom('%', '_', '\\%', '\\_', '\\\\', 'a', 'A', 'B', 'Ä', 'é', '🫀', '[', '?', '.', "'", '\n'),
    {
      maxLength: 4,
    },
  )
  .map((steps) => steps.join(''));

export const queryOf = (table: TestTable): fc.Arbitrary<TestQuery> => {
  const names = Object.keys(table.columns);
  const term = fc.record({
    column: fc.constantFrom(...names),
    descending: fc.boolean(),
    nulls: fc.constantFrom('first' as const, 'last' as const, undefined),
  });
  return fc.record({
    filters: fc.array(filterOf(table), { maxLength: 2 }),
    order: fc.uniqueArray(term, { maxLength: 3, selector: ({ column }) => column }),
    select: fc.subarray(names),
    limit: fc.option(fc.nat(20), { nil: undefined }),
    offset: fc.option(fc.nat(30), { nil: undefined }),
  });
};

/** Writes a filter as PostgREST does within a group. */
function written(filter: Filter): string {
  switch (filter.kind) {
    case 'compare':
      return `${filter.column}.${filter.operator}.${quoted(filter.value as Scalar)}`;
    case 'in':
      return `${filter.column}.in.(${filter.values.map((value) => quoted(value as Scalar)).join(',')})`;
    case 'is':
      return `${filter.column}.is.${filter.value}`;
    case 'not':
      return negated(filter.of);
    case 'and':
    case 'or':
      return `${filter.kind}(${filter.of.map(written).join(',')})`;
    default:
      throw new Error(`No such filter is made here: ${filter.kind}`);
  }
}

function negated(filter: Filter): string {
  if (filter.kind === 'and' || filter.kind === 'or') return `not.${written(filter)}`;
  // A double negation can only be written as a group of one.
  if (filter.kind === 'not') return `not.and(${written(filter)})`;
  return written(filter).replace(/^(\w+)\./, '$1.not.');
}

function quoted(value: Scalar): string {
  return typeof value === 'number' ? String(value) : `"${String(value).replace(/["\\]/g, '\\$&')}"`;
}

/** Returns the query parameter of a filter: a group, or the filter of one column, whose value is not quoted. */
function parameter(filter: Filter): [name: string, text: string] {
  if (filter.kind === 'and' || filter.kind === 'or')
    return [filter.kind, `(${filter.of.map(written).join(',')})`];
  if (filter.kind === 'not') {
    if (filter.of.kind === 'not') return parameter({ kind: 'and', of: [filter] });
    const [name, text] = parameter(filter.of);
    return name === 'and' || name === 'or' ? [`not.${name}`, text] : [name, `not.${text}`];
  }
  if (filter.kind !== 'compare')
    return [columnOf(filter), written(filter).slice(columnOf(filter).length + 1)];
  return [filter.column, `${filter.operator}.${filter.value}`];
}

function columnOf(filter: Filter): string {
  return 'column' in filter ? filter.column : '';
}

export function requestPathOf(
  { name }: TestTable,
  query: TestQuery,
  more: Record<string, string> = {},
): string {
  const parameters = query.filters.map(parameter);
  if (query.select.length > 0) parameters.push(['select', query.select.join()]);
  if (query.order.length > 0) parameters.push(['order', query.order.map(writtenTerm).join()]);
  parameters.push(...Object.entries(more));
  return `${name}?${parameters.map(([key, text]) => `${key}=${encodeURIComponent(text)}`).join('&')}`;
}

function writtenTerm({ column, descending, nulls }: TestTerm): string {
  return `${column}.${descending ? 'desc' : 'asc'}${nulls ? `.nulls${nulls}` : ''}`;
}
