import { Hono } from 'hono';
import type { Bus } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { toResponse } from '../../http/plain-exchange.ts';
import { projectTables, type TablesOf } from './project-tables.ts';
import { respondToRead } from './read/respond-to-read.ts';
import { sqlRoutes } from './sql/routes.ts';
import { writeRequest } from './table-request.ts';
import { answerCreate, answerDelete, answerUpdate } from './write/operations.ts';

export interface DatabaseOptions {
  bus: Bus;
  /** Shared with whatever else answers for the same tables. */
  tablesOf?: TablesOf;
}

/**
 * `/rest/v1/{table}`, `/sql` and `/batch` of the wire contract ("Database"), to be mounted where a project and a caller are set.
 * Changes are on the bus before a write is answered.
 */
export function restRoutes({ bus, tablesOf = projectTables() }: DatabaseOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.get('/rest/v1/:table', async (c) => {
    const { project, caller } = c.var;
    const request = { url: c.req.url, header: (name: string) => c.req.header(name) };
    const tables = tablesOf(project);
    return toResponse(await respondToRead({ project, tables, caller, table: c.req.param('table'), request }));
  });
  routes.post('/rest/v1/:table', (c) =>
    answerCreate(writeRequest(c, { tables: tablesOf(c.var.project), bus, operation: 'create' })),
  );
  routes.patch('/rest/v1/:table', (c) =>
    answerUpdate(writeRequest(c, { tables: tablesOf(c.var.project), bus, operation: 'update' })),
  );
  routes.delete('/rest/v1/:table', (c) =>
    answerDelete(writeRequest(c, { tables: tablesOf(c.var.project), bus, operation: 'delete' })),
  );
  routes.all('/rest/v1/:table', () => {
    throw new AppError('METHOD_NOT_ALLOWED', 'Tables are read and written with GET, POST, PATCH and DELETE.');
  });
  routes.route('/', sqlRoutes({ bus }));

  return routes;
}
