import type { RequestListener } from 'node:http';
import type { Meter } from '../../runtime/meter.ts';
import type { RouteOf } from './route-patterns.ts';
import type { Tracer } from './tracing.ts';

export interface ObserveOptions {
  routeOf: RouteOf;
  /** Undefined when there are no metrics. */
  meter: Meter | undefined;
  /** Undefined when there are no traces. */
  tracer: Tracer | undefined;
}

/** Strangers may send any method that Node knows. */
const METHODS: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Returns a listener that measures and traces what `next` does; `next` itself when nobody wants either. */
export function observeRequests(
  next: RequestListener,
  { routeOf, meter, tracer }: ObserveOptions,
): RequestListener {
  if (!meter && !tracer) return next;
  return (incoming, outgoing) => {
    const started = performance.now();
    const { method: given = '', url = '' } = incoming;
    const method = METHODS.has(given) ? given : 'other';
    const route = routeOf(url);
    const span = tracer?.begin({ method, route, headers: incoming.headers });
    outgoing.once('close', () => {
      // 499: the client closed the connection before the response was sent.
      const status = outgoing.writableFinished ? outgoing.statusCode : 499;
      meter?.requests.observe({ method, route, status }, (performance.now() - started) / 1_000);
      span?.end(status);
    });
    if (span) span.within(() => next(incoming, outgoing));
    else next(incoming, outgoing);
  };
}
