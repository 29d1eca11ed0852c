import type { Logger } from 'pino';
import type { Caller } from '../core/caller.ts';
import type { Project } from '../database/project.ts';

/** What the middleware of `backend.ts` puts on a request for the routes to use. */
export interface AppEnvironment {
  Variables: {
    requestId: string;
    log: Logger;
    /** The address that rate limits count by. */
    clientIp: string;
    /** Whose answer it is: of `/api/<service>/{projectId}/…`, and of calls to `/api/auth` once they have said so. */
    project: Project;
    caller: Caller;
  };
}
