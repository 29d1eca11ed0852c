import { backOffMs, retry } from '../../runtime/retry.ts';

const RETRIES = 2;
/** Of the time to a first byte: 500 ms of 30 s before the second try, twice as long before the third. */
const FIRST_PAUSE = 1 / 60;
/** A provider that wants to be left alone for longer is not asked again. */
const LONGEST_PAUSE = 1 / 3;

export interface Patience {
  /** No try is made, and no pause taken, once this is aborted. */
  signal: AbortSignal;
  /** Milliseconds to a first byte. */
  timeout: number;
}

/** Asks up to three times while the provider has too much to do (429) or is broken (5xx); throws what the last try threw. */
export async function askAgain<T>(ask: () => PromiseLike<T>, { signal, timeout }: Patience): Promise<T> {
  return retry(ask, {
    signal,
    pauseAfter(error, attempt) {
      const pause =
        wantedPause(error) ?? backOffMs(attempt, { firstMs: timeout * FIRST_PAUSE, jitter: 1 / 2 });
      const isLast = attempt > RETRIES || !isPassing(error) || pause > timeout * LONGEST_PAUSE;
      return isLast ? undefined : pause;
    },
  });
}

function isPassing(error: unknown): boolean {
  const status = (error as { statusCode?: number } | null)?.statusCode ?? 0;
  return status === 429 || status >= 500;
}

/** Milliseconds that the provider asks us to wait, if it does: `Retry-After` in seconds or as a date. */
export function wantedPause(error: unknown): number | undefined {
  const { responseHeaders } = (error ?? {}) as { responseHeaders?: Record<string, string> };
  const wanted = responseHeaders?.['retry-after'];
  if (wanted === undefined) return undefined;
  if (/^\d{1,6}$/.test(wanted)) return Number(wanted) * 1_000;
  const date = Date.parse(wanted);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
