import type { Context } from 'hono';
import type { AppEnvironment } from '../../http/environment.ts';
import { createFairTurns } from '../../http/fair-turns.ts';
import { nobodyWaits } from '../nobody-waits.ts';

/** Calls with pictures or recordings of one user at a time: each may hold tens of megabytes. */
const AT_ONCE = 4;
/** Those that wait hold nothing: their bodies are not read yet. */
const WAITING = 16;

/**
 * Lets each user make a few calls at a time; the next ones wait, and any more are refused with RATE_LIMITED. The service role
 * may make any number.
 */
export function createFewAtOnce() {
  const turns = createFairTurns({
    atOnce: Number.POSITIVE_INFINITY,
    perCaller: AT_ONCE,
    waitingPerCaller: WAITING,
  });
  return async (c: Context<AppEnvironment>, act: () => Promise<Response>): Promise<Response> => {
    const { caller, project } = c.var;
    const { signal } = c.req.raw;
    const key = caller.kind === 'user' ? `${project.definition.id}:${caller.id}` : undefined;
    try {
      return await turns.run({ caller: key, signal }, act);
    } catch (error) {
      if (signal.aborted) return nobodyWaits();
      throw error;
    }
  };
}
