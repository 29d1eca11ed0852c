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

/** What an error says about a write; undefined when it is about something else. */
export function violationOf(error: unknown): Violation | undefined {
  const code = errorCode(error);
  return code === undefined ? undefined : VIOLATIONS[code];
}

/** Another connection holds the lock that a statement needs: it may be tried again. */
export function isBusy(error: unknown): boolean {
  const code = errorCode(error);
  // The lowest byte tells the kind.
  return code !== undefined && (code & 0xff) === SQLITE_BUSY;
}

/** The error as services throw it: a full disk is the operator's matter. */
export function toServiceError(error: unknown): unknown {
  if (errorCode(error) !== SQLITE_FULL) return error;
  return new AppError('STORAGE_FULL', 'There is no room for this on the server at the moment.', {
    cause: error,
  });
}

/** SQLite's own code of what went wrong. */
export function errorCode(error: unknown): number | undefined {
  const code = error instanceof Error && 'errcode' in error ? error.errcode : undefined;
  return typeof code === 'number' ? code : undefined;
}
