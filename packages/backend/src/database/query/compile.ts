import type { ComparisonOperator } from '@fabrica/contract';
import type { Filter, Operand, Scalar } from '../../core/filter.ts';
import type { Syntax } from '../port.ts';
import { columnOf, type Schema, type TableSchema } from '../schema.ts';
import type { OrderTerm, Query, Statement } from './query.ts';

export interface CompileContext {
  schema: Schema;
  table: TableSchema;
  syntax: Syntax;
}

interface Selection {
  columns?: readonly string[];
  limit?: number;
  /** Whether to lock the rows, which the transaction is going to write. */
  lock?: boolean;
}

/** Selects the rows of a query; `columns` and `limit` may differ from the query's. */
export function compileSelect(
  context: CompileContext,
  query: Query,
  { columns = query.columns, limit = query.limit, lock = false }: Selection = {},
): Statement {
  const writer = new FilterWriter(context);
  const list = columns.map((column) => writer.column(column)).join(', ');
  let sql = writer.select(writer.rows(query, limit), list, writer.order(query.order));
  const { lockRows } = context.syntax;
  if (lock && lockRows) sql += ` ${lockRows}`;
  return { sql, parameters: writer.parameters };
}

export function compileCount(context: CompileContext, filter: Filter): Statement {
  const writer = new FilterWriter(context);
  const condition = writer.filter(filter);
  return {
    // A count of all rows does not look at them, and needs no limit.
    sql: `SELECT count(*) AS total FROM ${writer.from}${condition === ALWAYS ? '' : writer.where(filter, [condition])}`,
    parameters: writer.parameters,
  };
}

/** Selects all columns of the rows that satisfy the filter, at most `limit` of them. */
export function compileRows(context: CompileContext, filter: Filter, limit: number): Statement {
  return compileSelect(context, { ...wholeList([...context.table.columns.keys()], filter), limit });
}

/** Selects the ids of all rows that satisfy the filter. */
export function compileIds(context: CompileContext, filter: Filter): Statement {
  return compileSelect(context, { ...wholeList(['id'], filter), limit: Number.MAX_SAFE_INTEGER });
}

function wholeList(columns: readonly string[], filter: Filter): Omit<Query, 'limit'> {
  const order = [{ column: 'id', descending: false, nullsFirst: false }];
  return { columns, filter, order, offset: 0, after: undefined };
}

/** Inserts rows, which have the same columns in the same order. */
export function compileInsert(
  { table, syntax }: CompileContext,
  rows: readonly Readonly<Record<string, Scalar>>[],
): Statement {
  const names = Object.keys(rows[0] ?? {});
  const parameters = rows.flatMap((row) => Object.values(row));
  const list = names.map((name) => quotedColumn(table, name));
  const tuples = rows.map((_, row) => {
    const values = names.map((_, index) => syntax.placeholder(row * names.length + index + 1));
    return `(${values.join(', ')})`;
  });
  return {
    sql: `INSERT INTO ${quoted(table.name)} (${list.join(', ')}) VALUES ${tuples.join(', ')}`,
    parameters,
  };
}

/** Writes the same values to each of the rows with these ids. */
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

interface DirectWrite {
  filter: Filter;
  /** Whether nothing is written unless it is exactly one row. */
  single: boolean;
}

/** Writes values to the rows that satisfy the filter, and returns them as they are then. */
export function compileDirectUpdate(
  context: CompileContext,
  changes: Readonly<Record<string, Scalar>>,
  write: DirectWrite,
): Statement {
  const writer = new FilterWriter(context);
  const list = Object.entries(changes).map(
    ([name, value]) => `${quotedColumn(context.table, name)} = ${writer.bind(value)}`,
  );
  const sql = `UPDATE ${writer.from} SET ${list.join(', ')} WHERE ${writer.directly(write)} RETURNING *`;
  return { sql, parameters: writer.parameters };
}

/** Deletes the rows that satisfy the filter, and returns them. */
export function compileDirectDelete(context: CompileContext, write: DirectWrite): Statement {
  const writer = new FilterWriter(context);
  const sql = `DELETE FROM ${writer.from} WHERE ${writer.directly(write)} RETURNING *`;
  return { sql, parameters: writer.parameters };
}

/** Returns the condition on the id; `bound` parameters are bound before. */
function idAmong(ids: readonly Scalar[], syntax: Syntax, bound: number): string {
  const placeholders = ids.map((_, index) => syntax.placeholder(bound + index + 1));
  return placeholders.length === 1 ? `"id" = ${placeholders[0]}` : `"id" IN (${placeholders.join(', ')})`;
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedColumn(table: TableSchema, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

/** Looking up more rows than this is no longer quick. */
const FEW_IDS = 500;

/** Tells whether the filter names a few ids, so that the statement looks at no other rows. */
function isLookUp(filter: Filter): boolean {
  if (filter.kind === 'and') return filter.of.some(isLookUp);
  if (filter.kind === 'in') return filter.column === 'id' && filter.values.length <= FEW_IDS;
  return filter.kind === 'compare' && filter.operator === 'eq' && filter.column === 'id';
}

/** Conditions that every row satisfies, and none. */
export const ALWAYS = '1 = 1';
const NEVER = '1 = 0';

const SIGNS: Readonly<Record<Exclude<ComparisonOperator, 'like' | 'ilike'>, string>> = {
  eq: '=',
  neq: '<>',
  gt: '>',
  gte: '>=',
  lt: '<',
  lte: '<=',
};

/** Tells which rows a statement selects. */
export interface RowsText {
  /** Empty, or begins with ` WHERE `. */
  where: string;
  /** Begins with ` LIMIT `, and may have an offset. */
  limit: string;
}

/** Writes conditions on one table, and on the tables that its filters refer to. */
export class FilterWriter {
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

  /** Selects a list of expressions from rows. */
  select({ where, limit }: RowsText, list: string, order: string): string {
    return `SELECT ${list} FROM ${this.from}${where} ORDER BY ${order}${limit}`;
  }

  /** Returns the conditions and the limit of a query. Parameters of what is selected must be bound before. */
  rows({ filter, order, offset, after }: Query, limit: number): RowsText {
    const conditions = [this.filter(filter), ...(after ? [this.after(order, after)] : [])];
    const where = this.where(filter, conditions);
    const upTo = ` LIMIT ${this.#limit(limit)}`;
    return { where, limit: offset > 0 ? `${upTo} OFFSET ${this.#count(offset)}` : upTo };
  }

  /** Joins the conditions of a filter; the engine's limit on rows comes first, so that it counts each row. */
  where(filter: Filter, conditions: readonly string[]): string {
    const all = conditions.filter((condition) => condition !== ALWAYS);
    const { boundRows } = this.#context.syntax;
    if (boundRows !== undefined && !isLookUp(filter)) all.unshift(boundRows);
    return all.length > 0 ? ` WHERE ${all.join(' AND ')}` : '';
  }

  /** Returns the condition of a statement that writes the rows of a filter without looking them up first. */
  directly({ filter, single }: DirectWrite): string {
    const condition = this.filter(filter);
    if (!single) return condition;
    return `${condition} AND (SELECT count(*) FROM ${this.from} WHERE ${this.filter(filter)}) = 1`;
  }

  /** Returns the expression for a limit, which is a part of the text where the engine plans a statement by it. */
  #limit(rows: number): string {
    return this.#context.syntax.isLiteralLimit(rows) ? String(rows) : this.#count(rows);
  }

  /** The cast keeps SQLite from planning the statement again for each limit, which takes longer than reading a row. */
  #count(value: number): string {
    return `CAST(${this.bind(value)} AS bigint)`;
  }

  /** Names the position of nulls only for nullable columns: an index cannot serve an order that names it. */
  order(terms: readonly OrderTerm[]): string {
    return terms
      .map(({ column, descending, nullsFirst }) => {
        const nulls = this.#nullable(column) ? ` NULLS ${nullsFirst ? 'FIRST' : 'LAST'}` : '';
        return `${this.column(column)} ${descending ? 'DESC' : 'ASC'}${nulls}`;
      })
      .join(', ');
  }

  /** Returns the condition for the rows after the one with these values. */
  after(terms: readonly OrderTerm[], values: readonly Scalar[]): string {
    const sameDirection = terms.every(({ descending }) => descending === terms[0]?.descending);
    if (sameDirection && !terms.some(({ column }) => this.#nullable(column))) {
      const columns = terms.map(({ column }) => this.column(column)).join(', ');
      const sign = terms[0]?.descending ? '<' : '>';
      return `(${columns}) ${sign} (${values.map((value) => this.bind(value)).join(', ')})`;
    }
    const alternatives = terms.flatMap((term, index) => {
      const later = this.#afterTerm(term, values[index] ?? null);
      if (later === NEVER) return [];
      const equal = terms
        .slice(0, index)
        .map((earlier, term) => this.#equals(earlier.column, values[term] ?? null));
      // The parameters of `later` were bound first, so that it comes first.
      return [`(${[later, ...equal].join(' AND ')})`];
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
        throw callerMissing();
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

  #equals(column: string, value: Scalar): string {
    return value === null ? `${this.column(column)} IS NULL` : `${this.column(column)} = ${this.bind(value)}`;
  }

  #afterTerm({ column, descending, nullsFirst }: OrderTerm, value: Scalar): string {
    if (value === null) return nullsFirst ? `${this.column(column)} IS NOT NULL` : NEVER;
    const later = `${this.column(column)} ${descending ? '<' : '>'} ${this.bind(value)}`;
    return this.#nullable(column) && !nullsFirst ? `(${later} OR ${this.column(column)} IS NULL)` : later;
  }
}

function scalar(operand: Operand): Scalar {
  if (operand !== null && typeof operand === 'object') {
    throw callerMissing();
  }
  return operand;
}

function callerMissing(): Error {
  return new Error('A filter was compiled before the caller was filled in.');
}
