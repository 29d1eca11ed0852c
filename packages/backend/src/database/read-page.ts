import type { Row } from '../bus.ts';
import { type CompileContext, compileCount, compileSelect } from './compile.ts';
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

/** Reads an authorized query. One row more than asked for is read, to know whether there is another page. */
export function readPage(source: PageSource, query: Query, countExact: boolean): Page | Promise<Page> {
  const { database, context, cache } = source;
  const hidden = query.order.map(({ column }) => column).filter((column) => !query.columns.includes(column));
  const columns = hidden.length > 0 ? [...query.columns, ...hidden] : query.columns;
  const select = compileSelect(context, query, { columns, limit: query.limit + 1 });
  return cache.page(select, countExact, async () => {
    const rows = query.limit === 0 ? [] : await database.query(select.sql, select.parameters);
    const more = rows.length > query.limit;
    if (more) rows.pop();
    const last = rows.at(-1);
    const nextCursor = more && last ? encodeCursor(query.order, last) : undefined;
    const total = countExact ? await totalOf(source, query, more ? undefined : rows.length) : undefined;
    if (hidden.length > 0) dropColumns(rows, hidden);
    return { json: JSON.stringify(rows), size: rows.length, total, nextCursor };
  });
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
