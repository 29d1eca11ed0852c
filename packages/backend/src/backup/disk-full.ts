import { isStoreFull } from '../services/storage/index.ts';

/**
 * SQLite's own codes: there is no room left, or the system refuses to make a file larger. Of the latter, a copy of a
 * whole database says no more than that something could not be read or written.
 */
const SQLITE_REFUSED: readonly unknown[] = [13, 778, 10];

/** Whether that is what an error comes from, somewhere behind it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { errcode } = error as { errcode?: unknown };
  return SQLITE_REFUSED.includes(errcode) || isStoreFull(error) || isDiskFull(error.cause);
}
