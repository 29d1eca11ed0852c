import type { RenderedPage } from './page-cache/page-cache.ts';

/** Seconds after which a page that could not be read may be asked for again. */
export const RETRY_SECONDS = '2';

/**
 * Tells whether a call of the backend failed since a part of it is away. Compares the status, because the built pages have
 * their own copy of the client's error classes.
 */
export function isUnavailable(error: unknown): boolean {
  return error instanceof Error && 'status' in error && error.status === 503;
}

/** Returns a page of which a part could not be read at the moment: clients and caches try again soon. */
export function tryAgainSoon(page: RenderedPage): RenderedPage {
  return { ...page, status: 503, headers: { ...page.headers, 'retry-after': RETRY_SECONDS } };
}
