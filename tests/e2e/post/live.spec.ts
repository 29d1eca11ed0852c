import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { emptyJournal, signInOn, writeComment, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import {
  CALLS,
  expectConsoleErrors,
  failRequests,
  pauseRequests,
  pressLike,
  recordRequests,
  writesTo,
} from '../traffic.ts';

test.use({ contextOptions: { reducedMotion: 'no-preference' } });

let author: Author;
let postId: string;

test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  postId = await writePost(journal.server, author);
});

const items = (page: Page) => page.locator('main li[tabindex="-1"]');
const item = (page: Page, text: string) => items(page).filter({ hasText: text });
const heart = (page: Page, text: string) => item(page, text).locator('button[aria-pressed]');
const cards = (page: Page) => page.locator('main a[href^="/post/"]');

async function openComments({ page, m }: Visitor, count: number) {
  await page.getByRole('button', { name: m.post.comments.count(count), exact: true }).click();
  return page.getByLabel(m.post.comments.label);
}

/** Waits for the end of all animations. */
async function untilStill(page: Page): Promise<void> {
  await page.evaluate(() =>
    Promise.allSettled(document.getAnimations().map((animation) => animation.finished)),
  );
}

/** Opens the same page in another browser context. */
async function otherBrowser(page: Page, path: string): Promise<Visitor> {
  const context = await page
    .context()
    .browser()
    ?.newContext({ baseURL: new URL(page.url()).origin });
  if (!context) throw new Error('The page has no browser.');
  page.once('close', () => context.close());
  const other = new Visitor(await context.newPage());
  await other.open(path);
  return other;
}

test('likes and comments of an open post are updated for all of its readers', async ({ page, journal }) => {
  const { visitor } = await signInOn(page, journal.server, { name: 'Grace Hopper' });
  const { comments } = visitor.m.post;
  await visitor.open(`/post/${postId}`);
  const other = await otherBrowser(page, `/post/${postId}`);
  await openComments(other, 0);
  const sameReader = new Visitor(await page.context().newPage());
  await sameReader.open(`/post/${postId}`);
  // Pages in the background are rendered rarely.
  await page.bringToFront();

  await visitor.likeButton.click();
  await expect(other.likeButton).toHaveText('1');
  await expect(other.likeButton).toHaveAttribute('aria-pressed', 'false');
  await expect(sameReader.likeButton).toHaveAttribute('aria-pressed', 'true');

  const box = await openComments(visitor, 0);
  await box.fill('Look at the hilum.');
  const posting = await pauseRequests(page, CALLS.comments, 'POST');
  await page.getByRole('button', { name: comments.submit, exact: true }).click();
  await posting.paused;
  await box.fill('And at the');
  posting.release();
  await expect(item(other.page, 'hilum')).toBeVisible();
  await expect(other.page.getByRole('button', { name: comments.count(1), exact: true })).toBeVisible();
  await expect(items(page)).toHaveCount(1);
  await expect(box).toHaveValue('And at the');
  await expect(sameReader.page.getByRole('button', { name: comments.count(1), exact: true })).toBeVisible();

  await pressLike(page, heart(page, 'hilum'));
  await expect(heart(other.page, 'hilum')).toHaveText('1');
  await pressLike(page, heart(page, 'hilum'));
  await expect(heart(other.page, 'hilum')).toHaveText('0');

  await page.getByRole('button', { name: comments.delete('Grace Hopper') }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: visitor.m.post.delete.confirm }).click();
  await expect(other.page.getByText(comments.empty)).toBeVisible();
  await expect(other.page.getByRole('button', { name: comments.count(0), exact: true })).toBeVisible();
});

test('new comments are shown on request, nothing on the page moves before, and the focus of a deleted one moves to the next', async ({
  page,
  journal,
}) => {
  const { visitor } = await signInOn(page, journal.server);
  const { comments } = visitor.m.post;
  for (const text of ['The first.', 'The second.', 'The third.']) await writeComment(author, postId, text);
  await visitor.open(`/post/${postId}`);
  const box = await openComments(visitor, 3);
  await box.fill('A long thought, half');
  await expect(items(page)).toHaveCount(3);
  await untilStill(page);
  const positions = () => Promise.all([box.boundingBox(), item(page, 'third').boundingBox()]);
  const before = await positions();

  await writeComment(author, postId, 'The fourth.');
  const newest = await writeComment(author, postId, 'The fifth.');
  const offer = page.getByRole('button', { name: comments.showNew(2), exact: true });
  await expect(offer).toBeVisible();
  await expect(page.getByRole('button', { name: comments.count(5), exact: true })).toBeVisible();
  expect(await positions()).toEqual(before);
  await expect(box).toBeFocused();
  await expect(box).toHaveValue('A long thought, half');
  await expect(items(page)).toHaveCount(3);
  await expectAccessible(page);

  await offer.press('Enter');
  await expect(items(page).locator('.plain-text p')).toHaveText([
    'The fifth.',
    'The fourth.',
    'The third.',
    'The second.',
    'The first.',
  ]);
  await expect(item(page, 'fifth')).toBeFocused();
  await expect(offer).toHaveCount(0);
  await expect(box).toHaveValue('A long thought, half');

  await heart(page, 'fifth').focus();
  await author.rest('DELETE', `post_comments?id=eq.${newest}`);
  await expect(item(page, 'fifth')).toHaveCount(0);
  await expect(item(page, 'fourth')).toBeFocused();
});

test('a page says when its connection is lost, and catches up when it is back', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await page.clock.install();
  let isCut = false;
  let cut = () => {};
  const joined = Promise.withResolvers<void>();
  await page.routeWebSocket(/\/api\/realtime/, (socket) => {
    if (isCut) return void socket.close({ code: 1001 });
    const server = socket.connectToServer();
    server.onMessage((message) => {
      socket.send(message);
      if (String(message).includes('"subscribed"')) joined.resolve();
    });
    cut = () => {
      isCut = true;
      void socket.close({ code: 1001 });
      void server.close();
    };
  });
  const removed = await writeComment(author, postId, 'The first.');
  const { visitor } = await signInOn(page, journal.server);
  const { comments } = visitor.m.post;
  await visitor.open(`/post/${postId}`);
  const box = await openComments(visitor, 1);
  await box.fill('Half a thought');
  await page.clock.runFor(3_000);
  await joined.promise;

  cut();
  await page.clock.runFor(12_000);
  await expect(page.getByText(comments.paused)).toBeVisible();
  await writeComment(author, postId, 'The second.');
  await author.rest('DELETE', `post_comments?id=eq.${removed}`);
  await author.rest('POST', 'post_likes', { post_id: postId, user_id: author.id });
  await expect(item(page, 'first')).toBeVisible();

  isCut = false;
  await page.clock.runFor(40_000);
  await expect(item(page, 'first')).toHaveCount(0);
  await expect(visitor.likeButton).toHaveText('1');
  await expect(item(page, 'second')).toBeVisible();
  await expect(page.getByText(comments.paused)).toHaveCount(0);
  await expect(box).toHaveValue('Half a thought');
  expect(consoleErrors).toEqual([]);
});

test('a changed text is updated, and a deleted post stays until the reader leaves', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  await author.rest('PATCH', `journal_posts?id=eq.${postId}`, { content_en: 'Light goes out.' });
  await expect(page.getByText('Light goes out.')).toBeVisible();
  // The page still has to fetch the last change when the post is gone.
  const fetched = page.waitForResponse((response) => /journal_posts|\.data/.test(response.url()));
  await author.rest('PATCH', `journal_posts?id=eq.${postId}`, { content_en: 'Light went out.' });
  await author.rest('DELETE', `journal_posts?id=eq.${postId}`);
  await expect(visitor.notice(visitor.m.post.removed)).toBeVisible();
  await (await fetched).finished();
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))));
  await expect(page.getByText(/^Light (goes|went) out\.$/)).toBeVisible();
  await page.getByRole('link', { name: visitor.m.post.backToGallery }).click();
  await expect(visitor.notice(visitor.m.post.removed)).toHaveCount(0);
});

test('a text that cannot be updated stays as it is until it can be', async ({ page, consoleErrors }) => {
  const visitor = new Visitor(page);
  const caughtUp = page.waitForResponse(CALLS.posts);
  await visitor.open(`/post/${postId}`);
  await caughtUp;
  const title = await page.getByRole('heading', { level: 1 }).innerText();
  const restore = await Promise.all([CALLS.posts, '**/*.data*'].map((url) => failRequests(page, url, 'GET')));
  const failed = page.waitForEvent('requestfailed');
  await author.rest('PATCH', `journal_posts?id=eq.${postId}`, { content_en: 'Light goes out.' });
  await failed;
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(title);
  await Promise.all(restore.map((again) => again()));
  await expect(page.getByText('Light goes out.')).toBeVisible();
  expectConsoleErrors(consoleErrors, /Failed to load resource/);
});

test('the like button removes a like of another device, even before the page knows of it', async ({
  page,
  journal,
}) => {
  const { author: reader, visitor } = await signInOn(page, journal.server);
  await reader.rest('POST', 'post_likes', { post_id: postId, user_id: reader.id });
  const likes = await pauseRequests(page, CALLS.postLikes, 'GET');
  const writes = recordRequests(page, writesTo('post_likes'));
  await visitor.open(`/post/${postId}`);
  await likes.paused;
  await visitor.likeButton.click();
  likes.release();
  await expect(visitor.likeButton).toHaveText('0');
  await expect.poll(() => writes.map((request) => request.method())).toEqual(['DELETE']);
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'false');
});

test('an open gallery offers a new post without moving its cards', async ({ page, journal }) => {
  await emptyJournal(journal.server);
  for (let number = 1; number <= 7; number += 1) {
    await writePost(journal.server, author, { title_en: `Folio ${number}.` });
  }
  const visitor = new Visitor(page);
  const { gallery } = visitor.m;
  await visitor.open('/gallery');
  await page.evaluate(() => window.scrollTo({ top: 400, behavior: 'instant' }));
  await untilStill(page);
  const positions = () => Promise.all([0, 3, 6].map((order) => cards(page).nth(order).boundingBox()));
  const before = await positions();

  await writePost(journal.server, author, { title_en: 'Folio 8.' });
  await expect(page.getByRole('button', { name: gallery.showNew(1), exact: true })).toBeInViewport();
  await writePost(journal.server, author, { title_en: 'Folio 9.' });
  const offer = page.getByRole('button', { name: gallery.showNew(2), exact: true });
  await expect(offer).toBeInViewport();
  expect(await positions()).toEqual(before);
  await expect(page.getByRole('status').filter({ hasText: gallery.newOnes })).toHaveCount(1);
  await expectAccessible(page);

  await offer.press('Enter');
  await expect(cards(page).first()).toBeFocused();
  await expect(cards(page).first()).toContainText('Folio 9.');
  await expect(cards(page)).toHaveCount(9);
  await expect(offer).toHaveCount(0);
  expect(await page.evaluate(() => window.scrollY)).toBe(0);
});

test('comments that are opened after the page is up to date are requested once', async ({ page }) => {
  await writeComment(author, postId, 'Opened by a reader.');
  const visitor = new Visitor(page);
  const pages = recordRequests(page, (request) => /\/post_comments\?.*order=/.test(request.url()));
  // What the page asks for when it has joined the channel of its post.
  const catchUp = await pauseRequests(page, CALLS.posts);
  await visitor.open(`/post/${postId}`);
  await catchUp.paused;
  await openComments(visitor, 1);
  await expect(item(page, 'Opened by a reader.')).toBeVisible();
  const caughtUp = page.waitForResponse(/\/journal_posts\?/);
  catchUp.release();
  await (await caughtUp).finished();
  const comment_id = await items(page).first().getAttribute('id');
  const like = { id: `clike_${postId}`, comment_id, user_id: author.id };
  expect((await author.rest('POST', 'comment_likes', [like])).status).toBe(201);
  // The comment's likes come with everything else that waits to be fetched.
  await expect(heart(page, 'Opened by a reader.')).toHaveText('1');
  expect(pages).toHaveLength(1);
});

test('comments of a page that is opened at them are requested once', async ({ page }) => {
  await writeComment(author, postId, 'Opened by a link.');
  const pages = recordRequests(page, (request) => /\/post_comments\?.*order=/.test(request.url()));
  const caughtUp = page.waitForResponse(/\/journal_posts\?/);
  await page.goto(`/post/${postId}#comments`);
  await expect(item(page, 'Opened by a link.')).toBeVisible();
  await (await caughtUp).finished();
  const comment_id = await items(page).first().getAttribute('id');
  const like = { id: `clike_${postId}`, comment_id, user_id: author.id };
  expect((await author.rest('POST', 'comment_likes', [like])).status).toBe(201);
  // The comment's likes come with everything else that waits to be fetched.
  await expect(heart(page, 'Opened by a link.')).toHaveText('1');
  expect(pages).toHaveLength(1);
});
