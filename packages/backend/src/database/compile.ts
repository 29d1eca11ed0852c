import type { ComparisonOperator, Filter, Operand, Scalar } from '../filter.ts';
import type { Syntax } from './database.ts';
import type { OrderTerm, Query } from './query.ts';
import { columnOf, type Schema, type TableSchema } from './schema.ts';

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

/** Rows of a query, `columns` of each; `limit` may be other than the query's. */
export function compileSelect(
  context: CompileContext,
  query: Query,
  { columns = query.columns, limit = query.limit }: { columns?: readonly string[]; limit?: number } = {},
): Statement {
  const writer = new FilterWriter(context);
  const { order, offset, after } = query;
  const conditions = [writer.filter(query.filter), ...(after ? [writer.after(order, after)] : [])];
  const list = columns.map((column) => writer.column(column)).join(', ');
  let sql = `SELECT ${list} FROM ${writer.from}${where(conditions)} ORDER BY ${writer.order(order)}`;
  sql += ` LIMIT ${writer.bind(limit)}`;
  if (offset > 0) sql += ` OFFSET ${writer.bind(offset)}`;
  return { sql, parameters: writer.parameters };
}

export function compileCount(context: CompileContext, filter: Filter): Statement {
  const writer = new FilterWriter(context);
  const condition = writer.filter(filter);
  return {
    sql: `SELECT count(*) AS total FROM ${writer.from}${where([condition])}`,
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

export function compileInsert(
  { table, syntax }: CompileContext,
  row: Readonly<Record<string, Scalar>>,
): Statement {
  const names = Object.keys(row);
  const values = names.map((_, index) => syntax.placeholder(index + 1));
  const list = names.map((name) => quotedColumn(table, name));
  return {
    sql: `INSERT INTO ${quoted(table.name)} (${list.join(', ')}) VALUES (${values.join(', ')})`,
    parameters: Object.values(row),
  };
}

export function compileUpdate(
  { table, syntax }: CompileContext,
  id: Scalar,
  changes: Readonly<Record<string, Scalar>>,
): Statement {
  const names = Object.keys(changes);
  const list = names.map((name, index) => `${quotedColumn(table, name)} = ${syntax.placeholder(index + 1)}`);
  return {
    sql: `UPDATE ${quoted(table.name)} SET ${list.join(', ')} WHERE "id" = ${syntax.placeholder(names.length + 1)}`,
    parameters: [...Object.values(changes), id],
  };
}

export function compileDelete({ table, syntax }: CompileContext, id: Scalar): Statement {
  return { sql: `DELETE FROM ${quoted(table.name)} WHERE "id" = ${syntax.placeholder(1)}`, parameters: [id] };
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

function quotedColumn(table: TableSchema, name: string): string {
  columnOf(table, name);
  return quoted(name);
}

function where(conditions: readonly string[]): string {
  const told = conditions.filter((condition) => condition !== ALWAYS);
  return told.length > 0 ? ` WHERE ${told.join(' AND ')}` : '';
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
