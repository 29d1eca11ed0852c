import type { MiddlewareHandler } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthSettings } from '../settings.ts';

const TOO_MANY = 429;
const PAUSE_MS = 1_000;

/**
 * Holds refusals of too many attempts back for one to two seconds. A program that guesses over many connections tries again as
 * soon as it is refused: it would keep the process busy with refusals, and owners waiting between them. The time is random so that
 * connections which were refused together do not come back together.
 */
export function slowRefusals({ refusalPauseMs = PAUSE_MS }: AuthSettings): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    await next();
    if (c.res.status !== TOO_MANY || refusalPauseMs === 0) return;
    const pauseMs = refusalPauseMs * (1 + Math.random());
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  };
}
