import type { Logger } from 'pino';
import type { Caller } from '../core/caller.ts';
import type { ProjectDefinition } from '../core/project.ts';
import type { Database } from '../database/port.ts';

/** A project as it runs: its definition and its open database. */
export interface Project {
  definition: ProjectDefinition;
  database: Database;
  /** `sk_…`: whoever sends it acts as the service role. */
  secretKey: string;
}

/** What the middleware of `backend.ts` puts on a request for the routes to use. */
export interface AppEnvironment {
  Variables: {
    requestId: string;
    log: Logger;
    /** The address that rate limits count by. */
    clientAddress: string;
    /** Whose answer it is: of `/api/<service>/{projectId}/…`, and of calls to `/api/auth` once they have said so. */
    project: Project;
    caller: Caller;
  };
}
