import { AppError } from '../../../core/errors.ts';
import type { Violation } from '../../port.ts';

/** SQLite's extended result codes. */
const VIOLATIONS: Readonly<Record<number, Violation>> = {
  275: 'check',
  787: 'foreign-key',
  1299: 'not-null',
  1555: 'unique',
  2067: 'unique',
  3091: 'check',
};

const SQLITE_BUSY = 5;
const SQLITE_FULL = 13;
/** SQLITE_CORRUPT and SQLITE_NOTADB. */
const MALFORMED: readonly number[] = [11, 26];

/** Returns the constraint that a write has broken; undefined for any other error. */
export function sqliteViolation(error: unknown): Violation | undefined {
  const code = sqliteErrorCode(error);
  return code === undefined ? undefined : VIOLATIONS[code];
}

/** Tells whether another connection holds the lock that a statement needs, so that it may be tried again. */
export function isBusy(error: unknown): boolean {
  return primaryCode(error) === SQLITE_BUSY;
}

/** Tells whether a statement has found that the file is malformed. */
export function isMalformed(error: unknown): boolean {
  return MALFORMED.includes(primaryCode(error) ?? 0);
}

/** Returns SQLite's result code, which is the lowest byte of the extended one. */
function primaryCode(error: unknown): number | undefined {
  const code = sqliteErrorCode(error);
  return code === undefined ? undefined : code & 0xff;
}

/** Returns STORAGE_FULL for a full disk, and any other error as it is. */
export function presentSqliteError(error: unknown): unknown {
  if (sqliteErrorCode(error) !== SQLITE_FULL) return error;
  return new AppError('STORAGE_FULL', 'There is no room for this on the server at the moment.', {
    cause: error,
  });
}

/** Returns SQLite's extended result code of an error. */
export function sqliteErrorCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}
