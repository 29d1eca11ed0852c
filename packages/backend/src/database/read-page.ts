import type { Row } from '../bus.ts';
import type { Filter, Scalar } from '../filter.ts';
import { type CompileContext, compileCount, compileSelect, type Statement } from './compile.ts';
import { encodeCursor } from './cursor.ts';
import type { Database } from './database.ts';
import type { PageCache } from './page-cache.ts';
import type { Query } from './query.ts';

/** One answer's worth of a list. */
export interface Page {
  /** The rows as a JSON array. */
  json: string;
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
  cache: PageCache;
}

/** Of the largest rows there are, so many at once do no harm. */
const ROWS_AT_ONCE = 25;

/** An answer ends where its rows have about so many characters; its cursor goes on from there. */
const MAX_CHARACTERS = 8_000_000;

/** Reads an authorized query. One row more than asked for is read, to know whether there is another page. */
export function readPage(source: PageSource, query: Query, countExact: boolean): Page | Promise<Page> {
  const { context, cache } = source;
  const hidden = query.order.map(({ column }) => column).filter((column) => !query.columns.includes(column));
  const columns = hidden.length > 0 ? [...query.columns, ...hidden] : query.columns;
  const select = compileSelect(context, query, { columns, limit: query.limit + 1 });
  return cache.page(select, countExact, async () => {
    const { rows, more } = await readRows(source, query, { columns, select });
    const last = rows.at(-1);
    const nextCursor = more && last ? encodeCursor(query.order, last) : undefined;
    const total = countExact ? await totalOf(source, query, more ? undefined : rows.length) : undefined;
    if (hidden.length > 0) dropColumns(rows, hidden);
    return { json: JSON.stringify(rows), size: rows.length, total, nextCursor };
  });
}

interface Reading {
  columns: readonly string[];
  /** The query with these columns. */
  select: Statement;
}

async function readRows(
  { database, context }: PageSource,
  query: Query,
  { columns, select }: Reading,
): Promise<{ rows: Row[]; more: boolean }> {
  const { limit } = query;
  if (limit === 0) return { rows: [], more: false };
  if (limit <= ROWS_AT_ONCE) {
    const rows = await database.query(select.sql, select.parameters);
    return { rows: rows.slice(0, limit), more: rows.length > limit };
  }
  // The engine holds what it puts in order: that is the ids alone, and the rows come after them.
  const { sql, parameters } = compileSelect(context, query, { columns: ['id'], limit: limit + 1 });
  const answer = database.query(sql, parameters);
  // Without a pause where there need be none: nothing is written between the ids and their rows.
  const found = answer instanceof Promise ? await answer : answer;
  const ids = found.slice(0, limit).map(({ id }) => id ?? null);
  const rows: Row[] = [];
  for (let size = 0, at = 0; at < ids.length && size <= MAX_CHARACTERS; at += ROWS_AT_ONCE) {
    const part = partOf(context, query, { columns, ids: ids.slice(at, at + ROWS_AT_ONCE) });
    const read = database.query(part.sql, part.parameters);
    for (const row of read instanceof Promise ? await read : read) {
      rows.push(row);
      size += charactersOf(row);
    }
  }
  const more = found.length > limit || rows.length < ids.length;
  return { rows, more };
}

/** These rows of the query, in its order. */
function partOf(
  context: CompileContext,
  query: Query,
  { columns, ids }: { columns: readonly string[]; ids: readonly Scalar[] },
): Statement {
  const filter: Filter = { kind: 'in', column: 'id', values: ids };
  return compileSelect(
    context,
    { ...query, filter, offset: 0, after: undefined },
    { columns, limit: ids.length },
  );
}

function charactersOf(row: Row): number {
  let characters = 0;
  for (const name in row) {
    const value = row[name];
    if (typeof value === 'string') characters += value.length;
  }
  return characters;
}

function dropColumns(rows: readonly Row[], hidden: readonly string[]): void {
  for (const row of rows) for (const column of hidden) delete row[column];
}

/** `seen`: how many rows the page holds, if it is the last one; the list's end may tell its length. */
async function totalOf(
  { database, context }: PageSource,
  { filter, after, offset, limit }: Query,
  seen: number | undefined,
): Promise<number> {
  if (seen !== undefined && limit > 0 && !after && (seen > 0 || offset === 0)) return offset + seen;
  const { sql, parameters } = compileCount(context, filter);
  const [row] = await database.query(sql, parameters);
  return Number(row?.total);
}
