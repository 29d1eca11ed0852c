import type { Row } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';

/** Throws NOT_ACCEPTABLE unless there is exactly one row. */
export function requireSingle(rows: readonly Row[]): Row {
  const [row] = rows;
  if (row && rows.length === 1) return row;
  throw notSingle(rows.length);
}

/** The details are PostgREST's words: by "0 rows" its clients tell none from several. */
export function notSingle(size: number): AppError {
  return new AppError(
    'NOT_ACCEPTABLE',
    `One row was asked for, and there are ${size === 0 ? 'none' : 'several'}.`,
    { details: `The result contains ${size} rows` },
  );
}
