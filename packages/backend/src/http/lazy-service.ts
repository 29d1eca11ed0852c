import { Hono } from 'hono';
import { AppError } from '../core/errors.ts';
import { Lazy } from '../runtime/lazy.ts';
import type { AppEnvironment } from './environment.ts';

export interface Service {
  /** For `/api/<service>/:projectId`. */
  routes: Hono<AppEnvironment>;
  close(): Promise<void>;
}

interface LazyService<Loaded extends Service> extends Service {
  /** Loads the service and returns it. */
  loaded(): Promise<Loaded>;
}

type Handed = AppEnvironment & { Bindings: { variables: AppEnvironment['Variables'] } };

/** Returns a service that is loaded with its first call: servers that do not use it save its memory. */
export function createLazyService<Loaded extends Service>(load: () => Promise<Loaded>): LazyService<Loaded> {
  const service = new Lazy(load);
  const app = new Lazy(async () => appOf((await service.get()).routes));
  const routes = new Hono<AppEnvironment>();
  routes.all('/*', async (c) => {
    return (await app.get()).fetch(c.req.raw, { ...(c.env as object), variables: c.var });
  });
  return {
    routes,
    loaded: () => service.get(),
    async close() {
      await (await service.ifLoaded())?.close();
    },
  };
}

/** Routes cannot be added to an app that has responded; this one takes over the variables that its middleware has set. */
function appOf(routes: Hono<AppEnvironment>): Hono<Handed> {
  const app = new Hono<Handed>();
  app.onError((error) => {
    throw error;
  });
  app.notFound(() => {
    throw new AppError('NOT_FOUND', 'There is nothing at this address.');
  });
  app.use(async (c, next) => {
    const { requestId, log, clientIp, project, caller } = c.env.variables;
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('clientIp', clientIp);
    c.set('project', project);
    c.set('caller', caller);
    await next();
  });
  app.route('/api/:service/:projectId', routes);
  return app;
}
