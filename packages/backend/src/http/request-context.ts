import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnvironment } from './environment.ts';
import type { ReadRequestIds } from './observed/request-ids.ts';
import type { LogRequest } from './request-log.ts';
import { sharedOf } from './shared-response.ts';

/** The part of the Node server's bindings with the socket's IP address; absent for calls within the process. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

const HEALTH_PATHS: readonly string[] = ['/healthz', '/readyz'];

interface RequestContextOptions {
  log: Logger;
  logRequest: LogRequest;
  trustedProxies: number;
  requestIds: ReadRequestIds;
}

/** Keeps a response that is no page out of the frames of all sites. */
const UNFRAMED = "frame-ancestors 'none'";

/** Sets each request's id, log and client IP address, logs its end in one line, and keeps its response out of caches. */
export function requestContext({
  log,
  logRequest,
  trustedProxies,
  requestIds,
}: RequestContextOptions): MiddlewareHandler<AppEnvironment> {
  return async (c, next) => {
    const started = performance.now();
    const ids = requestIds((name) => c.req.header(name));
    const { requestId } = ids;
    const remoteAddress = (c.env as NodeBindings | undefined)?.incoming?.socket?.remoteAddress;
    c.set('requestId', requestId);
    c.set('log', log);
    c.set('clientIp', clientIp(remoteAddress, c.req.header('x-forwarded-for'), trustedProxies));
    await next();
    c.res.headers.set('x-request-id', requestId);
    c.res.headers.set('x-content-type-options', 'nosniff');
    // Pages and files say more.
    if (!c.res.headers.has('content-security-policy')) c.res.headers.set('content-security-policy', UNFRAMED);
    // What a route has not said is its caller's own.
    if (!c.res.headers.has('cache-control')) c.res.headers.set('cache-control', 'no-store');
    const { method, path } = c.req;
    const { status } = c.res;
    // Load balancers ask every second.
    const isQuiet = remoteAddress === undefined || (status === 200 && HEALTH_PATHS.includes(path));
    const level = isQuiet ? 'debug' : 'info';
    const shared = sharedOf(c);
    if (shared) shared.level = level;
    logRequest({ ...ids, method, path: loggedPath(path), status, started }, level);
  };
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
  header: string | undefined,
  trustedProxies: number,
): string {
  const socketAddress = remoteAddress ?? 'in-process';
  if (trustedProxies === 0) return socketAddress;
  return withoutPort(forwardedFor(header).at(-trustedProxies) ?? '') || socketAddress;
}

/** Returns the addresses in a `X-Forwarded-For` header: each proxy adds the one that its request came from. */
export function forwardedFor(header: string | undefined): string[] {
  return header ? header.split(',').map((hop) => hop.trim()) : [];
}

/** Cuts the port that some proxies add: it differs with each connection, and limits would count nothing. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
