import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { SqlValue } from '../../../sql/statement-batch.ts';

/** A value as JSON has it: bytes in base64, whole numbers beyond 2^53 as text, and null for what is no number. */
export function presentValue(value: SQLOutputValue): SqlValue {
  switch (typeof value) {
    case 'bigint':
      return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
    case 'number':
      return Number.isFinite(value) ? value : null;
    case 'object':
      return value && Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString('base64');
    default:
      return value;
  }
}

/** As SQLite takes it: there are no booleans, and whole numbers are no fractions. */
export function toInput(value: SqlValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}

/** Bytes that a value takes, about. */
export function weightOf(value: SqlValue): number {
  return typeof value === 'string' ? value.length : 8;
}
