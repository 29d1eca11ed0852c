import type { RequestListener } from 'node:http';
import {
  type Backend,
  type Config,
  createRouteOf,
  observeRequests,
  type Tracer,
  VERSION,
} from '@fabrica/backend';
import type { Frontend } from './frontend.ts';

/** Watches the requests of this process, as far as the settings ask for it. */
export interface Observer {
  /** Returns a listener that measures and traces what `next` does; `next` itself without these settings. */
  observe(next: RequestListener): RequestListener;
  close(): Promise<void>;
}

export interface OpenObserverOptions {
  backend: Pick<Backend, 'app' | 'meter'>;
  config: Pick<Config, 'observed' | 'trustedProxies'>;
  frontend: Pick<Frontend, 'build'>;
}

/** Opens the port of metrics and the way to the collector of traces. Nothing is loaded for what is not asked for. */
export async function openObserver({ backend, config, frontend }: OpenObserverOptions): Promise<Observer> {
  const { meter } = backend;
  const { metrics, traceEndpoint } = config.observed;
  let tracer: Tracer | undefined;
  if (meter && metrics) {
    const { serveMetrics } = await import('@fabrica/backend/metrics');
    await serveMetrics(meter, metrics);
  }
  if (traceEndpoint !== undefined) {
    const { openTracing } = await import('@fabrica/backend/tracing');
    const isProxied = config.trustedProxies > 0;
    tracer = openTracing({ endpoint: traceEndpoint, version: VERSION, isProxied });
  }
  const routeOf = createRouteOf([...backend.app.routes.map(({ path }) => path), ...pagePatterns(frontend)]);
  return {
    observe: (next) => observeRequests(next, { routeOf, meter, tracer }),
    close: async () => tracer?.close(),
  };
}

/** Returns the patterns of the pages and of the built files, as Hono writes them. */
function pagePatterns({ build }: Pick<Frontend, 'build'>): string[] {
  if (typeof build === 'function') return [];
  const patterns = Object.values(build.routes).flatMap((route) => {
    let pattern = '';
    for (let at = route; at; at = at.parentId === undefined ? undefined : build.routes[at.parentId]) {
      if (at.path !== undefined) pattern = `/${at.path}${pattern}`;
    }
    return pattern === '' || pattern.endsWith('*') ? [] : [pattern.replaceAll('//', '/')];
  });
  return ['/assets/*', ...patterns];
}
