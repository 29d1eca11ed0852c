import type { Context } from 'hono';

/** What a cache before the router is told of a response that is the same for all who send no credentials. */
export interface SharedResponse {
  /** Tells whether the same request would still get it. It is asked at every hit, and may count the use. */
  isCurrent(): boolean;
  /** The body, where it is in memory anyway: then the cache has no copy of its own. */
  body?: Uint8Array<ArrayBuffer>;
  /** Whether it is kept at its first request: such responses are few, and all of them are asked for again. */
  isKeptAtOnce?: boolean;
  /** The level that each request is logged at. The middleware sets it, which logs the first one; without it, none is logged. */
  level?: 'info' | 'debug';
  /** The origins whose pages may read it. The middleware of CORS sets them. */
  origins?: ReadonlySet<string>;
}

/** Says that the response to this request is shared. */
export function share(c: Context, shared: SharedResponse): void {
  // A call within the process has no bindings, and no cache before it.
  if (c.env) (c.env as SharedBindings).shared = shared;
}

/** Returns what was said of the response, for middleware that has a part in each request. */
export function sharedOf(c: Context): SharedResponse | undefined {
  return (c.env as SharedBindings | undefined)?.shared;
}

/** The part of the bindings of a request that whoever calls the router reads afterwards. */
export interface SharedBindings {
  shared?: SharedResponse;
}

/** Returns whether an If-None-Match header contains this ETag. */
export function matchesEtag(ifNoneMatch: string | undefined, etag: string): boolean {
  if (!ifNoneMatch) return false;
  return ifNoneMatch.split(',').some((candidate) => {
    const plain = candidate.trim();
    return plain === '*' || plain.replace(/^W\//, '') === etag;
  });
}
