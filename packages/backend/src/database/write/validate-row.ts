import { randomBytes } from 'node:crypto';
import { toSnakeCase } from '@fabrica/contract';
import type { Row } from '../../core/bus.ts';
import type { FieldFault } from '../../core/errors.ts';
import { AppError, abbreviate } from '../../core/errors.ts';
import type { Scalar } from '../../core/filter.ts';
import type { Column, IntegerColumn, TextColumn } from '../../core/project.ts';
import type { Clock } from '../port.ts';
import { columnOf, type TableSchema } from '../schema.ts';

const MAX_ROWS_PER_REQUEST = 1_000;

/** The rows of a body, one or several. Throws VALIDATION_FAILED. */
export function requireRows(body: unknown): Record<string, unknown>[] {
  const rows = Array.isArray(body) ? body : [body];
  if (rows.length > MAX_ROWS_PER_REQUEST) {
    throw new AppError('VALIDATION_FAILED', `A request may bring ${MAX_ROWS_PER_REQUEST} rows at most.`);
  }
  return rows.map(requireObject);
}

export function requireObject(value: unknown): Record<string, unknown> {
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return value as Record<string, unknown>;
  throw new AppError('VALIDATION_FAILED', 'A row must be a JSON object.');
}

/**
 * What `columns` names of a row that came, and nothing else of it. A column that it lacks becomes null or its default,
 * as PostgREST has it, save for the id and the stamps, which the server fills in.
 */
export function pickColumns(
  table: TableSchema,
  given: Readonly<Record<string, unknown>>,
  { columns, missingDefault }: { columns: readonly string[]; missingDefault: boolean },
): Record<string, unknown> {
  const picked: Record<string, unknown> = {};
  for (const name of columns) {
    const rule = columnOf(table, name);
    if (Object.hasOwn(given, name)) picked[name] = given[name];
    else if (name === 'id' || (rule.type === 'integer' && rule.stamp)) continue;
    else if (!missingDefault) picked[name] = null;
    else if (rule.default !== undefined || rule.nullable) picked[name] = rule.default ?? null;
  }
  return picked;
}

/**
 * The columns that a caller gave, each as its rule has it; what the server stamps itself is left out. A `whole` row
 * must have every column that the server cannot fill in.
 * Throws UNKNOWN_COLUMN, or VALIDATION_FAILED with `details: FieldFault[]`.
 */
export function validateColumns(
  table: TableSchema,
  given: Readonly<Record<string, unknown>>,
  { now, stampsBind }: Clock,
  { whole = false } = {},
): Row {
  const row: Row = {};
  const named = new Set<string>();
  const faults: FieldFault[] = [];
  for (const [key, value] of Object.entries(given)) {
    const name = columnName(table, key);
    const rule = table.columns.get(name);
    if (!rule || (stampsBind && rule.type === 'integer' && rule.stamp)) continue;
    const checked = rule.type === 'text' ? checkText(rule, value) : checkInteger(rule, value);
    if ('fault' in checked) faults.push({ field: name, message: checked.fault });
    else row[name] = checked.value;
    named.add(name);
  }
  if (whole) faults.push(...missing(table, named, now));
  if (faults.length > 0) throw invalid(faults);
  return row;
}

function missing(table: TableSchema, named: ReadonlySet<string>, now: number): FieldFault[] {
  return [...table.columns]
    .filter(([name, rule]) => !named.has(name) && implied(table, name, rule, now) === undefined)
    .map(([field]) => ({ field, message: 'is required' }));
}

/**
 * A whole new row of what was given: id, stamps and defaults added.
 * Throws VALIDATION_FAILED when something is missing.
 */
export function completeRow(table: TableSchema, given: Row, { now }: Clock): Row {
  const faults = missing(table, new Set(Object.keys(given)), now);
  if (faults.length > 0) throw invalid(faults);
  const row: Row = {};
  for (const [name, rule] of table.columns) {
    const value = given[name];
    row[name] = value === undefined ? (implied(table, name, rule, now) ?? null) : value;
  }
  return row;
}

/** The stamps of columns that follow every write. */
export function writeStamps(table: TableSchema, given: Row, { now }: Clock): Row {
  const stamps: Row = {};
  for (const [name, rule] of table.columns) {
    if (rule.type === 'integer' && rule.stamp === 'write' && given[name] === undefined) stamps[name] = now;
  }
  return stamps;
}

/** `post_1760000000000_k3v9…`: time and chance (docs/spec/product.md section 9). */
export function generateId(table: TableSchema, now: number): string {
  return `${table.idPrefix}${now}_${randomBytes(8).toString('hex')}`;
}

function implied(table: TableSchema, name: string, rule: Column, now: number): Scalar | undefined {
  if (name === 'id') return generateId(table, now);
  if (rule.type === 'integer' && rule.stamp) return now;
  return rule.default ?? (rule.nullable ? null : undefined);
}

/** Some existing clients send camelCase when they upsert. Throws UNKNOWN_COLUMN. */
export function columnName(table: TableSchema, key: string): string {
  if (table.columns.has(key)) return key;
  const name = toSnakeCase(key);
  if (table.columns.has(name)) return name;
  throw new AppError('UNKNOWN_COLUMN', `Table "${table.name}" has no column "${abbreviate(key)}".`, {
    details: [{ field: abbreviate(key), message: 'is not a column of this table' }],
  });
}

type Checked = { value: Scalar } | { fault: string };

function checkText(rule: TextColumn, value: unknown): Checked {
  if (value === null) return rule.nullable ? { value } : { fault: 'must not be null' };
  if (typeof value !== 'string') return { fault: 'must be text' };
  if (value.includes('\0')) return { fault: 'must not hold the character NUL' };
  if (!value.isWellFormed()) return { fault: 'must be well-formed Unicode' };
  const text = rule.trim ? value.trim() : value;
  if (rule.min && text.trim() === '') return { fault: 'must not be blank' };
  const length = lengthWithin(text, rule.max);
  if (length > rule.max) return { fault: `must be ${rule.max} characters long at most` };
  if (rule.min && length < rule.min) return { fault: `must be ${rule.min} characters long at least` };
  if (rule.pattern && !rule.pattern.test(text)) return { fault: 'has a form that is not allowed' };
  return { value: text };
}

/** Characters as people count them; texts that are far too long are not counted to their end. */
function lengthWithin(text: string, max: number): number {
  if (text.length > max * 2) return text.length;
  let length = 0;
  for (const _ of text) length += 1;
  return length;
}

function checkInteger(rule: IntegerColumn, given: unknown): Checked {
  // How clients send booleans, which are asked for as 1 and 0.
  const value = typeof given === 'boolean' ? Number(given) : given;
  if (value === null) return rule.nullable ? { value } : { fault: 'must not be null' };
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) return { fault: 'must be a whole number' };
  if (rule.min !== undefined && value < rule.min) return { fault: `must be ${rule.min} at least` };
  if (rule.max !== undefined && value > rule.max) return { fault: `must be ${rule.max} at most` };
  // Minus zero is no number that a column holds.
  return { value: value + 0 };
}

function invalid(faults: readonly FieldFault[]): AppError {
  const sentences = faults.map(({ field, message }) => `${field} ${message}`);
  return new AppError('VALIDATION_FAILED', `The row is not valid: ${sentences.join(', ')}.`, {
    details: faults,
  });
}
