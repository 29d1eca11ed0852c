import type { ComparisonOperator, Filter, Operand, Scalar } from '../../core/filter.ts';
import type { Syntax } from '../port.ts';
import { columnOf, type Schema, type TableSchema } from '../schema.ts';
import type { OrderTerm, Query } from './query.ts';

/** SQL that holds names of the definition and placeholders only, and what belongs in those. */
export interface Statement {
  sql: string;
  parameters: readonly Scalar[];
}

/** What every compilation needs. */
export interface CompileContext {
  schema: Schema;
  table: TableSchema;
  syntax: Syntax;
}

export interface Selection {
  columns?: readonly string[];
  limit?: number;
  /** The transaction goes on to write these rows. */
  lock?: boolean;
}

/** Rows of a query; `columns` and `limit` may be other than the query's. */
export function compileSelect(
  context: CompileContext,
  query: Query,
  { columns = query.columns, limit = query.limit, lock = false }: Selection = {},
): Statement {
  const writer = new FilterWriter(context);
  const list = columns.map((column) => writer.column(column)).join(', ');
  let sql = writer.select(query, { list, order: writer.order(query.order), limit });
  const { lockRows } = context.syntax;
  if (lock && lockRows) sql += ` ${lockRows}`;
  return { sql, parameters: writer.parameters };
}

/** What stands between the rows of a JSON text, and nowhere within one: there a line break is written as `\\n`. */
export const ROW_SEPARATOR = ',\n';

/** What follows from the columns and the order of a query alone, as SQL. */
export interface ListText {
  /** A row as the text of a JSON object. */
  json: string;
  /** Its place in the order, in the same form; undefined where the row itself tells it. */
  place: string | undefined;
  order: string;
}

export function writeListText(
  context: CompileContext,
  { columns, order }: Pick<Query, 'columns' | 'order'>,
): ListText {
  const writer = new FilterWriter(context);
  const placed = order.map(({ column }) => column);
  const hides = placed.some((column) => !columns.includes(column));
  return {
    json: writer.json(columns),
    place: hides ? writer.json(placed) : undefined,
    order: writer.order(order),
  };
}

/** A query's rows in one: their text, how many they are, and the text of their places if rows do not tell them. */
export function compileJson(
  context: CompileContext,
  query: Query,
  { text, limit }: { text: ListText; limit: number },
): Statement {
  const writer = new FilterWriter(context);
  return { sql: writer.joined(query, { ...text, limit }), parameters: writer.parameters };
}

/**
 * The same of those of a query's rows that have these ids; what the query's filter lets through no more is left out.
 * It is the ids that are looked up, however the filter reads.
 */
export function compileJsonOf(
  context: CompileContext,
  query: Query,
  { text, ids }: { text: ListText; ids: readonly Scalar[] },
): Statement {
  const writer = new FilterWriter(context);
  const condition = writer.filter(query.filter);
  const json = condition === ALWAYS ? text.json : `CASE WHEN ${condition} THEN ${text.json} END`;
  const filter: Filter = { kind: 'in', column: 'id', values: ids };
  const among = { ...query, filter, offset: 0, after: undefined };
  return { sql: writer.joined(among, { ...text, json, limit: ids.length }), parameters: writer.parameters };
}

export function compileCount(context: CompileContext, filter: Filter): Statement {
  const writer = new FilterWriter(context);
  const condition = writer.filter(filter);
  return {
    // All rows are counted without being looked at.
    sql: `SELECT count(*) AS total FROM ${writer.from}${condition === ALWAYS ? '' : writer.where(filter, [condition])}`,
    parameters: writer.parameters,
  };
}

/** All columns of the rows that satisfy the filter, `limit` of them at most. */
export function compileRows(context: CompileContext, filter: Filter, limit: number): Statement {
  const columns = [...context.table.columns.keys()];
  return compileSelect(context, {
    columns,
    filter,
    order: [{ column: 'id', descending: false, nullsFirst: false }],
    limit,
    offset: 0,
    after: undefined,
  });
}

/** The ids of all rows that satisfy the filter. */
export function compileIds(context: CompileContext, filter: Filter): Statement {
  return compileSelect(context, {
    columns: ['id'],
    filter,
    order: [{ column: 'id', descending: false, nullsFirst: false }],
    limit: Number.MAX_SAFE_INTEGER,
    offset: 0,
    after: undefined,
  });
}

/** New rows, which have the same columns in the same order. */
export function compileInsert(
  { table, syntax }: CompileContext,
  rows: readonly Readonly<Record<string, Scalar>>[],
): Statement {
  const names = Object.keys(rows[0] ?? {});
  const parameters = rows.flatMap((row) => Object.values(row));
  const list = names.map((name) => quotedColumn(table, name));
  const places = rows.map((_, at) => {
    const values = names.map((_, index) => syntax.placeholder(at * names.length + index + 1));
    return `(${values.join(', ')})`;
  });
  return {
    sql: `INSERT INTO ${quoted(table.name)} (${list.join(', ')}) VALUES ${places.join(', ')}`,
    parameters,
  };
}

/** The same changes for each of the rows with these ids. */
export function compileUpdate(
  { table, syntax }: CompileContext,
  ids: readonly Scalar[],
  changes: Readonly<Record<string, Scalar>>,
): Statement {
  const names = Object.keys(changes);
  const list = names.map((name, index) => `${quotedColumn(table, name)} = ${syntax.placeholder(index + 1)}`);
  return {
    sql: `UPDATE ${quoted(table.name)} SET ${list.join(', ')} WHERE ${idAmong(ids, syntax, names.length)}`,
    parameters: [...Object.values(changes), ...ids],
  };
}

export function compileDelete({ table, syntax }: CompileContext, ids: readonly Scalar[]): Statement {
  return { sql: `DELETE FROM ${quoted(table.name)} WHERE ${idAmong(ids, syntax, 0)}`, parameters: ids };
}

/** `before`: how many parameters are bound already. */
function idAmong(ids: readonly Scalar[], syntax: Syntax, before: number): string {
  const places = ids.map((_, index) => syntax.placeholder(before + index + 1));
  return places.length === 1 ? `"id" = ${places[0]}` : `"id" IN (${places.join(', ')})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedColumn(table: TableSchema, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

/** Looking up more rows than that is no quick thing. */
const FEW_IDS = 500;

/** The rows' ids are told, and few: there are no more to look at. */
function isLookUp(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(isLookUp);
  if (filter.kind === 'in') return filter.column === 'id' && filter.values.length <= FEW_IDS;
  return filter.kind === 'compare' && filter.operator === 'eq' && filter.column === 'id';
}

const ALWAYS = '1 = 1';
const NEVER = '1 = 0';

const SIGNS: Readonly<Record<Exclude<ComparisonOperator, 'like' | 'ilike'>, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Writes conditions on one table, and on those that it looks through to. */
class FilterWriter {
  readonly parameters: Scalar[] = [];
  readonly #context: CompileContext;
  #aliases = 1;

  constructor(context: CompileContext) {
    this.#context = context;
  }

  get from(): string {
    return `${quoted(this.#context.table.name)} AS t0`;
  }

  bind(value: Scalar): string {
    this.parameters.push(typeof value === 'boolean' ? Number(value) : value);
    return this.#context.syntax.placeholder(this.parameters.length);
  }

  column(name: string): string {
    return `t0.${quotedColumn(this.#context.table, name)}`;
  }

  json(columns: readonly string[]): string {
    return this.#context.syntax.jsonObject(columns.map((column) => [column, this.column(column)] as const));
  }

  /** One row of all that a query answers, save those whose JSON is null; its parameters are bound before. */
  joined(query: Query, { json, place, order, limit }: ListText & { limit: number }): string {
    const list = place === undefined ? `${json} AS j` : `${json} AS j, ${place} AS p`;
    const rows = this.select(query, { list, order, limit });
    const text = `string_agg(j, '${ROW_SEPARATOR}'), count(j)`;
    const places =
      place === undefined ? '' : `, string_agg(p, '${ROW_SEPARATOR}') FILTER (WHERE j IS NOT NULL)`;
    return `SELECT ${text}${places} FROM (${rows}) AS page`;
  }

  /** What the list holds of a query's rows. The list's own parameters are bound before. */
  select(
    { filter, order: terms, offset, after }: Query,
    { list, order, limit }: { list: string; order: string; limit: number },
  ): string {
    const conditions = [this.filter(filter), ...(after ? [this.after(terms, after)] : [])];
    let sql = `SELECT ${list} FROM ${this.from}${this.where(filter, conditions)} ORDER BY ${order}`;
    sql += ` LIMIT ${this.#count(limit)}`;
    if (offset > 0) sql += ` OFFSET ${this.#count(offset)}`;
    return sql;
  }

  /** All of the conditions of this filter; first of all, an engine that bounds the rows is told of each. */
  where(filter: Filter, conditions: readonly string[]): string {
    const told = conditions.filter((condition) => condition !== ALWAYS);
    const { boundRows } = this.#context.syntax;
    if (boundRows !== undefined && !isLookUp(filter)) told.unshift(boundRows);
    return told.length > 0 ? ` WHERE ${told.join(' AND ')}` : '';
  }

  /** SQLite plans a statement anew whenever a limit is bound that stands there as it is: that takes longer than a row. */
  #count(value: number): string {
    return `CAST(${this.bind(value)} AS bigint)`;
  }

  /** Nulls are only mentioned where there may be some: an index cannot be told where they stand. */
  order(terms: readonly OrderTerm[]): string {
    return terms
      .map(({ column, descending, nullsFirst }) => {
        const nulls = this.#nullable(column) ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : '';
        return `${this.column(column)} ${descending ? 'DESC' : 'ASC'}${nulls}`;
      })
      .join(', ');
  }

  /** Rows that stand behind the one with these values. */
  after(terms: readonly OrderTerm[], values: readonly Scalar[]): string {
    const oneWay = terms.every(({ descending }) => descending === terms[0]?.descending);
    if (oneWay && !terms.some(({ column }) => this.#nullable(column))) {
      const columns = terms.map(({ column }) => this.column(column)).join(', ');
      const sign = terms[0]?.descending ? '<' : '>';
      return `(${columns}) ${sign} (${values.map((value) => this.bind(value)).join(', ')})`;
    }
    const alternatives = terms.flatMap((term, index) => {
      const behind = this.#behind(term, values[index] ?? null);
      if (behind === NEVER) return [];
      const same = terms.slice(0, index).map((earlier, at) => this.#same(earlier.column, values[at] ?? null));
      // The parameters of `behind` were bound first, so it is written first.
      return [`(${[behind, ...same].join(' AND ')})`];
    });
    return alternatives.length > 0 ? `(${alternatives.join(' OR ')})` : NEVER;
  }

  filter(filter: Filter, table = this.#context.table, alias = 't0'): string {
    switch (filter.kind) {
      case 'compare':
        return this.#compare(`${alias}.${quotedColumn(table, filter.column)}`, filter.operator, filter.value);
      case 'is': {
        const column = `${alias}.${quotedColumn(table, filter.column)}`;
        if (filter.value === 'null') return `${column} IS NULL`;
        return `(${column} IS NOT NULL AND ${column} ${filter.value === 'true' ? '<>' : '='} 0)`;
      }
      case 'in': {
        if (filter.values.length === 0) return NEVER;
        const values = filter.values.map((value) => this.bind(scalar(value)));
        return `${alias}.${quotedColumn(table, filter.column)} IN (${values.join(', ')})`;
      }
      case 'and':
      case 'or':
        return this.#group(filter.kind, filter.of, table, alias);
      case 'not':
        return `NOT (${this.filter(filter.of, table, alias)})`;
      case 'through':
        return this.#through(filter, `${alias}.${quotedColumn(table, filter.column)}`);
      case 'permitted':
        throw tooEarly();
    }
  }

  #compare(column: string, operator: ComparisonOperator, operand: Operand): string {
    const value = scalar(operand);
    if (operator === 'like' || operator === 'ilike') {
      return this.#context.syntax[operator](column, String(value), (pattern) => this.bind(pattern));
    }
    return `${column} ${SIGNS[operator]} ${this.bind(value)}`;
  }

  #group(kind: 'and' | 'or', of: readonly Filter[], table: TableSchema, alias: string): string {
    const neutral = kind === 'and' ? ALWAYS : NEVER;
    const parts = of.map((inner) => this.filter(inner, table, alias)).filter((part) => part !== neutral);
    if (parts.length <= 1) return parts[0] ?? neutral;
    return `(${parts.join(kind === 'and' ? ' AND ' : ' OR ')})`;
  }

  #through({ table: name, where: inner }: Extract<Filter, { kind: 'through' }>, column: string): string {
    const target = this.#context.schema.get(name);
    if (!target) throw new Error(`A filter looks at table "${name}", which is not defined.`);
    const alias = `t${this.#aliases++}`;
    const condition = this.filter(inner, target, alias);
    return `EXISTS (SELECT 1 FROM ${quoted(name)} AS ${alias} WHERE ${alias}."id" = ${column} AND ${condition})`;
  }

  #nullable(column: string): boolean {
    return columnOf(this.#context.table, column).nullable === true;
  }

  #same(column: string, value: Scalar): string {
    return value === null ? `${this.column(column)} IS NULL` : `${this.column(column)} = ${this.bind(value)}`;
  }

  #behind({ column, descending, nullsFirst }: OrderTerm, value: Scalar): string {
    if (value === null) return nullsFirst ? `${this.column(column)} IS NOT NULL` : NEVER;
    const behind = `${this.column(column)} ${descending ? '<' : '>'} ${this.bind(value)}`;
    return this.#nullable(column) && !nullsFirst ? `(${behind} OR ${this.column(column)} IS NULL)` : behind;
  }
}

function scalar(operand: Operand): Scalar {
  if (operand !== null && typeof operand === 'object') {
    throw tooEarly();
  }
  return operand;
}

function tooEarly(): Error {
  return new Error('A filter was compiled before the caller was filled in.');
}
