import { Hono } from 'hono';
import type { AppEnvironment } from './http/environment.ts';
import { forwardedFor } from './http/request-context.ts';
import { share } from './http/shared-response.ts';
import type { ReadinessReader } from './readiness.ts';

const ALIVE = JSON.stringify({ status: 'ok' });

/**
 * Creates the routes that load balancers ask: `/healthz`, whether this process lives, and `/readyz`, whether it can serve. With
 * `?proxies`, the former tells how many addresses `X-Forwarded-For` has, which the doctor compares with `TRUST_PROXY`.
 */
export function healthRoutes(readiness: ReadinessReader): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.get('/healthz', (c) => {
    if (c.req.query('proxies') === undefined) {
      share(c, { isCurrent: () => true, isKeptAtOnce: true });
      return c.body(ALIVE, 200, {
        'content-type': 'application/json',
        'content-length': String(ALIVE.length),
      });
    }
    return c.json({ status: 'ok', proxies: forwardedFor(c.req.header('x-forwarded-for')).length });
  });
  routes.get('/readyz', async (c) => {
    const found = await readiness.read();
    const isReady = found.status === 'ok' || found.status === 'degraded';
    return c.json(found, isReady ? 200 : 503, { 'cache-control': 'no-store' });
  });
  return routes;
}
