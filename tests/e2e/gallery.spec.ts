import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, test } from './journal.ts';
import { emptyJournal, signInOn, writePost } from './people.ts';
import { Visitor } from './steps.ts';
import { expectConsoleErrors, hold, recordRequests } from './traffic.ts';

const GALLERY_DATA = /\/gallery\.data/;
const NOVEMBER = Date.UTC(2026, 10, 21, 12);

let author: Author;

test.beforeEach(async ({ journal }) => {
  await emptyJournal(journal.server);
  author = await signUp(journal.server);
});

/** So many posts, `Plate 1` the oldest. */
async function hangPlates(server: Parameters<typeof writePost>[0], count: number): Promise<void> {
  for (let number = 1; number <= count; number += 1) {
    const title = `Folio ${number}.`;
    await writePost(server, author, {
      id: `post_${number}`,
      title,
      title_en: title,
      title_de: `Blatt ${number}.`,
      content_en: number === 2 ? 'Of the spleen, 100% of it' : 'Of the heart',
      created_at: NOVEMBER + number,
    });
  }
}

const cards = (page: Page) => page.locator('main a[href^="/post/"]');

test('the first page of the site is the gallery, and going back leaves it', async ({ page }) => {
  await page.goto('about:blank');
  await page.goto('/?lang=de');
  await expect(page).toHaveURL(/\/gallery\?lang=de$/);
  await page.goBack();
  await expect(page).toHaveURL('about:blank');
});

test('the logo leads to the gallery, and going back to where it was pressed', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await page.getByRole('link', { name: visitor.m.layout.home }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/contact\?lang=en$/);
});

test('an empty gallery says so, and invites whoever is signed in to publish', async ({ page, journal }) => {
  const { visitor } = await signInOn(page, journal.server);
  const { gallery } = visitor.m;
  await visitor.open('/gallery');
  await expect(page.getByRole('heading', { name: gallery.empty })).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('link', { name: gallery.publishFirst }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test('an empty gallery does not ask a visitor to publish', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  await expect(page.getByText(visitor.m.gallery.emptyInvitation)).toBeVisible();
  await expect(page.getByRole('link', { name: visitor.m.gallery.publishFirst })).toHaveCount(0);
});

test('cards are 4:5 plates in one, two or three columns, newest first, published ones only', async ({
  page,
  journal,
}) => {
  await hangPlates(journal.server, 4);
  await writePost(journal.server, author, { title_en: 'Not yet', published: 0 });
  await new Visitor(page).open('/gallery');
  await expect(cards(page).locator('h2')).toHaveText(['Folio 4.', 'Folio 3.', 'Folio 2.', 'Folio 1.']);
  for (const [width, columns] of [
    [420, 1],
    [800, 2],
    [1280, 3],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    const found = await page
      .locator('main ul')
      .evaluate((list) => getComputedStyle(list).gridTemplateColumns.split(' ').length);
    expect(found, `columns at ${width} px`).toBe(columns);
    const box = await cards(page).first().locator('img').boundingBox();
    expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 2);
  }
});

test('a card shows its title and its date in long US form on hover and on focus', async ({
  page,
  journal,
}) => {
  await hangPlates(journal.server, 2);
  await new Visitor(page, 'de').open('/gallery');
  for (const [order, pointAt] of [
    [0, () => cards(page).nth(0).hover()],
    [1, () => page.keyboard.press('Tab').then(() => cards(page).nth(1).focus())],
  ] as const) {
    const caption = cards(page).nth(order).locator('.artwork-caption');
    await expect(caption).toHaveCSS('opacity', '0');
    await pointAt();
    await expect(caption).toHaveCSS('opacity', '1');
    await expect(caption).toContainText(`Blatt ${2 - order}.`);
    await expect(caption).toContainText('November 21, 2026');
  }
});

test('where nothing hovers, title and date stand below the plate', async ({ browser, journal }) => {
  await hangPlates(journal.server, 1);
  const context = await browser.newContext({
    baseURL: journal.server.url,
    viewport: { width: 390, height: 800 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto('/gallery');
  const caption = cards(page).locator('.artwork-caption');
  await expect(caption).toHaveCSS('opacity', '1');
  // Measured at once: the card may still be rising.
  const gap = await cards(page).evaluate((card) => {
    const [plate, words] = [card.querySelector('img'), card.querySelector('.artwork-caption')];
    return (words?.getBoundingClientRect().top ?? 0) - (plate?.getBoundingClientRect().bottom ?? 0);
  });
  // Less than a device pixel is rounding.
  expect(gap).toBeGreaterThan(-0.5);
  await context.close();
});

test('cards come in 100 ms after each other, and at once for who wants no motion', async ({
  page,
  journal,
}) => {
  await hangPlates(journal.server, 4);
  const animations = () =>
    page.locator('main ul > li').evaluateAll((items) =>
      items.map((item) => {
        const { animationName, animationDelay } = getComputedStyle(item);
        return [animationName, animationDelay];
      }),
    );
  await new Visitor(page).open('/gallery');
  expect(await animations()).toEqual([
    ['rise', '0s'],
    ['rise', '0.1s'],
    ['rise', '0.2s'],
    ['rise', '0.3s'],
  ]);
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.reload();
  expect((await animations()).map(([name]) => name)).toEqual(['none', 'none', 'none', 'none']);
});

test('another language loads the list anew, behind three 4:5 skeletons', async ({ page, journal }) => {
  await hangPlates(journal.server, 2);
  await page.goto('/gallery');
  const visitor = new Visitor(page);
  await visitor.hydrated();
  const requests = recordRequests(page, (request) => request.url().endsWith('_routes=gallery%2Froute'));
  const list = await hold(page, GALLERY_DATA);
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await list.arrived;
  const skeletons = page.locator('[data-skeleton=card]');
  await expect(skeletons).toHaveCount(3);
  const box = await skeletons.first().locator('div').first().boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 2);
  await expect(page.getByRole('status').filter({ has: skeletons.first() })).toBeVisible();
  list.release();
  await expect(cards(page).locator('h2')).toHaveText(['Blatt 2.', 'Blatt 1.']);
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  expect(requests).toHaveLength(1);
});

test('three skeletons stand in while the gallery is on its way', async ({ page, journal }) => {
  await hangPlates(journal.server, 1);
  const visitor = new Visitor(page);
  await visitor.open('/about-me');
  const list = await hold(page, GALLERY_DATA);
  await page.getByRole('link', { name: visitor.m.layout.gallery, exact: true }).click();
  await expect(page.locator('[data-skeleton=card]')).toHaveCount(3);
  list.release();
  await expect(cards(page)).toHaveCount(1);
});

test('a gallery that cannot be fetched says so and offers another try', async ({ page, consoleErrors }) => {
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await page.route(GALLERY_DATA, (route) => route.abort('connectionfailed'));
  await page.getByRole('link', { name: visitor.m.layout.gallery, exact: true }).click();
  await expect(page.getByRole('heading', { name: visitor.m.layout.failedTitle })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: visitor.m.layout.tryAgain }).click();
  await expect(page.getByRole('heading', { name: visitor.m.gallery.empty })).toBeVisible();
  expectConsoleErrors(consoleErrors, /./);
});

test('more plates are added to the page, and are still there after a look at one', async ({
  page,
  journal,
}) => {
  await hangPlates(journal.server, 30);
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  await expect(cards(page)).toHaveCount(24);
  const address = page.url();
  await page.getByRole('link', { name: visitor.m.gallery.loadMore }).click();
  await expect(cards(page)).toHaveCount(30);
  await expect(cards(page).nth(24)).toBeFocused();
  await expect(page.getByText(visitor.m.gallery.loadedMore(6))).toBeAttached();
  await expect(page.getByRole('link', { name: visitor.m.gallery.loadMore })).toHaveCount(0);
  await expect(page).toHaveURL(address);
  await cards(page).last().click();
  await expect(page).toHaveURL(/\/post\/post_1$/);
  // To go back while the one page still turns into the other is no error of the page, but told as one.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await page.goBack();
  await expect(cards(page)).toHaveCount(30);
});

test('more plates that cannot be loaded are a notice, and the next try brings them', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await hangPlates(journal.server, 25);
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  const more = page.getByRole('link', { name: visitor.m.gallery.loadMore });
  await page.route('**/rest/v1/journal_posts*', (route) => route.abort('connectionfailed'));
  await more.click();
  await expect(visitor.notice(visitor.m.gallery.loadMoreFailed)).toBeVisible();
  await expect(cards(page)).toHaveCount(24);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await page.unrouteAll();
  await more.click();
  await expect(cards(page)).toHaveCount(25);
});

test('without JavaScript the gallery is read, paged and searched by links and a form', async ({
  browser,
  journal,
}) => {
  await hangPlates(journal.server, 26);
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const { gallery } = new Visitor(page).m;
  await page.goto('/gallery');
  await expect(cards(page)).toHaveCount(24);
  await page.getByRole('link', { name: gallery.loadMore }).click();
  await expect(page).toHaveURL(/cursor=/);
  await expect(cards(page).locator('h2')).toHaveText(['Folio 2.', 'Folio 1.']);
  await page.getByRole('link', { name: gallery.toNewest }).click();
  await page.getByRole('searchbox').fill('spleen');
  await page.getByRole('searchbox').press('Enter');
  await expect(cards(page).locator('h2')).toHaveText(['Folio 2.']);
  await context.close();
});

test('a search shows the posts that hold it, as it is written', async ({ page, journal }) => {
  await hangPlates(journal.server, 3);
  const visitor = new Visitor(page);
  const { gallery } = visitor.m;
  await visitor.open('/gallery');
  const search = page.getByRole('searchbox', { name: gallery.search });
  await search.fill('  100%  ');
  await page.getByRole('button', { name: gallery.submitSearch, exact: true }).click();
  await expect(page).toHaveURL(/\/gallery\?search=/);
  await expect(page.getByRole('heading', { name: gallery.resultsFor('100%') })).toBeVisible();
  await expect(cards(page).locator('h2')).toHaveText(['Folio 2.']);
  await search.fill('_');
  await search.press('Enter');
  await expect(page.getByRole('heading', { name: gallery.nothingFound('_') })).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('link', { name: gallery.clearSearch }).click();
  await expect(cards(page)).toHaveCount(3);
  await expect(search).toHaveValue('');
});
