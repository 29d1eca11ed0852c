import { AppError } from '../../../core/errors.ts';
import type { Scalar } from '../../../core/filter.ts';
import type { OrderTerm } from '../../../database/query/query.ts';
import { columnOf, type TableSchema } from '../../../database/schema.ts';

/** Characters; clients accept about 16 kB of headers. Without a cursor, clients page by `offset`. */
const MAX_CURSOR_LENGTH = 4_000;

/** Returns the signature of an order, by which a cursor is matched to it. */
export function signatureOf(order: readonly OrderTerm[]): string {
  return order.map(({ column, descending, nullsFirst }) => `${column}.${descending}.${nullsFirst}`).join();
}

/** Returns the cursor for `X-Next-Cursor` after the row with these values; undefined when it is too long for a header. */
export function encodeCursor(signature: string, values: readonly Scalar[]): string | undefined {
  const cursor = Buffer.from(JSON.stringify([signature, ...values])).toString('base64url');
  return cursor.length <= MAX_CURSOR_LENGTH ? cursor : undefined;
}

/** Returns the values of a cursor. Throws INVALID_CURSOR unless `encodeCursor` made it for the same order. */
export function decodeCursor(cursor: string, order: readonly OrderTerm[], table: TableSchema): Scalar[] {
  const [signature, ...values] = parsed(cursor);
  if (signature !== signatureOf(order)) {
    throw new AppError('INVALID_CURSOR', 'This cursor belongs to a list in another order.');
  }
  const fits = (value: unknown, { column }: OrderTerm) => {
    const rule = columnOf(table, column);
    if (value === null) return rule.nullable === true;
    return rule.type === 'text' ? typeof value === 'string' : Number.isSafeInteger(value);
  };
  if (values.length !== order.length || !order.every((term, index) => fits(values[index], term)))
    throw invalid();
  return values as Scalar[];
}

function parsed(cursor: string): unknown[] {
  let value: unknown;
  try {
    value = cursor.length <= MAX_CURSOR_LENGTH && JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    throw invalid();
  }
  if (!Array.isArray(value)) throw invalid();
  return value;
}

function invalid(): AppError {
  return new AppError('INVALID_CURSOR', 'This cursor is not one that we gave.');
}
