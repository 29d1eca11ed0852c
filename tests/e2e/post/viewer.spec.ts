import { readFileSync } from 'node:fs';
import { type Author, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import type { Page } from '@playwright/test';
import { expect, expectAccessibleInBothThemes, test } from '../journal.ts';
import { writePost } from '../people.ts';
import { FULL_ARTWORK, SMALL_ARTWORK, Visitor } from '../steps.ts';
import { recordRequests } from '../traffic.ts';

let author: Author;
let postId: string;

/** Writes a post with an uploaded artwork and returns its id. */
async function publish(server: RunningServer, artwork: string): Promise<string> {
  const path = `posts/${Date.now()}.webp`;
  const image = await uploadFile(server, author.token, { path, bytes: readFileSync(artwork) });
  return writePost(server, author, { ...image, title_en: 'The crown around the heart' });
}

test.beforeAll(async ({ journal }) => {
  author = await signUp(journal.server);
  postId = await publish(journal.server, FULL_ARTWORK);
});

const opener = (page: Page) => page.locator('figure a');
const dialog = (page: Page) => page.getByRole('dialog', { name: 'The crown around the heart' });
const artwork = (page: Page) => dialog(page).getByRole('img', { name: /The crown around the heart/ });

const widthOf = (page: Page) => artwork(page).evaluate((image) => image.getBoundingClientRect().width);
const chosenWidth = (page: Page) =>
  artwork(page).evaluate((image: HTMLImageElement) =>
    // No source is chosen yet while the browser changes from one to another.
    Number(new URL(image.currentSrc, window.location.href).searchParams.get('w')),
  );
const requestedWidths = (urls: readonly { url(): string }[]) =>
  urls.map((request) => Number(new URL(request.url()).searchParams.get('w'))).filter(Boolean);

/** Opens the post and its viewer, and waits for the artwork. */
async function openViewer(page: Page): Promise<Visitor> {
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  await opener(page).click();
  await expect
    .poll(() => artwork(page).evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth > 0))
    .toBe(true);
  return visitor;
}

test('an artwork opens whole in the page and loads larger variants as it is enlarged', async ({ page }) => {
  const requests = recordRequests(page, (request) => request.url().includes('/storage/'));
  const { m } = await openViewer(page);
  // The page keeps no strip for a scroll bar beside the viewer.
  await expect(page.locator('html')).toHaveCSS('scrollbar-gutter', 'auto');
  const { width: windowWidth, height: windowHeight } = page.viewportSize() ?? { width: 0, height: 0 };
  const box = await artwork(page).boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 0)).toBeLessThanOrEqual(windowWidth);
  expect((box?.y ?? 0) + (box?.height ?? 0)).toBeLessThanOrEqual(windowHeight);
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(4 / 5, 1);
  expect(Math.max(...requestedWidths(requests)), 'the widest variant so far').toBeLessThanOrEqual(640);
  await expectAccessibleInBothThemes(page);

  const whole = await widthOf(page);
  await dialog(page).getByRole('button', { name: m.post.viewer.larger }).click();
  await expect.poll(() => widthOf(page)).toBeCloseTo(1.5 * whole, 0);
  await page.keyboard.press('+');
  await expect.poll(() => widthOf(page)).toBeCloseTo(2.25 * whole, 0);
  await expect.poll(() => chosenWidth(page)).toBe(1280);
  await page.keyboard.press('-');
  await expect.poll(() => widthOf(page)).toBeCloseTo(1.5 * whole, 0);
  await page.keyboard.press('0');
  await expect.poll(() => widthOf(page)).toBeCloseTo(whole, 0);
  // The original has no width in its URL.
  expect(requests.filter((request) => !request.url().includes('&w='))).toEqual([]);
});

test('Escape and Back close the viewer, even offline, and return the focus', async ({
  page,
  consoleErrors,
}) => {
  await openViewer(page);
  await expect(page).toHaveURL(/#artwork$/);
  await expect(opener(page)).toHaveAccessibleName(/crown around the heart.* Enlarge$/);
  await page.context().setOffline(true);
  await page.goBack();
  await expect(dialog(page)).toBeHidden();
  await expect(opener(page)).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page).not.toHaveURL(/#/);
  await expect(opener(page)).toBeFocused();
  await page.context().setOffline(false);
  // What a page loads in the background, such as the code of its notices, it may ask for while there is no connection.
  const others = consoleErrors.filter((error) => !error.includes('ERR_INTERNET_DISCONNECTED'));
  consoleErrors.splice(0, consoleErrors.length, ...others);
});

test('a link to the viewer opens it, and closing it stays on the post', async ({ page }) => {
  await page.goto('about:blank');
  await page.goto(`/post/${postId}#artwork`);
  await expect(dialog(page)).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog(page)).toBeHidden();
  await expect(page).toHaveURL(new RegExp(`/post/${postId}$`));
});

test('two fingers and two taps enlarge an artwork where they are', async ({ browser, journal }) => {
  const context = await browser.newContext({
    baseURL: journal.server.url,
    viewport: { width: 390, height: 800 },
    isMobile: true,
    hasTouch: true,
  });
  const page = await context.newPage();
  await openViewer(page);
  const whole = await widthOf(page);
  const [x, y] = [130, 400];
  /** Returns how far across the artwork the point is, from 0 to 1. */
  const across = () =>
    artwork(page).evaluate((image, left) => {
      const box = image.getBoundingClientRect();
      return (left - box.left) / box.width;
    }, x);
  const before = await across();
  await page.touchscreen.tap(x, y);
  await page.touchscreen.tap(x, y);
  await expect.poll(() => widthOf(page)).toBeCloseTo(2.5 * whole, 0);
  expect(await across()).toBeCloseTo(before, 1);
  await page.touchscreen.tap(x, y);
  await page.touchscreen.tap(x, y);
  await expect.poll(() => widthOf(page)).toBeCloseTo(whole, 0);

  const devtools = await context.newCDPSession(page);
  const touch = (type: 'touchStart' | 'touchMove' | 'touchEnd', apart: number) =>
    devtools.send('Input.dispatchTouchEvent', {
      type,
      touchPoints:
        type === 'touchEnd' ? [] : [x - apart / 2, x + apart / 2].map((left, id) => ({ x: left, y, id })),
    });
  await touch('touchStart', 50);
  for (const apart of [70, 90, 100]) await touch('touchMove', apart);
  await touch('touchEnd', 0);
  await expect.poll(() => widthOf(page)).toBeCloseTo(2 * whole, 0);
  expect(await across()).toBeCloseTo(before, 1);
  await context.close();
});

test('without JavaScript the link leads to a large variant, not to the original', async ({
  browser,
  journal,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`/post/${await publish(journal.server, SMALL_ARTWORK)}`);
  const followed = page.waitForResponse(/&w=2560$/);
  await opener(page).click();
  const response = await followed;
  expect(response.status()).toBe(200);
  expect(response.headers()['content-type']).toMatch(/^image\//);
  await context.close();
});

test('the wheel enlarges the artwork at the pointer, and makes it whole again', async ({ page }) => {
  const visitor = await openViewer(page);
  const whole = await widthOf(page);
  const box = await artwork(page).boundingBox();
  const at = { x: (box?.x ?? 0) + whole / 2, y: (box?.y ?? 0) + 90 };
  await page.mouse.move(at.x, at.y);
  await page.mouse.wheel(0, -400);
  await expect.poll(() => widthOf(page)).toBeGreaterThan(2 * whole);
  const larger = await artwork(page).boundingBox();
  const scale = (await widthOf(page)) / whole;
  expect((at.y - (larger?.y ?? 0)) / scale, 'the point below the pointer').toBeCloseTo(90, 0);
  await page.mouse.wheel(0, 4_000);
  await expect(dialog(page).getByRole('status')).toHaveText('100%');
  await expect(visitor.page.getByRole('dialog')).toBeVisible();
});
