import type { Insights } from '@fabrica/contract';
import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page, Request } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { setSession, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';

type Sent = Record<string, unknown>;

const LOG = '/api/analytics/journal/log';
/** Milliseconds after which all waiting events are sent. */
const SEND_DELAY_MS = 15_000;
const SMALL_PAGE = { width: 1280, height: 500 };
const WORDS = 400;
/** A quarter of the reading time at 200 words a minute. */
const LEAST_SECONDS = 30;

let author: Author;
let postId: string;

// Bots are not counted, and headless Chromium has the user agent of one.
test.use({ userAgent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36' });

test.beforeEach(async ({ journal, page }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  const content = Array.from({ length: WORDS }, (_, word) => `word${word}`).join(' ');
  postId = await writePost(journal.server, author, { content, content_en: content, content_de: content });
  await page.clock.install();
});

/**
 * Records the events of each call of a page. It records calls once they have ended, since a jump of the page's clock
 * would abort a call that is under way.
 */
function recordEvents(page: Page): Sent[][] {
  const calls: Sent[][] = [];
  const note = (request: Request) => {
    if (new URL(request.url()).pathname === LOG) calls.push(request.postDataJSON().events);
  };
  page.on('requestfinished', note);
  return calls;
}

/** Returns the type and the path of each event. */
function summaries(calls: Sent[][]): string[] {
  return calls.flat().map(({ type, pathname }) => `${type} ${pathname}`);
}

/** Advances the page's clock until the page has sent these events. */
async function expectEvents(page: Page, calls: Sent[][], expected: string[]): Promise<void> {
  await expect
    .poll(async () => {
      await page.clock.runFor(1_000);
      return summaries(calls);
    })
    .toEqual(expected);
}

async function insightsOf({ token }: Author, server: RunningServer): Promise<Insights> {
  const response = await fetch(`${server.url}/api/analytics/journal/insights?scope=own`, {
    headers: { authorization: `Bearer ${token}` },
  });
  expect(response.status).toBe(200);
  return (await response.json()) as Insights;
}

async function goTo({ page, m }: Visitor, screen: 'gallery' | 'about' | 'contact'): Promise<void> {
  const path = { gallery: '/gallery', about: '/about-me', contact: '/contact' }[screen];
  await page.getByRole('banner').getByRole('link', { name: m.layout[screen], exact: true }).click();
  await expect(page).toHaveURL(new RegExp(path));
}

/** Scrolls to the end of the text and waits until the browser has reported it as visible. */
async function bringEndIntoView(page: Page): Promise<void> {
  const end = page.locator('article .prose-text + div');
  await end.evaluate(
    (element) =>
      new Promise<void>((resolve) => {
        const observer = new IntersectionObserver((entries) => {
          if (entries.at(-1)?.isIntersecting) resolve();
        });
        observer.observe(element);
        element.scrollIntoView({ block: 'center', behavior: 'instant' });
      }),
  );
}

test('a page view is counted for each visited page and shown to its author', async ({ page, journal }) => {
  const calls = recordEvents(page);
  const visitor = new Visitor(page, 'de');
  await visitor.open('/gallery?utm_source=letter&utm_medium=email');
  await expectEvents(page, calls, ['pageview /gallery']);
  await page.locator(`main a[href^="/post/${postId}"]`).click();
  await expect(page.locator('article')).toBeVisible();
  await page.evaluate(() => {
    location.hash = 'content';
  });
  await goTo(visitor, 'about');
  await page.goBack();
  await expectEvents(page, calls, [
    'pageview /gallery',
    `pageview /post/${postId}`,
    'pageview /about-me',
    `pageview /post/${postId}`,
  ]);
  const [first] = calls.flat();
  expect(first).toMatchObject({ language: 'de', channel: 'Email', utm_source: 'letter' });
  expect(first).not.toHaveProperty('user_id');
  expect(new Set(calls.flat().map(({ session_id }) => session_id)).size).toBe(1);

  const counted = { views: 2, readers: 1, completedReads: 0 };
  await expect.poll(async () => (await insightsOf(author, journal.server)).totals).toMatchObject(counted);
  const insights = await insightsOf(author, journal.server);
  expect(insights.pages).toEqual([{ value: `/post/${postId}`, ...counted }]);
  expect(insights.languages).toEqual([{ value: 'de', ...counted }]);
  expect(insights.channels).toEqual([{ value: 'email', ...counted }]);
});

test('private screens and other queries of the same page are not counted', async ({ page, journal }) => {
  await setSession(page, author, journal.server);
  const calls = recordEvents(page);
  const visitor = new Visitor(page);
  for (const path of ['/account', '/admin', '/auth/forgot']) await visitor.open(path);
  await page.clock.runFor(SEND_DELAY_MS);
  await visitor.open('/gallery');
  await page.getByRole('searchbox').fill('spleen');
  await page.getByRole('searchbox').press('Enter');
  await expect(page).toHaveURL(/search=spleen/);
  await goTo(visitor, 'contact');
  await expectEvents(page, calls, ['pageview /gallery', 'pageview /contact']);
  await page.clock.runFor(SEND_DELAY_MS);
  expect(summaries(calls)).toHaveLength(2);
});

test('nothing is counted, loaded or stored for a reader who does not want to be tracked', async ({
  page,
}) => {
  await page.addInitScript(() =>
    Object.defineProperty(Navigator.prototype, 'globalPrivacyControl', { get: () => true }),
  );
  const calls = recordEvents(page);
  const scripts: string[] = [];
  page.on('request', (request) => scripts.push(request.url()));
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  await bringEndIntoView(page);
  await page.clock.runFor(2 * LEAST_SECONDS * 1_000);
  await goTo(visitor, 'about');
  await page.clock.runFor(SEND_DELAY_MS);
  expect(calls).toEqual([]);
  expect(scripts.filter((url) => /\/tracker-/.test(url))).toEqual([]);
  const keys = await page.evaluate(() => Object.keys(localStorage));
  expect(keys.filter((key) => key.includes('analytics'))).toEqual([]);
});

test('a text counts as read when its end was visible after a plausible reading time', async ({
  page,
  journal,
}) => {
  await page.setViewportSize(SMALL_PAGE);
  const calls = recordEvents(page);
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  const view = `pageview /post/${postId}`;
  const read = `read.completed /post/${postId}`;
  await expectEvents(page, calls, [view]);
  // A reader who is at the end at once has not read the text.
  await bringEndIntoView(page);
  await page.clock.runFor((LEAST_SECONDS / 2) * 1_000);
  expect(summaries(calls)).toEqual([view]);
  await page.reload();
  await visitor.hydrated();
  await page.evaluate(() => window.scrollTo({ top: 0, behavior: 'instant' }));
  await expectEvents(page, calls, [view, view]);
  // A reader who does not scroll to the end has not read it either.
  await page.clock.runFor(2 * LEAST_SECONDS * 1_000);
  expect(summaries(calls)).toEqual([view, view]);
  await bringEndIntoView(page);
  await expectEvents(page, calls, [view, view, read]);
  // A text counts as read once.
  await page.clock.runFor(2 * LEAST_SECONDS * 1_000);
  await goTo(visitor, 'about');
  await expectEvents(page, calls, [view, view, read, 'pageview /about-me']);
  const counted = { views: 2, readers: 1, completedReads: 1 };
  await expect.poll(async () => (await insightsOf(author, journal.server)).totals).toMatchObject(counted);
});
