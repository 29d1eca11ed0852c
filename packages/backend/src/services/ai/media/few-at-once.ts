import type { Context } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import { Semaphore } from '../../../runtime/semaphore.ts';
import { nobodyWaits } from '../nobody-waits.ts';

/** Calls with pictures or recordings of one user at a time: each may hold tens of megabytes. */
const AT_ONCE = 4;
/** Those that wait hold little: of most, the bodies are not read yet. */
const WAITING = 16;
/** The same of all together. */
const OF_ALL = 8;

/**
 * Lets each user make a few calls at a time, and all together a few more; the next ones wait, and any more of a user are
 * refused with RATE_LIMITED.
 */
export function createMediaLimit() {
  const limit = new Semaphore({
    concurrency: OF_ALL,
    perKey: { concurrency: AT_ONCE, maxWaiting: WAITING },
  });
  return async (c: Context<AppEnvironment>, act: () => Promise<Response>): Promise<Response> => {
    const { caller, project } = c.var;
    const { signal } = c.req.raw;
    const key = caller.kind === 'user' ? `${project.definition.id}:${caller.id}` : undefined;
    try {
      return await limit.run(act, { key, signal });
    } catch (error) {
      if (signal.aborted) return nobodyWaits();
      throw error;
    }
  };
}
