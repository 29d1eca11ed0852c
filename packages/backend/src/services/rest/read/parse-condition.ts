import type { ComparisonOperator } from '@fabrica/contract';
import { AppError, abbreviate } from '../../../core/errors.ts';
import type { Filter, Scalar } from '../../../core/filter.ts';
import type { TableSchema } from '../../../database/schema.ts';

const MAX_PATTERN_LENGTH = 200;

/** Matches an operator, which `not.` may precede; `not_in` is the same as `not.in`. */
export const OPERATOR = /(not\.)?(eq|neq|gte|gt|lte|lt|like|ilike|is|in|not_in)\./y;

export type Operator = ComparisonOperator | 'is' | 'in' | 'not_in';

/** A condition whose values are still text. */
export interface RawCondition {
  column: string;
  negated: boolean;
  operator: Operator;
  /** Several values for `in` and `not_in`, one for all others. */
  values: readonly string[];
}

/** Throws UNKNOWN_COLUMN. */
export function requireColumn(table: TableSchema, name: string): string {
  if (table.columns.has(name)) return name;
  throw new AppError('UNKNOWN_COLUMN', `Table "${table.name}" has no column "${abbreviate(name)}".`, {
    details: [{ field: abbreviate(name), message: 'is not a column of this table' }],
  });
}

export function invalidFilter(message: string): AppError {
  return new AppError('INVALID_FILTER', message);
}

/** Converts the values of a condition to the type of its column. Throws UNKNOWN_COLUMN, INVALID_FILTER. */
export function typedCondition(table: TableSchema, raw: RawCondition): Filter {
  const column = requireColumn(table, raw.column);
  const condition = unnegated(table, column, raw);
  return raw.negated ? { kind: 'not', of: condition } : condition;
}

function unnegated(table: TableSchema, column: string, { operator, values }: RawCondition): Filter {
  if (operator === 'in' || operator === 'not_in') {
    const list: Filter = { kind: 'in', column, values: values.map((value) => typed(table, column, value)) };
    return operator === 'in' ? list : { kind: 'not', of: list };
  }
  const [value = ''] = values;
  if (operator === 'is') return isCondition(table, column, value);
  if (operator === 'like' || operator === 'ilike') {
    return { kind: 'compare', column, operator, value: pattern(table, column, value) };
  }
  return { kind: 'compare', column, operator, value: typed(table, column, value) };
}

const IS_VALUES: ReadonlyMap<string, 'null' | 'true' | 'false'> = new Map([
  ['null', 'null'],
  ['true', 'true'],
  ['false', 'false'],
  // Existing clients write booleans as numbers.
  ['1', 'true'],
  ['0', 'false'],
]);

function isCondition(table: TableSchema, column: string, text: string): Filter {
  const word = text.toLowerCase();
  if (word === 'not_null') return { kind: 'not', of: { kind: 'is', column, value: 'null' } };
  const value = IS_VALUES.get(word);
  if (!value) throw invalidFilter('"is" takes null, not_null, true or false.');
  if (value !== 'null' && table.columns.get(column)?.type === 'text') {
    throw invalidFilter(`Column "${column}" holds text, which is neither true nor false.`);
  }
  return { kind: 'is', column, value };
}

function typed(table: TableSchema, column: string, text: string): Scalar {
  if (text.includes('\0')) throw invalidFilter('A filter may not hold the character NUL.');
  if (table.columns.get(column)?.type === 'text') return text;
  const number = /^\s*[+-]?\d{1,16}\s*$/.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(number)) {
    throw invalidFilter(`Column "${column}" holds whole numbers, and "${abbreviate(text)}" is none.`);
  }
  return number;
}

/** Returns a LIKE pattern: `*` stands for `%`, as in PostgREST, and `\*` for a star. */
function pattern(table: TableSchema, column: string, text: string): string {
  if (table.columns.get(column)?.type !== 'text') throw invalidFilter(`Column "${column}" holds no text.`);
  if (text.includes('\0')) throw invalidFilter('A filter may not hold the character NUL.');
  if (text.length > MAX_PATTERN_LENGTH) {
    throw invalidFilter(`A pattern may be ${MAX_PATTERN_LENGTH} characters long at most.`);
  }
  if (/(?:^|[^\\])(?:\\\\)*\\$/.test(text))
    throw invalidFilter('A pattern may not end with a lone backslash.');
  return text.replace(/\\.|\*/gs, (part) => (part === '*' ? '%' : part === '\\*' ? '*' : part));
}
