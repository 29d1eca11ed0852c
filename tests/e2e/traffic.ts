import { expect, type Locator, type Page, type Request, type Route } from '@playwright/test';

/** Addresses of the backend's calls, as `page.route` takes them. */
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

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Every request from now on that `wanted` takes; not those that count readers, which come when they like. */
export function recordRequests(page: Page, wanted: (request: Request) => boolean): Request[] {
  const requests: Request[] = [];
  page.on('request', (request) => {
    if (!EVENTS.test(request.url()) && wanted(request)) requests.push(request);
  });
  return requests;
}

/** Whether a request would change something in a table. */
export function writesTo(table: string): (request: Request) => boolean {
  return (request) => request.method() !== 'GET' && request.url().includes(`/rest/v1/${table}`);
}

/** The network fails for calls of that method until the answered function is called. */
export async function cutOff(page: Page, address: string, method: Method): Promise<() => Promise<void>> {
  const abort = (route: Route) =>
    route.request().method() === method ? route.abort('connectionfailed') : route.fallback();
  await page.route(address, abort);
  return () => page.unroute(address, abort);
}

/** The request reaches the server, but its answer is lost on the way; once. */
export async function loseAnswer(page: Page, address: string, method: Method): Promise<void> {
  let lost = false;
  await page.route(address, async (route) => {
    if (lost || route.request().method() !== method) return route.fallback();
    lost = true;
    await route.fetch();
    await route.abort('connectionreset');
  });
}

export interface Held {
  /** Resolves when a request is being held. */
  arrived: Promise<void>;
  /** Lets it and all later ones go on. */
  release(): void;
}

/** Holds requests of that method back until they are released. */
export async function hold(page: Page, address: string | RegExp, method: Method = 'GET'): Promise<Held> {
  const arrival = Promise.withResolvers<void>();
  const gate = Promise.withResolvers<void>();
  await page.route(address, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    arrival.resolve();
    await gate.promise;
    await route.fallback();
  });
  return { arrived: arrival.promise, release: gate.resolve };
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

/** Takes out of the console's errors those that the test brings about; each pattern must have been met. */
export function expectConsoleErrors(consoleErrors: string[], ...patterns: RegExp[]): void {
  for (const pattern of patterns) {
    const others = consoleErrors.filter((error) => !pattern.test(error));
    expect(others.length, `an error like ${pattern}`).toBeLessThan(consoleErrors.length);
    consoleErrors.splice(0, consoleErrors.length, ...others);
  }
}
