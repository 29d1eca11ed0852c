import { type Context, Hono } from 'hono';
import type { Bus } from '../../core/bus.ts';
import { AppError } from '../../core/errors.ts';
import { sendCompressed } from '../../http/compression.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import type { RateLimits } from '../../http/rate-limit.ts';
import { share } from '../../http/shared-response.ts';
import { createSchemas } from './project-schemas.ts';
import { respondToRead } from './read/respond-to-read.ts';
import { sqlRoutes } from './sql/routes.ts';
import { writeClientTable } from './sql/write-client-table.ts';
import type { RecordRemoval } from './write/record-removals.ts';
import { respondToCreate, respondToDelete, respondToUpdate } from './write/respond-to-write.ts';
import { createWriteLimits } from './write/write-limits.ts';
import { acceptWriteRequest } from './write/write-request.ts';

export interface RestRoutesOptions {
  bus: Bus;
  limits: RateLimits;
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
  /** Without it, removals from moderated tables are not recorded. */
  recordRemoval?: RecordRemoval | undefined;
}

/**
 * Returns `/rest/v1/{table}`, `/sql` and `/batch` of the wire contract ("Database"), to be mounted where a project and
 * a caller are set. The changes of a write are published before its response is sent.
 */
export function restRoutes({
  bus,
  limits,
  rowsQuota,
  recordRemoval,
}: RestRoutesOptions): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const schemaOf = createSchemas();
  const limitWrite = createWriteLimits({ limits, rowsQuota });
  const accept = (c: Context<AppEnvironment>, operation: 'create' | 'update' | 'delete') =>
    acceptWriteRequest(c, { schema: schemaOf(c.var.project), bus, operation, limitWrite });

  /** Tells whether the secret key names a table that the project does not define: its SQL may have created it. */
  const isUndefined = (c: Context<AppEnvironment>) =>
    c.var.caller.kind === 'service' && !schemaOf(c.var.project).has(c.req.param('table') ?? '');

  routes.get('/rest/v1/:table', async (c) => {
    const [project, caller, table] = [c.get('project'), c.get('caller'), c.req.param('table')];
    const { database } = project;
    const version = database.version();
    const read = await respondToRead({ project, schema: schemaOf(project), caller, table, request: c.req });
    if (caller.kind === 'anonymous' && version !== undefined) {
      share(c, { isCurrent: () => database.version() === version });
    }
    return sendCompressed(read, c.req.header('accept-encoding'));
  });
  routes.post('/rest/v1/:table', async (c) =>
    isUndefined(c)
      ? writeClientTable(c, { bus, operation: 'create' })
      : respondToCreate(await accept(c, 'create')),
  );
  routes.patch('/rest/v1/:table', async (c) =>
    isUndefined(c)
      ? writeClientTable(c, { bus, operation: 'update' })
      : respondToUpdate(await accept(c, 'update')),
  );
  routes.delete('/rest/v1/:table', async (c) =>
    isUndefined(c)
      ? writeClientTable(c, { bus, operation: 'delete' })
      : respondToDelete(await accept(c, 'delete'), recordRemoval),
  );
  routes.all('/rest/v1/:table', () => {
    throw new AppError('METHOD_NOT_ALLOWED', 'Tables are read and written with GET, POST, PATCH and DELETE.');
  });
  routes.route('/', sqlRoutes({ bus }));

  return routes;
}
