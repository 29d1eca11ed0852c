import type { MiddlewareHandler } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthSettings } from '../settings.ts';

const TOO_MANY = 429;
const PAUSE_MS = 1_000;

/**
 * Holds refusals of too many attempts back for a second. A program that guesses over many connections tries again as soon
 * as it is refused: it would keep the process busy with refusals, and owners waiting between them.
 */
export function slowRefusals({ refusalPauseMs = PAUSE_MS }: AuthSettings): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    await next();
    if (c.res.status !== TOO_MANY || refusalPauseMs === 0) return;
    await new Promise((resolve) => setTimeout(resolve, refusalPauseMs));
  };
}
