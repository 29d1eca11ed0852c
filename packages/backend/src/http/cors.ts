import type { MiddlewareHandler } from 'hono';

const EXPOSED = 'Content-Range, X-Next-Cursor, X-Request-Id, Retry-After';
const METHODS = 'GET, HEAD, POST, PATCH, DELETE, OPTIONS';
const DAY_SECONDS = 86_400;

/**
 * Lets pages of the listed origins call us. `*` opens the anonymous role alone to every page: a
 * request with an Authorization header is only answered to an origin that is listed by name.
 */
export function cors(origins: readonly string[]): MiddlewareHandler {
  const listed = new Set(origins);
  return async (c, next) => {
    const origin = c.req.header('origin');
    const preflight =
      c.req.method === 'OPTIONS' && c.req.header('access-control-request-method') !== undefined;
    if (!preflight) await next();
    if (!origin) return preflight ? c.body(null, 204) : undefined;

    const headers = preflight ? new Headers() : c.res.headers;
    const asked = c.req.header('access-control-request-headers');
    const named = listed.has(origin);
    const withToken = preflight
      ? /authorization/i.test(asked ?? '')
      : c.req.header('authorization') !== undefined;
    headers.append('vary', 'Origin');
    if (named || (listed.has('*') && !withToken)) {
      headers.set('access-control-allow-origin', named ? origin : '*');
      headers.set('access-control-expose-headers', EXPOSED);
    }
    if (!preflight) return undefined;
    headers.set('access-control-allow-methods', METHODS);
    headers.set('access-control-max-age', String(DAY_SECONDS));
    if (asked) headers.set('access-control-allow-headers', asked);
    return new Response(null, { status: 204, headers });
  };
}
