import { signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { writePost } from '../people.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

/** The reasons that keep every page out of the cache in a Chromium without windows. Any other reason is the page's own. */
const WITHOUT_WINDOWS = ['BrowsingInstanceNotSwapped', 'BackForwardCacheDisabledForDelegate'];

/** The public pages that listen to nothing. No browser keeps pages with another status than 200. */
const QUIET_PAGES = [
  '/about-me',
  '/contact',
  '/auth',
  '/auth?view=sign-up',
  '/auth/forgot',
  '/gallery?search=nothing',
];

/** Runs in the page before its own scripts. A page that offers passkeys waits for its reader's choice. */
function noteOfferedPasskeys(): void {
  const get = navigator.credentials.get.bind(navigator.credentials);
  navigator.credentials.get = (options) => {
    Object.assign(window, { offersPasskeys: true });
    return get(options);
  };
}

/** Leaves the page by a link, goes back, and returns why the browser had to load it again. */
async function reasonsAgainstKeeping(page: Page): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Page.enable');
  const reasons: string[] = [];
  const explained = new Promise<void>((resolve) => {
    devtools.on('Page.backForwardCacheNotUsed', ({ notRestoredExplanations }) => {
      reasons.push(...notRestoredExplanations.map(({ reason }) => reason));
      resolve();
    });
  });
  const path = page.url();
  await page.evaluate(() => Object.assign(window, { isFirstVisit: true }));
  await page.evaluate(() => window.location.assign('/contact?away'));
  await page.waitForURL('**/contact?away');
  // The call returns before the page that it was made on is left.
  await page.evaluate(() => void setTimeout(() => history.back()));
  // A page that was kept does not load again.
  await expect(page).toHaveURL(path);
  if (!(await page.evaluate(() => 'isFirstVisit' in window))) await explained;
  await devtools.detach();
  return reasons.filter((reason) => !WITHOUT_WINDOWS.includes(reason));
}

test('nothing on a page keeps it from being shown at once on the way back', async ({
  playwright,
  launchOptions,
  journal,
}) => {
  const postId = await writePost(journal.server, await signUp(journal.server));
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    ignoreDefaultArgs: ['--disable-back-forward-cache'],
  });
  const page = await (
    await browser.newContext({ baseURL: journal.server.url, serviceWorkers: 'allow' })
  ).newPage();
  for (const path of ['/gallery', `/post/${postId}`]) {
    const socket = page.waitForEvent('websocket');
    await page.goto(path);
    await socket;
    await page.evaluate(() => navigator.serviceWorker.ready);
    expect(await reasonsAgainstKeeping(page), path).toEqual([]);
  }
  await page.addInitScript(noteOfferedPasskeys);
  for (const path of QUIET_PAGES) {
    await page.goto(path, { waitUntil: 'load' });
    if (path === '/auth') await page.waitForFunction(() => 'offersPasskeys' in window);
    expect(await reasonsAgainstKeeping(page), path).toEqual([]);
  }
  await browser.close();
});
