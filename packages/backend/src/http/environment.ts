import type { Logger } from 'pino';
import type { Caller } from '../core/caller.ts';
import type { Project } from '../database/project.ts';

/** The variables that the middleware of `backend.ts` sets on a request for the routes. */
export interface AppEnvironment {
  Variables: {
    requestId: string;
    log: Logger;
    /** The IP address that rate limits count by. */
    clientIp: string;
    /** The project of `/api/<service>/{projectId}/…`; calls to `/api/auth` set it once they know theirs. */
    project: Project;
    caller: Caller;
  };
}

/** Returns the key by which the use of an account is counted; `undefined` for callers without one, as the service role. */
export function accountKey({
  caller,
  project,
}: Pick<AppEnvironment['Variables'], 'caller' | 'project'>): string | undefined {
  return caller.kind === 'user' ? `${project.definition.id}:${caller.id}` : undefined;
}
