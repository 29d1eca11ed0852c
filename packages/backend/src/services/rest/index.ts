import type { Hono } from 'hono';
import type { Bus } from '../../core/bus.ts';
import { createCompressResponse } from '../../http/compression.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { projectTables } from './project-tables.ts';
import { createServeRead, type ServeRead, type ServeReadOptions } from './read/serve-read.ts';
import { restRoutes } from './routes.ts';

export interface RestOptions extends Omit<ServeReadOptions, 'tablesOf' | 'compress'> {
  bus: Bus;
}

export interface Rest {
  /** For `/api/db/:projectId`. */
  routes: Hono<AppEnvironment>;
  /** Reads a table without the router; undefined for any other request. */
  serveRead: ServeRead;
}

/** The database of the wire contract over HTTP: rows of tables, and a server's own SQL. */
export function createRest({ bus, ...options }: RestOptions): Rest {
  const tablesOf = projectTables();
  return {
    routes: restRoutes({ bus, tablesOf }),
    serveRead: createServeRead({ ...options, tablesOf, compress: createCompressResponse() }),
  };
}

export type { ServeRead } from './read/serve-read.ts';
