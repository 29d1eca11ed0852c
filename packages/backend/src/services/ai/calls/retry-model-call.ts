import { backOffMs, retry } from '../../../runtime/retry.ts';

const RETRIES = 2;
/** The first pause as a share of the timeout, and at most in milliseconds. The second one is twice as long. */
const FIRST_PAUSE = 1 / 60;
const FIRST_PAUSE_MS = 500;
/** The longest pause as a share of the timeout. A provider that asks for a longer one is not called again. */
const LONGEST_PAUSE = 1 / 3;

interface RetryLimits {
  /** Once it is aborted, no attempt is made and no pause goes on. */
  signal: AbortSignal;
  /** Milliseconds to the first byte. */
  timeout: number;
}

/** Calls a provider up to three times while it is overloaded (429) or fails (5xx). Throws what the last attempt threw. */
export async function retryModelCall<T>(
  call: () => PromiseLike<T>,
  { signal, timeout }: RetryLimits,
): Promise<T> {
  return retry(call, {
    signal,
    pauseAfter(error, attempt) {
      const pause =
        retryAfterMs(error) ??
        backOffMs(attempt, { firstMs: Math.min(timeout * FIRST_PAUSE, FIRST_PAUSE_MS), jitter: 1 / 2 });
      const isLast = attempt > RETRIES || !isTransient(error) || pause > timeout * LONGEST_PAUSE;
      return isLast ? undefined : pause;
    },
  });
}

function isTransient(error: unknown): boolean {
  const status = (error as { statusCode?: number } | null)?.statusCode ?? 0;
  return status === 429 || status >= 500;
}

/**
 * Returns the milliseconds that the provider asks to wait in `Retry-After`, given in seconds or as a date, or
 * `undefined`.
 */
export function retryAfterMs(error: unknown): number | undefined {
  const { responseHeaders } = (error ?? {}) as { responseHeaders?: Record<string, string> };
  const wanted = responseHeaders?.['retry-after'];
  if (wanted === undefined) return undefined;
  if (/^\d{1,6}$/.test(wanted)) return Number(wanted) * 1_000;
  const date = Date.parse(wanted);
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}
