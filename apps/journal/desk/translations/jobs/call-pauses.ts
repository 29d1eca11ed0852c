import { AppError, backOffMs } from '@fabrica/backend';

/** A call that fails is made so often, with growing pauses between. */
export const MAX_CALLS = 6;
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** After these errors, a further call may succeed. */
const PASSING: ReadonlySet<string> = new Set(['AI_FAILED', 'AI_TIMEOUT', 'RATE_LIMITED']);

/** Tells whether a call of the model may succeed after this error. */
export function isPassing(error: unknown): error is AppError {
  return error instanceof AppError && PASSING.has(error.code);
}

/** Returns the milliseconds until a call is made again that has failed so often in a row. */
export function pauseAfter(
  { retryAfter = 0 }: AppError,
  failures: number,
  firstPauseMs: number = FIRST_PAUSE_MS,
): number {
  const pause = backOffMs(failures, { firstMs: firstPauseMs, longestMs: LONGEST_PAUSE_MS, jitter: 1 / 2 });
  return Math.max(pause, retryAfter * 1_000);
}
