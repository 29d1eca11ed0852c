import type { Context } from 'hono';
import { type AppEnvironment, accountKey } from '../../../http/environment.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { clientClosedRequest } from '../calls/model-errors.ts';

/** Concurrent calls of one user with images or recordings; each may hold tens of megabytes. */
const PER_USER = 4;
/** Calls of one user that may wait. They hold little, as most bodies are not read yet. */
const MAX_WAITING = 16;
/** Concurrent calls of all users together. */
const TOTAL = 8;

/**
 * Limits the concurrent calls of each user and of all together. Further calls wait; beyond that, a user receives
 * RATE_LIMITED.
 */
export function createMediaLimit() {
  const limit = new Semaphore({
    concurrency: TOTAL,
    perKey: { concurrency: PER_USER, maxWaiting: MAX_WAITING },
  });
  return async (c: Context<AppEnvironment>, run: () => Promise<Response>): Promise<Response> => {
    const { signal } = c.req.raw;
    try {
      return await limit.run(run, { key: accountKey(c.var), signal });
    } catch (error) {
      if (signal.aborted) return clientClosedRequest();
      throw error;
    }
  };
}
