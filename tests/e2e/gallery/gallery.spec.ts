import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { emptyJournal, signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, pauseRequests, recordRequests } from '../traffic.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

const GALLERY_DATA = /\/gallery\.data/;
const NOVEMBER = Date.UTC(2026, 10, 21, 12);

let author: Author;

test.beforeEach(async ({ journal }) => {
  await emptyJournal(journal.server);
  author = await signUp(journal.server);
});

/** Publishes posts, of which `Folio 1.` is the oldest. */
async function publishArtworks(server: Parameters<typeof writePost>[0], count: number): Promise<void> {
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

test('the logo opens the gallery, and going back returns to the page before', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await page.getByRole('link', { name: visitor.m.layout.home('Fabrica') }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/contact\?lang=en$/);
});

test('a page with tokens in its address takes them out of it, and works', async ({ page }) => {
  const visitor = new Visitor(page);
  await page.goto('/gallery?access_token=none&lang=en');
  await visitor.hydrated();
  await expect(page).toHaveURL(/\/gallery\?lang=en$/);
});

test('a reader who loads a post again and goes back before its scripts have run comes to the gallery', async ({
  page,
  journal,
}) => {
  await writePost(journal.server, author, { title_en: 'The spleen' });
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  await visitor.card('The spleen').click();
  const title = page.getByRole('heading', { level: 1 });
  await expect(title).toHaveText('The spleen');
  const scripts = await pauseRequests(page, /\/entry\.client-[^/]+\.js$/);
  await page.reload({ waitUntil: 'commit' });
  await scripts.paused;
  // The browser asks for the scripts before it has parsed the head, whose own script knows the page's address.
  await page.waitForFunction(() => window.pageAddress !== undefined);
  await page.goBack({ waitUntil: 'commit' });
  await expect(title).toHaveText(visitor.m.gallery.title);
  scripts.release();
  await visitor.hydrated();
  await expect(visitor.card('The spleen')).toBeVisible();
});

test('an empty gallery says so and invites a signed-in author, but no visitor, to publish', async ({
  page,
  journal,
}) => {
  const { gallery } = new Visitor(page).m;
  await new Visitor(page).open('/gallery');
  await expect(page.getByText(gallery.emptyInvitation)).toBeVisible();
  await expect(page.getByRole('link', { name: gallery.publishFirst })).toHaveCount(0);
  const { visitor } = await signInOn(page, journal.server);
  await visitor.open('/gallery');
  await expect(page.getByRole('heading', { name: gallery.empty })).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  await page.getByRole('link', { name: gallery.publishFirst }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

test('the gallery shows published posts as 4:5 cards in one, two or three columns, newest first', async ({
  page,
  journal,
}) => {
  await publishArtworks(journal.server, 4);
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

test('a card shows its title, and in place of its number its date in long US form on hover and on focus', async ({
  page,
  journal,
}) => {
  await publishArtworks(journal.server, 2);
  await new Visitor(page, 'de').open('/gallery');
  for (const [order, pointAt] of [
    [0, () => cards(page).nth(0).hover()],
    [1, () => page.keyboard.press('Tab').then(() => cards(page).nth(1).focus())],
  ] as const) {
    const card = cards(page).nth(order);
    const [date, number] = [card.locator('time'), card.getByText(`Tafel ${2 - order}`)];
    await expect(card.getByRole('heading', { name: `Blatt ${2 - order}.` })).toBeVisible();
    await expect(date).toHaveCSS('opacity', '0');
    await expect(number).toHaveCSS('opacity', '1');
    await pointAt();
    await expect(date).toHaveCSS('opacity', '1');
    await expect(number).toHaveCSS('opacity', '0');
    await expect(date).toHaveText('November 21, 2026');
  }
});

test('title and date are below the artwork on devices without hover', async ({ browser, journal }) => {
  await publishArtworks(journal.server, 1);
  const context = await browser.newContext({
    baseURL: journal.server.url,
    viewport: { width: 390, height: 800 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await page.goto('/gallery');
  await expect(cards(page).locator('time')).toHaveCSS('opacity', '1');
  await expect(cards(page).getByText(new Visitor(page).m.gallery.artworkNumber(1))).toHaveCSS('opacity', '1');
  // Both boxes are measured in one step, since the card may still be moving.
  const gap = await cards(page).evaluate((card) => {
    const [artwork, texts] = [card.querySelector('img'), card.querySelector('.artwork-caption')];
    return (texts?.getBoundingClientRect().top ?? 0) - (artwork?.getBoundingClientRect().bottom ?? 0);
  });
  // A difference below a device pixel is rounding.
  expect(gap).toBeGreaterThan(-0.5);
  await context.close();
});

test('cards appear 100 ms after each other, and at once with reduced motion', async ({ page, journal }) => {
  await publishArtworks(journal.server, 4);
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

test('another language reloads the gallery behind three 4:5 skeletons', async ({ page, journal }) => {
  await publishArtworks(journal.server, 2);
  await page.goto('/gallery');
  const visitor = new Visitor(page);
  await visitor.hydrated();
  const requests = recordRequests(page, (request) => request.url().endsWith('_routes=gallery%2Froute'));
  const list = await pauseRequests(page, GALLERY_DATA);
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Deutsch' }).click();
  await list.paused;
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

test('a gallery that could not be loaded says so and offers another try', async ({ page, consoleErrors }) => {
  const visitor = new Visitor(page);
  await visitor.open('/contact');
  await page.route(GALLERY_DATA, (route) => route.abort('connectionfailed'));
  await page.getByRole('link', { name: visitor.m.layout.gallery, exact: true }).click();
  await expect(page.getByRole('heading', { name: visitor.m.layout.failedTitle })).toBeVisible();
  await page.unrouteAll();
  await page.getByRole('link', { name: visitor.m.layout.tryAgain }).click();
  await expect(page.getByRole('heading', { name: visitor.m.gallery.empty })).toBeVisible();
  // The page was loaded as a whole: a search before its scripts have run would be, too.
  await visitor.hydrated();

  await page.route(GALLERY_DATA, (route) => route.abort('connectionfailed'));
  await page.getByRole('searchbox').fill('spleen');
  await page.keyboard.press('Enter');
  await page.getByRole('link', { name: visitor.m.layout.tryAgain }).click();
  await expect(page).toHaveURL(/\/gallery\?search=spleen$/);
  await expect(page.getByText(visitor.m.gallery.nothingFound('spleen'))).toBeVisible();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('more artworks are added to the page and are still there after going back to it, although there are newer ones', async ({
  page,
  journal,
}) => {
  await publishArtworks(journal.server, 30);
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  await expect(cards(page)).toHaveCount(24);
  const url = page.url();
  await page.getByRole('link', { name: visitor.m.gallery.loadMore }).click();
  await expect(cards(page)).toHaveCount(30);
  await expect(cards(page).nth(24)).toBeFocused();
  await expect(page.getByText(visitor.m.gallery.loadedMore(6))).toBeAttached();
  await expect(page.getByRole('link', { name: visitor.m.gallery.loadMore })).toHaveCount(0);
  await expect(page).toHaveURL(url);
  await cards(page).last().click();
  await expect(page).toHaveURL(/\/post\/post_1$/);
  // Going back during a view transition is reported as an error, although the page works.
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await page.goBack();
  await expect(cards(page)).toHaveCount(30);

  await cards(page).last().hover();
  const y = await page.evaluate(() => window.scrollY);
  await cards(page).last().click();
  await expect(page).toHaveURL(/\/post\/post_1$/);
  await page.waitForFunction(() => document.getAnimations().length === 0);
  await writePost(journal.server, author, { title_en: 'Folio anew.' });
  await page.getByRole('link', { name: visitor.m.post.backToGallery }).click();
  await expect(cards(page)).toHaveCount(30);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBe(y);
  await page.getByRole('button', { name: visitor.m.gallery.showNew(1), exact: true }).click();
  await expect(cards(page).first()).toContainText('Folio anew.');
  await expect(cards(page)).toHaveCount(24);
});

test('a reader on a phone who loads the gallery again is brought back to the same artwork', async ({
  page,
  journal,
}) => {
  for (let number = 1; number <= 12; number += 1) {
    const title = `Folio ${number}, ${'of the vessels and '.repeat(number)}the heart`;
    await writePost(journal.server, author, { title, title_en: title, created_at: NOVEMBER + number });
  }
  await page.setViewportSize({ width: 390, height: 844 });
  await new Visitor(page).open('/gallery');
  const card = cards(page).nth(9);
  const top = () => card.evaluate((link) => Math.round(link.getBoundingClientRect().top));
  const item = (place: number) => cards(page).nth(place).locator('xpath=..');
  await expect(item(11)).toHaveCSS('content-visibility', 'auto');
  await card.evaluate(async (link) => {
    for (let top = Infinity; top > 300; top = link.getBoundingClientRect().top) {
      window.scrollBy({ top: 400, behavior: 'instant' });
      // A card that has come near is laid out in the next frame.
      for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    }
  });
  await page.evaluate(() => document.fonts.ready);
  const before = await top();
  await page.reload();
  await expect(item(11)).toHaveCSS('content-visibility', 'visible');
  // A line that breaks elsewhere in another font would be 20 px.
  await expect.poll(async () => Math.abs((await top()) - before)).toBeLessThan(10);
});

test('more artworks that could not be loaded are explained and can be loaded with another try', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await publishArtworks(journal.server, 25);
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

test('a search shows the posts that contain its words', async ({ page, journal }) => {
  await publishArtworks(journal.server, 3);
  const visitor = new Visitor(page);
  const { gallery } = visitor.m;
  await visitor.open('/gallery');
  const search = page.getByRole('searchbox', { name: gallery.search });
  await search.fill('  100%  ');
  await page.getByRole('button', { name: gallery.submitSearch, exact: true }).click();
  await expect(page).toHaveURL(/\/gallery\?search=/);
  await expect(page.getByRole('heading', { name: gallery.resultsFor('100%') })).toBeVisible();
  await expect(cards(page).locator('h2')).toHaveText(['Folio 2.']);
  await expect(cards(page).locator('p')).toHaveText(['Of the spleen, 100% of it']);
  await expect(cards(page).locator('mark')).toHaveText(['100']);
  await search.fill('_');
  await search.press('Enter');
  await expect(page.getByRole('heading', { name: gallery.nothingFound('_') })).toBeVisible();
  await expect(cards(page)).toHaveCount(0);
  const cut = page.getByText(gallery.searchCut(8, 100));
  await expect(cut).toHaveCount(0);
  await search.fill('Folio and one two three four five six seven');
  await search.press('Enter');
  await expect(cut).toBeVisible();
  // What is found in other languages follows its sentence at once.
  await search.fill('Blatt');
  await search.press('Enter');
  const elsewhere = page.getByText(gallery.foundElsewhere(3));
  await expect(elsewhere).toBeVisible();
  const clear = page.getByRole('link', { name: gallery.clearSearch });
  const [link, sentence] = [await clear.boundingBox(), await elsewhere.boundingBox()];
  expect(link?.y).toBeLessThan(sentence?.y ?? 0);
  await clear.click();
  await expect(cards(page)).toHaveCount(3);
  await expect(search).toHaveValue('');
});
