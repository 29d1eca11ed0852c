import { expect, type Locator, type Page, type Request, type Route } from '@playwright/test';

/** URL patterns of the backend's calls for `page.route`. */
export const CALLS = {
  posts: '**/api/db/*/rest/v1/journal_posts*',
  postLikes: '**/api/db/*/rest/v1/post_likes*',
  comments: '**/api/db/*/rest/v1/post_comments*',
  commentLikes: '**/api/db/*/rest/v1/comment_likes*',
  upload: '**/api/storage/*/upload',
  translate: '**/api/ai/*/text',
  events: '**/api/analytics/*/log',
} as const;

const EVENTS = /\/api\/analytics\/[^/]+\/log$/;
/** Drafts are saved a while after each key. */
const AUTOSAVES = /\/api\/desk\/[^/]+\/posts(?:\/[\w-]+)?(?:\?.*)?$/;

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Records the requests that `isWanted` accepts. Leaves out those of the analytics and those that save drafts, whose time is not
 * predictable.
 */
export function recordRequests(page: Page, isWanted: (request: Request) => boolean): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (!EVENTS.test(request.url()) && !AUTOSAVES.test(request.url()) && isWanted(request))
      requests.push(request);
  });
  return requests;
}

/** Returns whether a request writes to a table. */
export function writesTo(table: string): (request: Request) => boolean {
  return (request) => request.method() !== 'GET' && request.url().includes(`/rest/v1/${table}`);
}

/** Makes requests of that method fail as on a broken network, until the returned function is called. */
export async function failRequests(page: Page, url: string, method: Method): Promise<() => Promise<void>> {
  const abort = (route: Route) =>
    route.request().method() === method ? route.abort('connectionfailed') : route.fallback();
  await page.route(url, abort);
  return () => page.unroute(url, abort);
}

/** Lets one request reach the server and loses its response. */
export async function loseResponse(page: Page, url: string, method: Method): Promise<void> {
  let lost = false;
  await page.route(url, async (route) => {
    if (lost || route.request().method() !== method) return route.fallback();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

export interface PausedRequests {
  /** Resolves once a request is paused. */
  paused: Promise<void>;
  /** Lets the paused requests and all later ones go on. */
  release(): void;
}

/** Pauses requests of that method until they are released. */
export async function pauseRequests(
  page: Page,
  url: string | RegExp,
  method: Method = 'GET',
): Promise<PausedRequests> {
  const paused = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    paused.resolve();
    await released.promise;
    await route.fallback();
  });
  return { paused: paused.promise, release: released.resolve };
}

const LIKES = /\/rest\/v1\/(post|comment)_likes\b/;

/**
 * Presses a like button and waits until the page has sent the like and has counted all likes behind that. Before then, it
 * ignores another press.
 */
export async function pressLike(page: Page, button: Locator): Promise<void> {
  const underWay = new Set<Request>();
  let isSent = false;
  let isCounted = false;
  const begin = (request: Request) => {
    if (!LIKES.test(request.url())) return;
    underWay.add(request);
    if (isSent && request.headers().prefer?.includes('count=exact')) isCounted = true;
  };
  const end = (request: Request) => {
    if (underWay.delete(request) && request.method() !== 'GET') isSent = true;
  };
  page.on('request', begin).on('requestfinished', end).on('requestfailed', end);
  await button.click();
  await expect.poll(() => isCounted && underWay.size === 0).toBe(true);
  page.off('request', begin).off('requestfinished', end).off('requestfailed', end);
}

/** Removes the console errors that match the patterns. Each pattern must match at least one. */
export function expectConsoleErrors(consoleErrors: string[], ...patterns: RegExp[]): void {
  for (const pattern of patterns) {
    const others = consoleErrors.filter((error) => !pattern.test(error));
    expect(others.length, `an error like ${pattern}`).toBeLessThan(consoleErrors.length);
    consoleErrors.splice(0, consoleErrors.length, ...others);
  }
}
