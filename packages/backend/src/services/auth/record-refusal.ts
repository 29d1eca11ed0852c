import type { Context } from 'hono';
import type { Logger } from 'pino';
import { AppError } from '../../core/errors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { wideIpKey } from '../../http/networks.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import { loggedPath } from '../../http/request-context.ts';
import { recordEvent } from './audit.ts';
import { authWriter } from './queries.ts';
import { sourceOf } from './routes/request-info.ts';

/** Refusals of one account, or of one network's visitors, that are recorded: further ones fill the log and tell nothing new. */
const RECORDED: RateLimit = { name: 'recorded-refusals', points: 60, duration: 3_600 };
const MAX_PATH = 200;

/** Records a request that was refused with `FORBIDDEN` in the audit log of its project. Other errors are none of its. */
export type RecordRefusal = (c: Context<AppEnvironment>, error: unknown) => Promise<void>;

export function createRefusalRecorder({ limits }: { limits: RateLimits }): RecordRefusal {
  return async (c, error) => {
    const { project, caller, clientIp, log } = c.var as Partial<AppEnvironment['Variables']> & {
      log: Logger;
    };
    if (!(error instanceof AppError) || error.code !== 'FORBIDDEN' || !project || !caller) return;
    const userId = caller.kind === 'user' ? caller.id : null;
    const key = `${project.definition.id}:${userId ?? wideIpKey(clientIp ?? '')}`;
    if ((await limits.count(RECORDED, key)) > RECORDED.points) return;
    const { method, path } = c.req;
    const details = { method, path: loggedPath(path).slice(0, MAX_PATH) };
    const entry = { event: 'access-refused', userId, ...sourceOf(c), details } as const;
    // The caller gets its answer also while the database takes no writes.
    await recordEvent(authWriter(project.database), entry).catch((err: unknown) =>
      log.warn({ err, ...details }, 'A refused request was not recorded'),
    );
  };
}
