import { Hono } from 'hono';
import { type Bus, createInProcessBus } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import { createCompressResponse } from '../../http/compression.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { createRateLimits, type RateLimits } from '../../http/rate-limit.ts';
import { type CacheUsage, type Meter, measureCache } from '../../runtime/meter.ts';
import { createTablesOf } from './read/project-tables.ts';
import { createServeRead, type ServeRead, type ServeReadOptions } from './read/serve-read.ts';
import { restRoutes } from './routes.ts';
import type { RecordRemoval } from './write/record-removals.ts';

export interface RestOptions extends Omit<ServeReadOptions, 'tablesOf' | 'compress'> {
  bus: Bus;
  limits: RateLimits;
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
  meter?: Meter | undefined;
  recordRemoval?: RecordRemoval | undefined;
}

export interface Rest {
  /** Routes to be mounted at `/api/db/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Serves a read of a table without the router; returns undefined for any other request. */
  serveRead: ServeRead;
}

/** Creates the database service of the wire contract: rows of tables, and SQL for the secret key. */
export function createRest({ bus, limits, rowsQuota, meter, recordRemoval, ...options }: RestOptions): Rest {
  const tablesOf = createTablesOf();
  measureCache(meter, 'responses', () => {
    const all = [...options.projects.values()].map((project) => tablesOf(project).responses.usage);
    const sum = (of: (usage: CacheUsage) => number) => all.reduce((total, usage) => total + of(usage), 0);
    return {
      hits: sum(({ hits }) => hits),
      misses: sum(({ misses }) => misses),
      bytes: sum(({ bytes }) => bytes),
    };
  });
  return {
    routes: restRoutes({ bus, tablesOf, limits, rowsQuota, recordRemoval }),
    serveRead: createServeRead({ ...options, tablesOf, compress: createCompressResponse() }),
  };
}

/**
 * Returns the function that sends requests to a project's tables as its secret key may, for commands beside the
 * server: `/rest/v1/posts?id=eq.1`. It throws the error that a client would get as a response.
 */
export function createOperatorFetch(
  project: Project,
  recordRemoval?: RecordRemoval,
): (path: string, init?: RequestInit) => Response | Promise<Response> {
  const app = new Hono<AppEnvironment>();
  app.use(async (c, next) => {
    c.set('project', project);
    c.set('caller', { kind: 'service' });
    await next();
  });
  // The server notices the commits of other processes by itself.
  const limits = createRateLimits({ enabled: false });
  app.route('/', restRoutes({ bus: createInProcessBus(), limits, rowsQuota: 0, recordRemoval }));
  app.onError((error) => {
    throw error;
  });
  return (path, init) => app.request(path, init);
}

export type { ServeRead } from './read/serve-read.ts';
export { restSettings } from './settings.ts';
