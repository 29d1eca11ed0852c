import type { Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';

/** Returns the only row. Throws NOT_ACCEPTABLE unless there is exactly one. */
export function requireSingle(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row && rows.length === 1) return row;
  throw notSingle(rows.length);
}

/** Returns the error for another number of rows. The details are PostgREST's: its clients look for "0 rows". */
export function notSingle(count: number): AppError {
  return new AppError(
    'NOT_ACCEPTABLE',
    `One row was asked for, and there are ${count === 0 ? 'none' : 'several'}.`,
    { details: `The result contains ${count} rows` },
  );
}
