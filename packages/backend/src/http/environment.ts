import type { Logger } from 'pino';
import type { Database } from '../database/database.ts';
import type { ProjectDefinition } from '../project.ts';
import type { Caller } from './caller.ts';

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
    /** Of `/api/<service>/{projectId}/…` and `/storage/{projectId}/…`. */
    project: Project;
    caller: Caller;
  };
}
