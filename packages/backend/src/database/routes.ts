import { type Context, Hono } from 'hono';
import type { Bus } from '../bus.ts';
import type { AppEnvironment, Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import { answerCreate, answerDelete, answerRead, answerUpdate } from './operations.ts';
import { createPageCache } from './page-cache.ts';
import { schemaOf } from './schema.ts';
import { type ProjectTables, tableRequest, writeRequest } from './table-request.ts';

/**
 * `/rest/v1/{table}` of the wire contract ("Database"), to be mounted where a project and a caller are set.
 * Changes are on the bus before a write is answered.
 */
export function databaseRoutes({ bus }: { bus: Bus }): Hono<AppEnvironment> {
  const tablesOf = projectTables();
  const routes = new Hono<AppEnvironment>();

  routes.get('/rest/v1/:table', (c) => answerRead(tableRequest(c, tablesOf(c))));
  routes.post('/rest/v1/:table', (c) =>
    answerCreate(writeRequest(c, { tables: tablesOf(c), bus, operation: 'create' })),
  );
  routes.patch('/rest/v1/:table', (c) =>
    answerUpdate(writeRequest(c, { tables: tablesOf(c), bus, operation: 'update' })),
  );
  routes.delete('/rest/v1/:table', (c) =>
    answerDelete(writeRequest(c, { tables: tablesOf(c), bus, operation: 'delete' })),
  );
  routes.all('/rest/v1/:table', () => {
    throw new ServiceError(
      'METHOD_NOT_ALLOWED',
      'Tables are read and written with GET, POST, PATCH and DELETE.',
    );
  });

  return routes;
}

/** A project stays what it is while it runs: what is made of it is made at its first request. */
function projectTables(): (c: Context<AppEnvironment>) => ProjectTables {
  const known = new WeakMap<Project, ProjectTables>();
  return (c) => {
    const { project } = c.var;
    const tables = known.get(project) ?? {
      schema: schemaOf(project.definition),
      cache: createPageCache(project.database),
    };
    known.set(project, tables);
    return tables;
  };
}
