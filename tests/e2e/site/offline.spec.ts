import { signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, pauseRequests } from '../traffic.ts';

test.describe('without a connection', () => {
  test.use({ serviceWorkers: 'allow' });

  const TITLE = 'A page that was read';

  async function expectCached(page: Page, count: number): Promise<void> {
    await expect
      .poll(() => page.evaluate(async () => (await (await caches.open('pages')).keys()).length))
      .toBe(count);
  }

  test('what was read can be read again, and a link to anything else leaves the reader where they are', async ({
    page,
    context,
    journal,
    consoleErrors,
  }) => {
    await writePost(journal.server, await signUp(journal.server), { title_en: TITLE });
    const visitor = new Visitor(page);
    const { layout, gallery } = visitor.m;
    await visitor.open('/gallery');
    // The page itself, and what is shown in place of pages that were not read.
    await expectCached(page, 2);
    await visitor.card(TITLE).click();
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
    await expectCached(page, 3);

    await context.setOffline(true);
    await page.waitForFunction(() => !navigator.onLine);
    await page.getByRole('link', { name: layout.about, exact: true }).click();
    await expect(page.getByText(layout.offline.stays)).toBeVisible();
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
    await page.reload();
    await expect(page.getByRole('heading', { level: 1, name: TITLE })).toBeVisible();
    await page.goBack();
    await expect(page.getByRole('heading', { level: 1, name: gallery.title })).toBeVisible();
    await expect(visitor.card(TITLE)).toBeVisible();
    await page.goto('/contact');
    await expect(page.getByRole('heading', { level: 1, name: layout.offline.title })).toBeVisible();

    await context.setOffline(false);
    await page.goto('/contact');
    await expect(page.getByRole('heading', { level: 1, name: visitor.m.contact.title })).toBeVisible();
    expectConsoleErrors(consoleErrors, /ERR_INTERNET_DISCONNECTED|status of 503|Failed to fetch/);
  });

  test('a page that was read has its style where the browser has kept no file of it', async ({
    page,
    context,
    consoleErrors,
  }) => {
    const visitor = new Visitor(page);
    await visitor.open('/about-me');
    await expectCached(page, 2);
    await context.setOffline(true);
    await (await context.newCDPSession(page)).send('Network.clearBrowserCache');
    await page.reload();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(page.locator('body')).toHaveCSS('margin', '0px');
    expectConsoleErrors(consoleErrors, /ERR_INTERNET_DISCONNECTED|ERR_FAILED|Failed to fetch/);
  });

  test('signing out deletes the cached pages, and pages of a person are never among them', async ({
    page,
    journal,
  }) => {
    const { visitor } = await signInOn(page, journal.server);
    const isCached = (path: string) =>
      page.evaluate(async (wanted) => {
        const keys = await (await caches.open('pages')).keys();
        return keys.some(({ url }) => new URL(url).pathname === wanted);
      }, path);
    await visitor.open('/contact');
    await expect.poll(() => isCached('/contact')).toBe(true);
    await visitor.open('/account');
    await visitor.open('/about-me');
    await expect.poll(() => isCached('/about-me')).toBe(true);
    expect(await isCached('/account')).toBe(false);
    await page.getByRole('button', { name: visitor.m.layout.signOut }).click();
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
    await expect.poll(() => isCached('/contact')).toBe(false);
  });
});

test('a line at the top and a word for screen readers say that the next page is on its way', async ({
  page,
}) => {
  const visitor = new Visitor(page);
  const { layout } = visitor.m;
  await visitor.open('/gallery');
  const data = await pauseRequests(page, /about-me\.data/);
  await page.getByRole('link', { name: layout.about, exact: true }).click();
  await expect(page.locator('[data-progress]')).toBeVisible();
  await expect(page.getByRole('status').filter({ hasText: layout.loading })).toHaveCount(1);
  data.release();
  await expect(page.getByRole('heading', { level: 1, name: visitor.m.about.title })).toBeVisible();
  await expect(page.locator('[data-progress]')).toHaveCount(0);
});

test('signing out says that it is under way', async ({ page, journal }) => {
  const { visitor } = await signInOn(page, journal.server);
  await visitor.open('/about-me');
  const logout = await pauseRequests(page, /\/api\/auth\/logout/, 'POST');
  await page.getByRole('button', { name: visitor.m.layout.signOut }).click();
  await logout.paused;
  await expect(page.getByRole('button', { name: visitor.m.layout.signingOut })).toBeVisible();
  logout.release();
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
});
