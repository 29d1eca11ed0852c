import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnvironment } from './environment.ts';

/** The part of the Node server's bindings with the socket's IP address; absent for calls within the process. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** Sets each request's id, log and client IP address, and logs its end in one line. */
export function requestContext(log: Logger, trustedProxies: number): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const started = performance.now();
    const requestId = randomUUID();
    const remoteAddress = (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('clientIp', clientIp(remoteAddress, c.req.header('x-forwarded-for'), trustedProxies));
    await next();
    c.res.headers.set('x-request-id', requestId);
    c.res.headers.set('x-content-type-options', 'nosniff');
    const { method, path } = c.req;
    const line = requestLine({ requestId, method, path: loggedPath(path), status: c.res.status, started });
    if (remoteAddress === undefined) log.debug(line);
    else log.info(line);
  };
}

/** Returns the log line of a finished request. `started` is of `performance.now()`. */
export function requestLine({ started, ...request }: EndedRequest) {
  return { ...request, ms: Math.round((performance.now() - started) * 10) / 10 };
}

interface EndedRequest {
  requestId: string;
  method: string;
  /** Without its query, which may carry tokens or what a person searched for. */
  path: string;
  status: number;
  started: number;
}

/** Returns the path without the id of an app's session: a reader of the log could take the session while the app polls. */
export function loggedPath(path: string): string {
  return path.replace(/(\/mobile-session\/)[^/]+/, '$1…');
}

/**
 * Returns the socket's IP address, or the one that the trusted proxies name: `X-Forwarded-For` is counted from its end, for
 * strangers write what stands before.
 */
export function clientIp(
  remoteAddress: string | undefined,
  forwardedFor: string | undefined,
  trustedProxies: number,
): string {
  const socketAddress = remoteAddress ?? 'in-process';
  if (trustedProxies === 0 || !forwardedFor) return socketAddress;
  const hops = forwardedFor.split(',').map((hop) => hop.trim());
  return withoutPort(hops.at(-trustedProxies) ?? '') || socketAddress;
}

/** Cuts the port that some proxies add: it differs with each connection, and limits would count nothing. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
