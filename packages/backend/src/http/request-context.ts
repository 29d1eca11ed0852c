import { randomUUID } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import type { Logger } from 'pino';
import type { AppEnvironment } from './environment.ts';

/** The part of the Node server's bindings that tells who is at the other end; absent for calls within the process. */
interface NodeBindings {
  incoming?: { socket?: { remoteAddress?: string } };
}

/** Gives each request its id, its log and the address it came from; logs its end in one line. */
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

/** What is logged of a request that is over. `started` is of `performance.now()`. */
export function requestLine({ started, ...request }: EndedRequest) {
  return { ...request, ms: Math.round((performance.now() - started) * 10) / 10 };
}

interface EndedRequest {
  requestId: string;
  method: string;
  /** Alone: a query may carry tokens or what a person searched for. */
  path: string;
  status: number;
  started: number;
}

/** Without the id of an app's session: whoever reads it while the app polls could take the session. */
export function loggedPath(path: string): string {
  return path.replace(/(\/mobile-session\/)[^/]+/, '$1…');
}

/**
 * The socket's address, or what the trusted proxies say of it: `X-Forwarded-For` counted from its end, for
 * everything before that was written by strangers.
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

/** Some proxies write a port behind it, which is another one with each connection: limits would count nothing. */
function withoutPort(hop: string): string {
  const [, bracketed, plain] = /^(?:\[([^\]]+)\]|(\d+(?:\.\d+){3}))(?::\d+)?$/.exec(hop) ?? [];
  return bracketed ?? plain ?? hop;
}
