import { COMPARISON_OPERATORS, toSnakeCase } from '@fabrica/contract';
import { ValidationError } from '../http/errors.ts';
import type { ColumnValue, Where } from './where.ts';

export interface QueryOptions<Row, Column extends keyof Row = keyof Row> {
  where?: Where<Row> | undefined;
  /** Sorts by these columns, in the order of the keys. */
  orderBy?: { [Name in keyof Row]?: 'asc' | 'desc' } | undefined;
  limit?: number | undefined;
  offset?: number | undefined;
  /** Returns only these columns. Default: all. */
  select?: readonly Column[] | undefined;
  /** The `nextCursor` of the previous page. */
  cursor?: string | undefined;
}

/** A condition on one column, with the operand as it is written alone and in a group. */
interface Condition {
  column: string;
  operator: string;
  alone: string;
  grouped: string;
}

type Group = { group: 'and' | 'or'; members: Term[] };
type Term = Condition | Group;

/** Builds the query string in the dialect of PostgREST. Throws a ValidationError for a filter without a value. */
export function buildQuery<Row, Column extends keyof Row>(
  options: QueryOptions<Row, Column>,
): URLSearchParams {
  const { where, orderBy, limit, offset, select, cursor } = options;
  const query = new URLSearchParams();
  if (select?.length) query.set('select', select.map((column) => toSnakeCase(String(column))).join(','));
  for (const term of where ? parseWhere(where) : []) {
    if ('group' in term) query.append(term.group, `(${term.members.map(writeMember).join(',')})`);
    else query.append(term.column, `${term.operator}.${term.alone}`);
  }
  const order = Object.entries(orderBy ?? {}).map(
    ([column, direction]) => `${toSnakeCase(column)}.${direction}`,
  );
  if (order.length) query.set('order', order.join(','));
  if (limit !== undefined) query.set('limit', String(limit));
  if (offset !== undefined) query.set('offset', String(offset));
  if (cursor !== undefined) query.set('cursor', cursor);
  return query;
}

function parseWhere(where: object): Term[] {
  return Object.entries(where).flatMap(([key, value]): Term[] => {
    if (key === 'AND') return [{ group: 'and', members: parseMembers(key, value) }];
    if (key === 'OR') return [{ group: 'or', members: parseMembers(key, value) }];
    return parseColumn(key, value);
  });
}

/** Parses the members of a group. Several conditions in one member become a group of their own. */
function parseMembers(key: string, value: unknown): Term[] {
  if (!Array.isArray(value) || value.length === 0)
    throw new ValidationError(`where.${key} needs a list of conditions.`);
  return value.map((member: object): Term => {
    const [first, ...rest] = parseWhere(member);
    if (!first) throw new ValidationError(`where.${key} holds an empty condition.`);
    return rest.length ? { group: 'and', members: [first, ...rest] } : first;
  });
}

function parseColumn(key: string, value: unknown): Condition[] {
  const column = toSnakeCase(key);
  if (!isOperators(value)) return [parseOperator(column, 'eq', value)];
  return Object.entries(value).flatMap(([operator, operand]) => {
    if (operator !== 'not' || !isOperators(operand)) return [parseOperator(column, operator, operand)];
    return Object.entries(operand).map(([inner, innerOperand]) => {
      const condition = parseOperator(column, inner, innerOperand);
      return { ...condition, operator: `not.${condition.operator}` };
    });
  });
}

function parseOperator(column: string, operator: string, operand: unknown): Condition {
  // A filter without a value must not match every row.
  if (operand === undefined) throw new ValidationError(`The filter on "${column}" has no value.`);
  if (operator === 'in' || operator === 'not_in') {
    if (!Array.isArray(operand))
      throw new ValidationError(`The filter "${operator}" on "${column}" needs a list.`);
    const list = `(${operand.map((item) => quote(writeScalar(column, item))).join(',')})`;
    return { column, operator: operator === 'in' ? 'in' : 'not.in', alone: list, grouped: list };
  }
  if (operator === 'is') return keyword(column, 'is', String(operand));
  if (operand === null && operator === 'eq') return keyword(column, 'is', 'null');
  if (operand === null && (operator === 'neq' || operator === 'not'))
    return keyword(column, 'not.is', 'null');
  const name = operator === 'not' ? 'neq' : operator;
  if (!(COMPARISON_OPERATORS as readonly string[]).includes(name))
    throw new ValidationError(`There is no filter "${operator}" (on "${column}").`);
  const alone = writeScalar(column, operand);
  return { column, operator: name, alone, grouped: quote(alone) };
}

function keyword(column: string, operator: string, word: string): Condition {
  return { column, operator, alone: word, grouped: word };
}

function isOperators(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function writeScalar(column: string, value: unknown): string {
  if (typeof value === 'boolean') return value ? '1' : '0';
  if (typeof value === 'string' || (typeof value === 'number' && Number.isFinite(value)))
    return String(value as ColumnValue);
  throw new ValidationError(`The filter on "${column}" has a value that is neither text nor a number.`);
}

function writeMember(term: Term): string {
  if ('group' in term) return `${term.group}(${term.members.map(writeMember).join(',')})`;
  return `${term.column}.${term.operator}.${term.grouped}`;
}

/** Quotes a value in a list or group as PostgREST does, so that its commas, parentheses and dots separate nothing. */
function quote(value: string): string {
  return /^[\w-]+$/.test(value) && value !== 'null' ? value : `"${value.replace(/[\\"]/g, '\\$&')}"`;
}
