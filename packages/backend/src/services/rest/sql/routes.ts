import { Hono } from 'hono';
import type { Bus } from '../../../core/bus.ts';
import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { runBatch, runStatement } from './run-batch.ts';
import { batchBody, MAX_SQL_BODY_BYTES, sqlBody } from './schemas.ts';

/** Returns `/sql` and `/batch` of the wire contract ("Database"), which need the secret key. */
export function sqlRoutes({ bus }: { bus: Bus }): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();

  routes.post('/sql', async (c) => {
    const { project, caller } = c.var;
    requireSecretKey(caller);
    const { query, params } = await parseJsonBody(c, sqlBody, MAX_SQL_BODY_BYTES);
    const { results, executionTime } = await runStatement(
      { sql: query, parameters: params },
      { project, bus },
    );
    return c.json({ ...results[0], executionTime });
  });

  routes.post('/batch', async (c) => {
    const { project, caller } = c.var;
    requireSecretKey(caller);
    const { statements, mode } = await parseJsonBody(c, batchBody, MAX_SQL_BODY_BYTES);
    const sent = statements.map(({ sql, args }) => ({ sql, parameters: args }));
    const { results, executionTime } = await runBatch({ statements: sent, mode }, { project, bus });
    return c.json({ results, executionTime, success: true });
  });

  for (const path of ['/sql', '/batch']) {
    routes.all(path, () => {
      throw new AppError('METHOD_NOT_ALLOWED', 'Statements are sent with POST.');
    });
  }

  return routes;
}

/** Throws UNAUTHENTICATED, FORBIDDEN. */
function requireSecretKey(caller: Caller): void {
  if (caller.kind === 'service') return;
  throw new AppError(
    caller.kind === 'anonymous' ? 'UNAUTHENTICATED' : 'FORBIDDEN',
    'Statements in SQL are for the project’s secret key alone.',
  );
}
