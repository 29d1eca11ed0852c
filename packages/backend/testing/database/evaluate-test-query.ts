import type { ComparisonOperator } from '@fabrica/contract';
import type { Row } from '../../src/core/bus.ts';
import type { Filter, Scalar } from '../../src/core/filter.ts';

export interface TestTable {
  name: string;
  columns: Record<string, { type: 'text' | 'integer'; nullable: boolean }>;
  /** Columns that are unique together. */
  keys: string[][];
  rows: Row[];
  /** The rows that an anonymous caller may read. */
  policy: Filter;
}

export interface TestTerm {
  column: string;
  descending: boolean;
  /** Undefined for PostgreSQL's default. */
  nulls: 'first' | 'last' | undefined;
}

export interface TestQuery {
  filters: Filter[];
  order: TestTerm[];
  select: string[];
  limit: number | undefined;
  offset: number | undefined;
}

/** Evaluates a query without an engine, and returns the whole list that each engine must return. */
export function evaluated(
  { columns, rows }: TestTable,
  { filters, order, select }: TestQuery,
  policy?: Filter,
): Row[] {
  const all = policy ? [...filters, policy] : filters;
  const names = select.length > 0 ? select : Object.keys(columns);
  return rows
    .filter((row) => all.every((filter) => holds(filter, row) === true))
    .sort(compareRows(order))
    .map((row) => Object.fromEntries(names.map((name) => [name, row[name] ?? null])));
}

/** The truth values of SQL: a comparison with null is neither true nor false. */
type Truth = boolean | null;

export function holds(filter: Filter, row: Row): Truth {
  switch (filter.kind) {
    case 'compare': {
      const cell = row[filter.column] ?? null;
      return cell === null ? null : comparison(filter.operator, cell, filter.value as string | number);
    }
    case 'in': {
      const cell = row[filter.column] ?? null;
      if (filter.values.length === 0) return false;
      return cell === null ? null : filter.values.includes(cell);
    }
    case 'is': {
      const cell = row[filter.column] ?? null;
      if (filter.value === 'null') return cell === null;
      return cell !== null && (cell !== 0) === (filter.value === 'true');
    }
    case 'not': {
      const truth = holds(filter.of, row);
      return truth === null ? null : !truth;
    }
    case 'and':
    case 'or': {
      const truths = filter.of.map((inner) => holds(inner, row));
      const decisive = filter.kind === 'or';
      if (truths.includes(decisive)) return decisive;
      return truths.includes(null) ? null : !decisive;
    }
    default:
      throw new Error(`No such filter is made here: ${filter.kind}`);
  }
}

function comparison(operator: ComparisonOperator, cell: Scalar, value: string | number): boolean {
  if (operator === 'like' || operator === 'ilike')
    return expression(String(value), operator).test(String(cell));
  const sign = compare(cell as string | number, value);
  const truths = {
    eq: sign === 0,
    neq: sign !== 0,
    gt: sign > 0,
    gte: sign >= 0,
    lt: sign < 0,
    lte: sign <= 0,
  };
  return truths[operator];
}

function expression(like: string, operator: 'like' | 'ilike'): RegExp {
  const source = like.replace(/\\.|[\s\S]/gu, (step) => {
    if (step === '%') return '.*';
    if (step === '_') return '.';
    const character = step.startsWith('\\') ? step.slice(1) : step;
    return character.replace(/[\\^$.*+?()[\]{}|]/u, '\\$&');
  });
  return new RegExp(`^${source}$`, operator === 'ilike' ? 'isu' : 'su');
}

/** Compares texts by code points. */
function compare(left: string | number, right: string | number): number {
  if (typeof left === 'number' || typeof right === 'number') return Number(left) - Number(right);
  const [a, b] = [[...left], [...right]].map((all) => all.map((one) => one.codePointAt(0) ?? 0)) as [
    number[],
    number[],
  ];
  const at = a.findIndex((point, index) => point !== b[index]);
  if (at < 0) return a.length - b.length;
  return at >= b.length ? 1 : (a[at] ?? 0) - (b[at] ?? 0);
}

/** Compares rows in an order that ends with the id, in the direction of the last term. */
export function compareRows(terms: readonly TestTerm[]): (left: Row, right: Row) => number {
  const descending = terms.at(-1)?.descending ?? false;
  const all = [...terms, { column: 'id', descending, nulls: undefined }];
  return (left, right) => {
    for (const { column, descending, nulls } of all) {
      const [a, b] = [left[column] ?? null, right[column] ?? null];
      if (a === null && b === null) continue;
      if (a === null || b === null) {
        const first = nulls === undefined ? descending : nulls === 'first';
        return (a === null) === first ? -1 : 1;
      }
      const sign = compare(a as string | number, b as string | number);
      if (sign !== 0) return descending ? -sign : sign;
    }
    return 0;
  };
}
