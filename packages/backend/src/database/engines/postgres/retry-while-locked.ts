import { backOffMs, retry } from '../../../runtime/retry.ts';
import { sqlState } from './postgres-error.ts';

const LOCK_NOT_AVAILABLE = '55P03';
/** The pauses between two attempts, in which those who waited behind the lock go on. */
const BACK_OFF = { firstMs: 200, longestMs: 2_000, jitter: 0.5 };
/** Milliseconds after which the operator is notified: a backup holds its locks for minutes. */
const LONGEST_MS = 15 * 60_000;

/** Runs a change of tables again until nobody holds a lock on them. Throws an Error with a sentence after a quarter of an hour. */
export async function retryWhileLocked<T>(act: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + LONGEST_MS;
  const pauseAfter = (error: unknown, attempt: number) => {
    if (!isLocked(error)) return undefined;
    if (performance.now() < deadline) return backOffMs(attempt, BACK_OFF);
    throw new Error(
      'A table has been locked for a quarter of an hour by another connection, perhaps a backup: see pg_stat_activity, and start again.',
      { cause: error },
    );
  };
  return retry(act, { pauseAfter });
}

/** A migration wraps the error of its statement. */
function isLocked(error: unknown): boolean {
  if (sqlState(error) === LOCK_NOT_AVAILABLE) return true;
  return error instanceof Error && error.cause !== undefined && isLocked(error.cause);
}
