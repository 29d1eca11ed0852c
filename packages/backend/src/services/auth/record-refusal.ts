import type { Context } from 'hono';
import type { Logger } from 'pino';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimit, RateLimits } from '../../http/rate-limit.ts';
import { loggedPath } from '../../http/request-context.ts';
import { type AuditEvent, recordEvent } from './audit.ts';
import { authWriter } from './queries.ts';
import { sourceOf } from './routes/request-info.ts';

/** Refusals of one kind that a project records: further ones fill the log and tell nothing new. Networks share it. */
const RECORDED: RateLimit = { name: 'recorded-refusals', points: 20, duration: 300 };
const MAX_PATH = 200;

/**
 * Records in the audit log that a request was refused: for want of rights, by a limit, or for its input. One that names no project is
 * recorded in the first one. Other errors are none of its.
 */
export type RecordRefusal = (c: Context<AppEnvironment>, error: unknown) => Promise<void>;

export function createRefusalRecorder({
  limits,
  projects,
}: {
  limits: RateLimits;
  projects: ReadonlyMap<string, Project>;
}): RecordRefusal {
  const [first] = projects.values();
  return async (c, error) => {
    const {
      project = first,
      caller,
      clientIp,
      log,
    } = c.var as Partial<AppEnvironment['Variables']> & {
      log: Logger;
    };
    const event = error instanceof AppError ? eventOf(error) : undefined;
    if (!(error instanceof AppError) || !event || !project || clientIp === undefined) return;
    const isRecorded = await limits
      .consumeShare(RECORDED, clientIp, `${project.definition.id}:${event}`)
      .then(
        () => true,
        () => false,
      );
    if (!isRecorded) return;
    const { method, path } = c.req;
    const details = { method, path: loggedPath(path).slice(0, MAX_PATH), code: error.code };
    const userId = caller?.kind === 'user' ? caller.id : null;
    // The caller gets its answer also while the database takes no writes.
    await recordEvent(authWriter(project.database), { event, userId, ...sourceOf(c), details }).catch(
      (err: unknown) => log.warn({ err, ...details }, 'A refused request was not recorded'),
    );
  };
}

function eventOf({ code, status }: AppError): AuditEvent | undefined {
  if (code === 'FORBIDDEN' || code === 'ADDRESS_REFUSED') return 'access-refused';
  if (status === 429 || code === 'QUOTA_EXCEEDED') return 'limit-reached';
  return status === 400 || status === 413 || status === 415 ? 'input-refused' : undefined;
}
