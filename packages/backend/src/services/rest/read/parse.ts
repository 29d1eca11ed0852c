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
/** Of all conditions together: SQLite binds 32,766 values to a statement, and policies bring some of their own. */
const MAX_VALUES = 10_000;

/** An address's query string, taken apart; what its parts mean is the business of `parse…`. */
export interface Parameters {
  filters: readonly (readonly [name: string, text: string])[];
  select: string | undefined;
  order: string | undefined;
  limit: string | undefined;
  offset: string | undefined;
  cursor: string | undefined;
  onConflict: string | undefined;
  /** Of new rows: those that are read from each of them. */
  columns: string | undefined;
}

const GROUPS: readonly string[] = ['and', 'or', 'not.and', 'not.or'];

/** `url` as it was requested. Throws INVALID_FILTER when there is too much of it, or when it is wrongly encoded. */
export function parseParameters(url: string): Parameters {
  const question = url.indexOf('?');
  const search = question < 0 ? '' : url.slice(question + 1);
  if (search.length > MAX_QUERY_LENGTH) throw invalidFilter('The query is too long.');
  requireWellEncoded(search);
  const known = new Map<string, string>();
  const filters: [string, string][] = [];
  for (const [name, text] of new URLSearchParams(search)) {
    if (!SETTINGS.includes(name)) filters.push([name, text]);
    else if (known.has(name)) throw invalidFilter(`"${name}" is given twice.`);
    else known.set(name, text);
  }
  if (filters.length > MAX_FILTERS) throw invalidFilter(`A query may hold ${MAX_FILTERS} filters at most.`);
  return {
    filters,
    select: known.get('select'),
    order: known.get('order'),
    limit: known.get('limit'),
    offset: known.get('offset'),
    cursor: known.get('cursor'),
    onConflict: known.get('on_conflict'),
    columns: known.get('columns'),
  };
}

const SETTINGS: readonly string[] = [
  'select',
  'order',
  'limit',
  'offset',
  'cursor',
  'on_conflict',
  'columns',
];

/** What is no UTF-8 behind its `%` would be read as something that nobody wrote. */
function requireWellEncoded(search: string): void {
  if (!search.includes('%')) return;
  try {
    decodeURIComponent(search);
  } catch {
    throw invalidFilter('The query is not encoded as addresses are: UTF-8, with "%25" for a "%".');
  }
}

/**
 * The dialect of the wire contract ("Database"), as data.
 * Throws UNKNOWN_COLUMN, INVALID_FILTER, INVALID_CURSOR, VALIDATION_FAILED.
 */
export function parseReadQuery(
  parameters: Parameters,
  table: TableSchema,
  { columns, order }: QueryForm = parseForm(parameters, table),
): Query {
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

/** What follows from `select` and `order` alone. */
export type QueryForm = Pick<Query, 'columns' | 'order'>;

export function parseForm(
  { select, order }: Pick<Parameters, 'select' | 'order'>,
  table: TableSchema,
): QueryForm {
  return { order: parseOrder(order, table), columns: parseSelect(select, table) };
}

/**
 * Like `parseReadQuery`, for what changes rows: throws FILTER_REQUIRED when every row would be meant. Without a limit,
 * one row more than may be changed is asked for.
 */
export function parseWriteQuery(parameters: Parameters, table: TableSchema): Query {
  if (parameters.filters.length === 0) {
    throw new AppError('FILTER_REQUIRED', 'Say which rows are meant: this needs a filter.');
  }
  const asked = parseCount('limit', parameters.limit);
  const limit = asked === undefined ? MAX_ROW_LIMIT + 1 : Math.min(asked, MAX_ROW_LIMIT);
  return { ...parseReadQuery(parameters, table), limit };
}

/** What makes new rows has none to look for: a filter there is a mistake. Throws INVALID_FILTER. */
export function requireNoFilter({ filters }: Parameters): void {
  const [first] = filters;
  if (first) throw invalidFilter(`New rows are not filtered: "${abbreviate(first[0])}" has no meaning here.`);
}

/** `on_conflict` and `columns` are about new rows: elsewhere they are a mistake. Throws INVALID_FILTER. */
export function requireNoInsertParameters({ onConflict, columns }: Parameters): void {
  if (onConflict !== undefined)
    throw invalidFilter('"on_conflict" is about new rows: it has no meaning here.');
  if (columns !== undefined) throw invalidFilter('"columns" is about new rows: it has no meaning here.');
}

/** `on_conflict=a,b`. Throws UNKNOWN_COLUMN. */
export function parseConflictTarget(
  { onConflict }: Parameters,
  table: TableSchema,
): readonly string[] | undefined {
  if (onConflict === undefined) return undefined;
  return [...new Set(namesIn(onConflict).map((name) => requireColumn(table, name)))];
}

/** `columns=a,b`: what is read of every new row. Throws UNKNOWN_COLUMN. */
export function parseColumns({ columns }: Parameters, table: TableSchema): readonly string[] | undefined {
  if (columns === undefined) return undefined;
  return [...new Set(namesIn(columns).map((name) => requireColumn(table, name)))];
}

/** `a,b` or `*`; every column when nothing is said. Throws UNKNOWN_COLUMN. */
export function parseSelect(text: string | undefined, table: TableSchema): readonly string[] {
  const all = () => [...table.columns.keys()];
  if (!text || text === '*') return all();
  const names = namesIn(text);
  const columns = names.filter((name) => name !== '*').map((name) => requireSelectable(table, name));
  return names.length > columns.length ? all() : [...new Set(columns)];
}

/** PostgREST knows more to select than this dialect: whoever asks for it is told so. */
function requireSelectable(table: TableSchema, name: string): string {
  if (table.columns.has(name) || !/[:(]|->/.test(name)) return requireColumn(table, name);
  throw new AppError(
    'UNKNOWN_COLUMN',
    `"${abbreviate(name)}" is no column: aliases, casts, functions and rows of other tables are not offered here.`,
    { details: [{ field: abbreviate(name), message: 'is not a column of this table' }] },
  );
}

/** Those around it; other white space is part of a name, and of none that there is. */
function withoutSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (text.charAt(start) === ' ') start += 1;
  while (end > start && text.charAt(end - 1) === ' ') end -= 1;
  return text.slice(start, end);
}

/** Names with commas between them, some of them in quotes. */
function namesIn(text: string): string[] {
  return text.split(',').map((name) => withoutSpaces(name).replace(/^"(.*)"$/, '$1'));
}

function parseFilter({ filters }: Parameters, table: TableSchema): Filter {
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

/** Nulls stand where PostgreSQL puts them: behind everything, which is first when descending. */
function parseOrder(text: string | undefined, table: TableSchema): OrderTerm[] {
  const terms: OrderTerm[] = [];
  const parts = text ? text.split(',') : [];
  if (parts.length > MAX_ORDER_TERMS)
    throw invalidFilter(`An order may have ${MAX_ORDER_TERMS} terms at most.`);
  for (const part of parts) {
    const found = ORDER_TERM.exec(withoutSpaces(part));
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
  // In the direction of the last term: then one index serves the whole order, forwards or backwards.
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
