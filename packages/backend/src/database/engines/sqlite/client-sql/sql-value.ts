import type { SQLInputValue, SQLOutputValue } from 'node:sqlite';
import type { SqlValue } from '../../../sql/statement-batch.ts';

/** Returns a value of JSON: bytes in base64, integers beyond 2^53 as text, and null for NaN and infinity. */
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

/** Returns the value to bind: SQLite has no booleans, and stores a number as an integer only from a bigint. */
export function toInput(value: SqlValue): SQLInputValue {
  if (typeof value === 'boolean') return value ? 1n : 0n;
  return typeof value === 'number' && Number.isSafeInteger(value) ? BigInt(value) : value;
}
