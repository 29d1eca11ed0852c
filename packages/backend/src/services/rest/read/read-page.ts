import { setImmediate as pause } from 'node:timers/promises';
import type { Filter, Scalar } from '../../../core/filter.ts';
import type { Database, ReadOptions } from '../../../database/port.ts';
import { type CompileContext, compileCount, compileSelect } from '../../../database/query/compile.ts';
import { compileJson, compileJsonOf, ROW_SEPARATOR } from '../../../database/query/compile-list.ts';
import type { OrderTerm, Query, Statement } from '../../../database/query/query.ts';
import { encodeCursor, signatureOf } from './cursor.ts';

/** One page of the rows of a query. */
export interface QueryPage {
  /** The rows as JSON objects, separated by commas. */
  list: string;
  /** The number of rows of the page. */
  size: number;
  /** The number of rows of the whole list, if it was to be counted. */
  total: number | undefined;
  /** The cursor of the next page; undefined on the last one. */
  nextCursor: string | undefined;
}

export interface PageSource {
  database: Database;
  context: CompileContext;
  options: ReadOptions;
}

/** So many of the largest rows fit into memory at once. */
const ROWS_AT_ONCE = 25;

/** Characters after which a page ends early, roughly; its cursor leads to the remaining rows. */
const MAX_CHARACTERS = 8_000_000;

/** Milliseconds after which reading a list lets other requests run. */
const MAX_BLOCKING_MS = 5;

/** Reads a page of an authorized query. Returns it without a promise when the rows are few and the engine is synchronous. */
export function readPage(
  source: PageSource,
  query: Query,
  countExact: boolean,
): QueryPage | Promise<QueryPage> {
  return whenReady(readRows(source, query), ({ list, size, more, last }) => {
    const nextCursor = more && last ? cursorAt(query.order, last) : undefined;
    if (!countExact) return { list, size, total: undefined, nextCursor };
    const total = totalOf(source, query, more ? undefined : size);
    return whenReady(total, (counted) => ({ list, size, total: counted, nextCursor }));
  });
}

interface PageRows extends Pick<QueryPage, 'list' | 'size'> {
  /** Whether there are rows after them. */
  more: boolean;
  /** The columns of the order of the last row, as a JSON object. */
  last: string | undefined;
}

function readRows(source: PageSource, query: Query): PageRows | Promise<PageRows> {
  const { limit } = query;
  if (limit === 0) return { list: '', size: 0, more: false, last: undefined };
  if (Math.min(limit, maxRowsOf(query.filter)) > ROWS_AT_ONCE) return readInParts(source, query);
  // One row more than the page holds tells whether there is another page.
  const { context, options } = source;
  // A table of a client's SQL may have several rows of one id.
  const upTo = (options.createdBySql ? limit : Math.min(limit, ROWS_AT_ONCE)) + 1;
  const isAggregated = maxRowsOf(query.filter) > 1;
  const statement = compileJson(context, query, { limit: upTo, isAggregated });
  return whenReady(run(source, statement), (found) => {
    const { list, size, positions } = partOf(found);
    if (size <= limit) return { list, size, more: false, last: undefined };
    return { list: withoutLast(list), size: limit, more: true, last: lastOf(withoutLast(positions)) };
  });
}

/**
 * Reads the ids first and then the rows in parts, since the engine holds in memory what it sorts. A row that no longer
 * satisfies the query by then is left out.
 */
async function readInParts(source: PageSource, query: Query): Promise<PageRows> {
  const { context } = source;
  const { limit } = query;
  const found = run(source, compileSelect(context, query, { columns: ['id'], limit: limit + 1 }));
  const ids = (found instanceof Promise ? await found : found).map(([id]) => id ?? null);
  const wanted = Math.min(ids.length, limit);
  const lists: string[] = [];
  let [start, size, characters, resumedAt] = [0, 0, 0, performance.now()];
  let positions = '';
  while (start < wanted && characters <= MAX_CHARACTERS) {
    const end = Math.min(start + ROWS_AT_ONCE, wanted);
    const read = run(source, compileJsonOf(context, query, ids.slice(start, end)));
    const part = partOf(read instanceof Promise ? await read : read);
    start = end;
    if (part.size > 0) {
      lists.push(part.list);
      positions = part.positions;
      size += part.size;
      characters += part.list.length;
    }
    if (performance.now() - resumedAt > MAX_BLOCKING_MS) {
      await pause();
      resumedAt = performance.now();
    }
  }
  const last = size > 0 ? lastOf(positions) : undefined;
  return { list: lists.join(ROW_SEPARATOR), size, more: ids.length > start, last };
}

function run({ database, options }: PageSource, { sql, parameters }: Statement) {
  return database.values(sql, parameters, options);
}

/** Goes on with a value, at once where it is there already: what an engine knows without waiting is not waited for. */
export function whenReady<T, U>(value: T | Promise<T>, next: (value: T) => U | Promise<U>): U | Promise<U> {
  return value instanceof Promise ? value.then(next) : next(value);
}

/** Returns what `compileJson` selects: one row that aggregates all, or each by itself, of which there may be none or, in a client's table, several. */
function partOf(rows: readonly (readonly Scalar[])[]) {
  const [row = [null, 0], ...others] = rows;
  const [list, size, positions = list] = row;
  const part = { list: String(list ?? ''), size: Number(size), positions: String(positions ?? '') };
  if (others.length === 0) return part;
  const join = (texts: readonly unknown[]) => texts.join(ROW_SEPARATOR);
  return {
    list: join(rows.map(([json]) => json)),
    size: rows.length,
    positions: join(rows.map(([json, , position = json]) => position)),
  };
}

function withoutLast(list: string): string {
  return list.slice(0, list.lastIndexOf(ROW_SEPARATOR));
}

function lastOf(list: string): string {
  const separator = list.lastIndexOf(ROW_SEPARATOR);
  return separator < 0 ? list : list.slice(separator + ROW_SEPARATOR.length);
}

function cursorAt(order: readonly OrderTerm[], position: string): string | undefined {
  const row: Record<string, Scalar> = JSON.parse(position);
  return encodeCursor(
    signatureOf(order),
    order.map(({ column }) => row[column] ?? null),
  );
}

/** Returns the most rows that can satisfy a filter, by the ids that it names. */
function maxRowsOf(filter: Filter): number {
  if (filter.kind === 'and') return Math.min(...filter.of.map(maxRowsOf));
  if (filter.kind === 'in' && filter.column === 'id') return filter.values.length;
  return filter.kind === 'compare' && filter.column === 'id' && filter.operator === 'eq'
    ? 1
    : Number.POSITIVE_INFINITY;
}

/** Counts the rows of the whole list; `seen`, the number of rows of a last page, may make counting unnecessary. */
function totalOf(
  source: PageSource,
  { filter, after, offset, limit }: Query,
  seen: number | undefined,
): number | Promise<number> {
  if (seen !== undefined && limit > 0 && !after && (seen > 0 || offset === 0)) return offset + seen;
  const count = run(source, compileCount(source.context, filter));
  return whenReady(count, ([row]) => Number(row?.[0]));
}
