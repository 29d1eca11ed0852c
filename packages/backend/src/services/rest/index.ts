import type { Hono } from 'hono';
import type { Bus } from '../../core/bus.ts';
import { createCompressResponse } from '../../http/compression.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { createTablesOf } from './read/project-tables.ts';
import { createServeRead, type ServeRead, type ServeReadOptions } from './read/serve-read.ts';
import { restRoutes } from './routes.ts';

export interface RestOptions extends Omit<ServeReadOptions, 'tablesOf' | 'compress'> {
  bus: Bus;
  limits: RateLimits;
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
}

export interface Rest {
  /** Routes to be mounted at `/api/db/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Serves a read of a table without the router; returns undefined for any other request. */
  serveRead: ServeRead;
}

/** Creates the database service of the wire contract: rows of tables, and SQL for the secret key. */
export function createRest({ bus, limits, rowsQuota, ...options }: RestOptions): Rest {
  const tablesOf = createTablesOf();
  return {
    routes: restRoutes({ bus, tablesOf, limits, rowsQuota }),
    serveRead: createServeRead({ ...options, tablesOf, compress: createCompressResponse() }),
  };
}

export type { ServeRead } from './read/serve-read.ts';
export { restSettings } from './settings.ts';
