import { randomBytes } from 'node:crypto';
import { isBlank, toSnakeCase } from '@fabrica/contract';
import type { Row } from '../../core/bus.ts';
import type { FieldFault } from '../../core/errors.ts';
import { AppError, abbreviate } from '../../core/errors.ts';
import type { Scalar } from '../../core/filter.ts';
import type { Column, IntegerColumn, TextColumn } from '../../core/project.ts';
import type { WriteClock } from '../port.ts';
import type { TableSchema } from '../schema.ts';

/**
 * Returns the columns that a caller gave, with values that satisfy the columns' rules; stamps that the server sets are
 * left out. A `whole` row must have every column that the server cannot fill in. Throws UNKNOWN_COLUMN, or
 * VALIDATION_FAILED with `details: FieldFault[]`.
 */
export function validateColumns(
  table: TableSchema,
  given: Readonly<Record<string, unknown>>,
  { clock, whole = false, isStored = false }: { clock: WriteClock; whole?: boolean; isStored?: boolean },
): Row {
  const row: Row = {};
  const named = new Set<string>();
  const faults: FieldFault[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = columnName(table, key);
    const rule = table.columns.get(name);
    if (!rule || (clock.serverStamps && rule.stamp)) continue;
    const checked = rule.type === 'text' ? checkText(rule, value, isStored) : checkInteger(rule, value);
    if ('fault' in checked) faults.push({ field: name, message: checked.fault });
    else row[name] = checked.value;
    named.add(name);
  }
  if (whole) faults.push(...missing(table, named, clock));
  if (faults.length > 0) throw invalidRow(faults);
  return row;
}

function missing(table: TableSchema, named: ReadonlySet<string>, clock: WriteClock): FieldFault[] {
  return [...table.columns]
    .filter(([name, rule]) => !named.has(name) && implied(table, name, rule, clock) === undefined)
    .map(([field]) => ({ field, message: 'is required' }));
}

/** Adds the id, stamps and defaults to a new row. Throws VALIDATION_FAILED when a column is still missing. */
export function completeRow(table: TableSchema, given: Row, clock: WriteClock): Row {
  const faults = missing(table, new Set(Object.keys(given)), clock);
  if (faults.length > 0) throw invalidRow(faults);
  const row: Row = {};
  for (const [name, rule] of table.columns) {
    const value = given[name];
    row[name] = value === undefined ? (implied(table, name, rule, clock) ?? null) : value;
  }
  return row;
}

/** Returns the stamps that every write sets. */
export function writeStamps(table: TableSchema, given: Row, { now }: WriteClock): Row {
  const stamps: Row = {};
  for (const [name, rule] of table.columns) {
    if (rule.type === 'integer' && rule.stamp === 'write' && given[name] === undefined) stamps[name] = now;
  }
  return stamps;
}

/** Returns `post_1760000000000_k3v9…`: the time and random bytes (docs/spec/product.md section 9). */
export function generateId(table: TableSchema, now: number): string {
  return `${table.idPrefix}${now}_${randomBytes(8).toString('hex')}`;
}

function implied(table: TableSchema, name: string, rule: Column, clock: WriteClock): Scalar | undefined {
  if (name === 'id') return generateId(table, clock.now);
  if (rule.stamp) return rule.type === 'integer' ? clock.now : clock.callerName;
  return rule.default ?? (rule.nullable ? null : undefined);
}

/** Returns the column that a key names; some existing clients send camelCase when they upsert. Throws UNKNOWN_COLUMN. */
export function columnName(table: TableSchema, key: string): string {
  if (table.columns.has(key)) return key;
  const name = toSnakeCase(key);
  if (table.columns.has(name)) return name;
  throw new AppError('UNKNOWN_COLUMN', `Table "${table.name}" has no column "${abbreviate(key)}".`, {
    details: [{ field: abbreviate(key), message: 'is not a column of this table' }],
  });
}

/** Epoch ms of the last time that a `Date` can hold: what formats a later one throws, as pages would with each request. */
const LAST_TIME = 8.64e15;

type Checked = { value: Scalar } | { fault: string };

function checkText(rule: TextColumn, value: unknown, isStored: boolean): Checked {
  if (value === null) return rule.nullable ? { value } : { fault: 'must not be null' };
  if (typeof value !== 'string') return { fault: 'must be text' };
  if (value.includes('\0')) return { fault: 'must not hold the character NUL' };
  if (!value.isWellFormed()) return { fault: 'must be well-formed Unicode' };
  const text = rule.trim ? value.trim() : value;
  if (rule.min && isBlank(text)) return { fault: 'must not be blank' };
  const length = lengthWithin(text, rule);
  if (length > rule.max) return { fault: `must be ${rule.max} characters long at most` };
  if (rule.min && length < rule.min) return { fault: `must be ${rule.min} characters long at least` };
  if (rule.pattern && !rule.pattern.test(text)) return { fault: 'has a form that is not allowed' };
  const fault = rule.check?.(text, isStored);
  return fault === undefined ? { value: text } : { fault };
}

/** Counts code points, where their number decides: each is one or two units of the text's length. */
function lengthWithin(text: string, { min = 0, max }: { min?: number; max: number }): number {
  const isDecided = text.length > max * 2 || (text.length >= min * 2 && text.length <= max);
  if (isDecided) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function checkInteger(rule: IntegerColumn, given: unknown): Checked {
  // Clients send booleans, which are stored and returned as 1 and 0.
  const value = typeof given === 'boolean' ? Number(given) : given;
  if (value === null) return rule.nullable ? { value } : { fault: 'must not be null' };
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { fault: 'must be a whole number' };
  if (rule.min !== undefined && value < rule.min) return { fault: `must be ${rule.min} at least` };
  if (rule.max !== undefined && value > rule.max) return { fault: `must be ${rule.max} at most` };
  if (rule.stamp && Math.abs(value) > LAST_TIME) return { fault: 'must be a time in milliseconds' };
  // No column holds minus zero.
  return { value: value + 0 };
}

/** Returns the error for a row with these faults. */
export function invalidRow(faults: readonly FieldFault[]): AppError {
  const sentences = faults.map(({ field, message }) => `${field} ${message}`);
  return new AppError('VALIDATION_FAILED', `The row is not valid: ${sentences.join(', ')}.`, {
    details: faults,
  });
}
