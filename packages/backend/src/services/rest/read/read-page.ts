import { setImmediate as pause } from 'node:timers/promises';
import type { Filter, Scalar } from '../../../core/filter.ts';
import type { Database, ReadOptions } from '../../../database/port.ts';
import {
  type CompileContext,
  compileCount,
  compileJson,
  compileJsonOf,
  compileSelect,
  ROW_SEPARATOR,
  type Statement,
} from '../../../database/query/compile.ts';
import type { Query } from '../../../database/query/query.ts';
import { whenReady } from '../../../runtime/when-ready.ts';
import { encodeCursor } from './cursor.ts';
import type { ListForm } from './list-form.ts';

/** One answer's worth of a list. */
export interface Page {
  /** The rows as JSON objects with commas between them. */
  list: string;
  /** How many there are. */
  size: number;
  /** Rows of the whole list, when they were to be counted. */
  total: number | undefined;
  /** Where the next page starts; undefined on the last one. */
  nextCursor: string | undefined;
}

export interface PageSource {
  database: Database;
  context: CompileContext;
  /** Of the query that is read. */
  form: ListForm;
  options: ReadOptions;
}

/** Of the largest rows there are, so many at once do no harm. */
const ROWS_AT_ONCE = 25;

/** An answer ends where its rows have about so many characters; its cursor goes on from there. */
const MAX_CHARACTERS = 8_000_000;

/** Others have their turn after so many milliseconds of one list. */
const LONGEST_TURN_MS = 5;

/** Reads an authorized query: at once where the engine answers at once and the rows are few. */
export function readPage(source: PageSource, query: Query, countExact: boolean): Page | Promise<Page> {
  return whenReady(readRows(source, query), ({ list, size, more, last }) => {
    const nextCursor = more && last ? cursorAt(source.form, last) : undefined;
    if (!countExact) return { list, size, total: undefined, nextCursor };
    const total = totalOf(source, query, more ? undefined : size);
    return whenReady(total, (counted) => ({ list, size, total: counted, nextCursor }));
  });
}

interface Rows extends Pick<Page, 'list' | 'size'> {
  /** There are others behind them. */
  more: boolean;
  /** A JSON object with the last one's place in the order. */
  last: string | undefined;
}

function readRows(source: PageSource, query: Query): Rows | Promise<Rows> {
  const { limit } = query;
  if (limit === 0) return { list: '', size: 0, more: false, last: undefined };
  if (Math.min(limit, maxRowsOf(query.filter)) > ROWS_AT_ONCE) return readInParts(source, query);
  // One row more than asked for is read, to know whether there is another page.
  const most = Math.min(limit, ROWS_AT_ONCE) + 1;
  const { text } = source.form;
  return whenReady(run(source, compileJson(source.context, query, { text, limit: most })), (found) => {
    const { list, size, places } = partOf(found);
    if (size <= limit) return { list, size, more: false, last: undefined };
    return { list: withoutLast(list), size: limit, more: true, last: lastOf(withoutLast(places)) };
  });
}

/**
 * The engine holds what it puts in order: that is the ids alone, and the rows come after them. A row that was changed
 * in between so that the query does not mean it any more is left out.
 */
async function readInParts(source: PageSource, query: Query): Promise<Rows> {
  const { context, form } = source;
  const { limit } = query;
  const found = run(source, compileSelect(context, query, { columns: ['id'], limit: limit + 1 }));
  const ids = (found instanceof Promise ? await found : found).map(([id]) => id ?? null);
  const wanted = Math.min(ids.length, limit);
  const lists: string[] = [];
  let [at, size, characters, turnSince] = [0, 0, 0, performance.now()];
  let places = '';
  while (at < wanted && characters <= MAX_CHARACTERS) {
    const end = Math.min(at + ROWS_AT_ONCE, wanted);
    const { text } = form;
    const read = run(source, compileJsonOf(context, query, { text, ids: ids.slice(at, end) }));
    const part = partOf(read instanceof Promise ? await read : read);
    at = end;
    if (part.size > 0) {
      lists.push(part.list);
      places = part.places;
      size += part.size;
      characters += part.list.length;
    }
    if (performance.now() - turnSince > LONGEST_TURN_MS) {
      await pause();
      turnSince = performance.now();
    }
  }
  const last = size > 0 ? lastOf(places) : undefined;
  return { list: lists.join(ROW_SEPARATOR), size, more: ids.length > at, last };
}

function run({ database, options }: PageSource, { sql, parameters }: Statement) {
  return database.values(sql, parameters, options);
}

/** What `compileJson` has the engine answer. */
function partOf([row = []]: readonly (readonly Scalar[])[]) {
  const [list, size, places = list] = row;
  return { list: String(list ?? ''), size: Number(size), places: String(places ?? '') };
}

function withoutLast(list: string): string {
  return list.slice(0, list.lastIndexOf(ROW_SEPARATOR));
}

function lastOf(list: string): string {
  const separator = list.lastIndexOf(ROW_SEPARATOR);
  return separator < 0 ? list : list.slice(separator + ROW_SEPARATOR.length);
}

function cursorAt({ order, signature }: ListForm, place: string): string | undefined {
  const row: Record<string, Scalar> = JSON.parse(place);
  return encodeCursor(
    signature,
    order.map(({ column }) => row[column] ?? null),
  );
}

/** Rows that can satisfy a filter: as many as it names ids. */
function maxRowsOf(filter: Filter): number {
  if (filter.kind === 'and') return Math.min(...filter.of.map(maxRowsOf));
  if (filter.kind === 'in' && filter.column === 'id') return filter.values.length;
  return filter.kind === 'compare' && filter.column === 'id' && filter.operator === 'eq'
    ? 1
    : Number.POSITIVE_INFINITY;
}

/** `seen`: how many rows the page holds, if it is the last one; the list's end may tell its length. */
function totalOf(
  source: PageSource,
  { filter, after, offset, limit }: Query,
  seen: number | undefined,
): number | Promise<number> {
  if (seen !== undefined && limit > 0 && !after && (seen > 0 || offset === 0)) return offset + seen;
  return whenReady(run(source, compileCount(source.context, filter)), ([row]) => Number(row?.[0]));
}
