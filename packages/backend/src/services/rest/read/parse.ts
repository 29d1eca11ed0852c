import { DEFAULT_ROW_LIMIT, MAX_ROW_LIMIT } from '@fabrica/contract';
import { AppError, abbreviate } from '../../../core/errors.ts';
import { everyRow, type Filter } from '../../../core/filter.ts';
import type { OrderTerm, Query } from '../../../database/query/query.ts';
import type { TableSchema } from '../../../database/schema.ts';
import { decodeCursor } from './cursor.ts';
import { invalidFilter, requireColumn } from './parse-condition.ts';
import { parseColumnFilter, parseGroupFilter } from './parse-filter.ts';

const MAX_QUERY_LENGTH = 100_000;
const MAX_FILTERS = 100;
const MAX_ORDER_TERMS = 10;
/** Values of all conditions together: SQLite binds 32,766 values to a statement, and policies add some. */
const MAX_VALUES = 10_000;

/** The parameters of a query string, whose values are not parsed yet. */
export interface QueryParameters {
  filters: readonly (readonly [name: string, text: string])[];
  select: string | undefined;
  order: string | undefined;
  limit: string | undefined;
  offset: string | undefined;
  cursor: string | undefined;
  onConflict: string | undefined;
  /** The columns to take from each new row. */
  columns: string | undefined;
}

const GROUPS: readonly string[] = ['and', 'or', 'not.and', 'not.or'];

/** Splits the query string of a URL. Throws INVALID_FILTER when it is too long or not encoded correctly. */
export function parseParameters(url: string): QueryParameters {
  const question = url.indexOf('?');
  const search = question < 0 ? '' : url.slice(question + 1);
  if (search.length > MAX_QUERY_LENGTH) throw invalidFilter('The query is too long.');
  requireWellEncoded(search);
  const reserved = new Map<string, string>();
  const filters: [string, string][] = [];
  for (const [name, text] of new URLSearchParams(search)) {
    if (!RESERVED_NAMES.includes(name)) filters.push([name, text]);
    else if (reserved.has(name)) throw invalidFilter(`"${name}" is given twice.`);
    else reserved.set(name, text);
  }
  if (filters.length > MAX_FILTERS) throw invalidFilter(`A query may hold ${MAX_FILTERS} filters at most.`);
  return {
    filters,
    select: reserved.get('select'),
    order: reserved.get('order'),
    limit: reserved.get('limit'),
    offset: reserved.get('offset'),
    cursor: reserved.get('cursor'),
    onConflict: reserved.get('on_conflict'),
    columns: reserved.get('columns'),
  };
}

/** Parameters that are not filters. */
const RESERVED_NAMES: readonly string[] = [
  'select',
  'order',
  'limit',
  'offset',
  'cursor',
  'on_conflict',
  'columns',
];

/** Throws for percent-encoding that is not UTF-8: URLSearchParams would replace it silently. */
function requireWellEncoded(search: string): void {
  if (!search.includes('%')) return;
  try {
    decodeURIComponent(search);
  } catch {
    throw invalidFilter('The query is not encoded as addresses are: UTF-8, with "%25" for a "%".');
  }
}

/**
 * Parses the query language of the wire contract ("Database"). Throws UNKNOWN_COLUMN, INVALID_FILTER, INVALID_CURSOR,
 * VALIDATION_FAILED.
 */
export function parseReadQuery(parameters: QueryParameters, table: TableSchema): Query {
  const { columns, order } = parseForm(parameters, table);
  const offset = parseCount('offset', parameters.offset) ?? 0;
  const { cursor } = parameters;
  if (cursor !== undefined && offset > 0) {
    throw new AppError('INVALID_CURSOR', 'A cursor and an offset do not go together.');
  }
  return {
    columns,
    filter: parseFilter(parameters, table),
    order,
    limit: Math.min(parseCount('limit', parameters.limit) ?? DEFAULT_ROW_LIMIT, MAX_ROW_LIMIT),
    offset,
    after: cursor === undefined ? undefined : decodeCursor(cursor, order, table),
  };
}

/** Returns the part of a query that depends on `select` and `order` alone. */
export function parseForm(
  { select, order }: Pick<QueryParameters, 'select' | 'order'>,
  table: TableSchema,
): Pick<Query, 'columns' | 'order'> {
  return { order: parseOrder(order, table), columns: parseSelect(select, table) };
}

/**
 * Parses the query of an update or a delete like `parseReadQuery`. Throws FILTER_REQUIRED when there is no filter.
 * Without a limit, the query selects one row more than may be written, so that too many are noticed.
 */
export function parseWriteQuery(parameters: QueryParameters, table: TableSchema): Query {
  if (parameters.filters.length === 0) {
    throw new AppError('FILTER_REQUIRED', 'Say which rows are meant: this needs a filter.');
  }
  const given = parseCount('limit', parameters.limit);
  const limit = given === undefined ? MAX_ROW_LIMIT + 1 : Math.min(given, MAX_ROW_LIMIT);
  return { ...parseReadQuery(parameters, table), limit };
}

/** Throws INVALID_FILTER for a filter of a request that creates rows, where it has no meaning. */
export function requireNoFilter({ filters }: QueryParameters): void {
  const [first] = filters;
  if (first) throw invalidFilter(`New rows are not filtered: "${abbreviate(first[0])}" has no meaning here.`);
}

/** Throws INVALID_FILTER for `on_conflict` and `columns`, which have a meaning for new rows alone. */
export function requireNoInsertParameters({ onConflict, columns }: QueryParameters): void {
  if (onConflict !== undefined)
    throw invalidFilter('"on_conflict" is about new rows: it has no meaning here.');
  if (columns !== undefined) throw invalidFilter('"columns" is about new rows: it has no meaning here.');
}

/** Parses `on_conflict=a,b`. Throws UNKNOWN_COLUMN. */
export function parseConflictTarget(
  { onConflict }: QueryParameters,
  table: TableSchema,
): readonly string[] | undefined {
  if (onConflict === undefined) return undefined;
  return [...new Set(namesIn(onConflict).map((name) => requireColumn(table, name)))];
}

/** Parses `columns=a,b`, the columns to take from each new row. Throws UNKNOWN_COLUMN. */
export function parseColumns(
  { columns }: QueryParameters,
  table: TableSchema,
): readonly string[] | undefined {
  if (columns === undefined) return undefined;
  return [...new Set(namesIn(columns).map((name) => requireColumn(table, name)))];
}

/** Parses `a,b` or `*`; the default is every column. Throws UNKNOWN_COLUMN. */
function parseSelect(text: string | undefined, table: TableSchema): readonly string[] {
  const all = () => [...table.columns.keys()];
  if (!text || text === '*') return all();
  const names = namesIn(text);
  const columns = names.filter((name) => name !== '*').map((name) => requireSelectable(table, name));
  return names.length > columns.length ? all() : [...new Set(columns)];
}

/** Throws UNKNOWN_COLUMN, with an explanation for PostgREST's selections that are not supported here. */
function requireSelectable(table: TableSchema, name: string): string {
  if (table.columns.has(name) || !/[:(]|->/.test(name)) return requireColumn(table, name);
  throw new AppError(
    'UNKNOWN_COLUMN',
    `"${abbreviate(name)}" is no column: aliases, casts, functions and rows of other tables are not offered here.`,
    { details: [{ field: abbreviate(name), message: 'is not a column of this table' }] },
  );
}

/** Trims spaces alone; other white space is a part of the name. */
function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text.charAt(start) === ' ') start += 1;
  while (end > start && text.charAt(end - 1) === ' ') end -= 1;
  return text.slice(start, end);
}

/** Splits a list of names, which may be quoted. */
function namesIn(text: string): string[] {
  return text.split(',').map((name) => trimSpaces(name).replace(/^"(.*)"$/, '$1'));
}

function parseFilter({ filters }: QueryParameters, table: TableSchema): Filter {
  const of = filters.map(([name, text]) => {
    if (GROUPS.includes(name)) return parseGroupFilter(table, name, text);
    return parseColumnFilter(table, requireColumn(table, name), text);
  });
  const [only] = of;
  if (!only) return everyRow;
  const filter: Filter = of.length === 1 ? only : { kind: 'and', of };
  if (valuesIn(filter) > MAX_VALUES) throw invalidFilter(`A query may hold ${MAX_VALUES} values at most.`);
  return filter;
}

function valuesIn(filter: Filter): number {
  switch (filter.kind) {
    case 'in':
      return filter.values.length;
    case 'and':
    case 'or':
      return filter.of.reduce((sum, inner) => sum + valuesIn(inner), 0);
    case 'not':
      return valuesIn(filter.of);
    default:
      return 1;
  }
}

const ORDER_TERM = /^(\w+)(?:\.(asc|desc))?(?:\.(nullsfirst|nullslast))?$/;

/** Parses `a.desc.nullslast,b`. By default, nulls come last when ascending and first when descending, as in PostgreSQL. */
function parseOrder(text: string | undefined, table: TableSchema): OrderTerm[] {
  const terms: OrderTerm[] = [];
  const parts = text ? text.split(',') : [];
  if (parts.length > MAX_ORDER_TERMS)
    throw invalidFilter(`An order may have ${MAX_ORDER_TERMS} terms at most.`);
  for (const part of parts) {
    const found = ORDER_TERM.exec(trimSpaces(part));
    if (!found) {
      throw invalidFilter(
        `An order is column.asc or column.desc, then .nullsfirst or .nullslast: "${abbreviate(part)}" is none.`,
      );
    }
    const column = requireColumn(table, found[1] ?? '');
    const descending = found[2] === 'desc';
    const nullsFirst = found[3] ? found[3] === 'nullsfirst' : descending;
    if (!terms.some((term) => term.column === column)) terms.push({ column, descending, nullsFirst });
  }
  if (terms.some(({ column }) => column === 'id')) return terms;
  // With the direction of the last term, one index can serve the whole order, forwards or backwards.
  const descending = terms.at(-1)?.descending ?? false;
  return [...terms, { column: 'id', descending, nullsFirst: descending }];
}

function parseCount(name: 'limit' | 'offset', text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const count = /^\d{1,16}$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(count)) return count;
  throw new AppError('VALIDATION_FAILED', `"${name}" must be a whole number that is not negative.`, {
    details: [{ field: name, message: 'must be a whole number that is not negative' }],
  });
}
