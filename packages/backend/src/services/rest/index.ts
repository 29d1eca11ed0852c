import { Hono } from 'hono';
import { createInProcessBus } from '../../core/bus.ts';
import type { Project } from '../../database/project.ts';
import type { AppEnvironment } from '../../http/environment.ts';
import { createRateLimits } from '../../http/rate-limit.ts';
import { type RestRoutesOptions, restRoutes } from './routes.ts';
import type { RecordRemoval } from './write/record-removals.ts';

/** Creates the database service of the wire contract: rows of tables, and SQL for the secret key. */
export function createRest(options: RestRoutesOptions): { routes: Hono<AppEnvironment> } {
  return { routes: restRoutes(options) };
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

export { formOfRead } from './read/preferences.ts';
export { restSettings } from './settings.ts';
