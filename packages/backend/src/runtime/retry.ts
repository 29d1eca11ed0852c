import { setTimeout as wait } from 'node:timers/promises';

interface BackOff {
  /** Milliseconds after the first attempt. */
  firstMs: number;
  /** Tells how many times as long each further pause is; 2 by default. */
  factor?: number;
  /** The longest pause, before chance makes it longer. */
  longestMs?: number;
  /** The share of a pause that chance adds at most, so that those who failed together do not come back together. */
  jitter?: number;
}

/** Returns the milliseconds to wait after the attempt of this number, counted from 1. */
export function backOffMs(
  attempt: number,
  { firstMs, factor = 2, longestMs = Number.POSITIVE_INFINITY, jitter = 0 }: BackOff,
): number {
  return Math.min(firstMs * factor ** (attempt - 1), longestMs) * (1 + jitter * Math.random());
}

interface RetryOptions {
  /**
   * Returns the milliseconds to wait before the next attempt, or `undefined` when there shall be none. Attempts are
   * counted from 1.
   */
  pauseAfter(error: unknown, attempt: number): number | undefined;
  /** Once it is aborted, no attempt is made and no pause goes on. */
  signal?: AbortSignal;
}

/** Calls `act` until it succeeds. Throws what the last attempt threw, or an AbortError once the signal is aborted. */
export async function retry<T>(
  act: () => T | PromiseLike<T>,
  { pauseAfter, signal }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    signal?.throwIfAborted();
    try {
      return await act();
    } catch (error) {
      const pause = pauseAfter(error, attempt);
      if (pause === undefined) throw error;
      await wait(pause, undefined, { signal });
    }
  }
}
