import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { setSession, writeComment, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, pauseRequests, recordRequests } from '../traffic.ts';

let author: Author;
let postId: string;

test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  postId = await writePost(journal.server, author, { title_en: 'The spleen', title_fr: null });
});

async function openPost(page: Page): Promise<Visitor> {
  const visitor = new Visitor(page);
  await visitor.open(`/post/${postId}`);
  return visitor;
}

async function openComments({ page, m }: Visitor, count: number): Promise<void> {
  await page.getByRole('button', { name: m.post.comments.count(count) }).click();
}

test('a visitor sees the counts and is asked to sign in for a like or a comment', async ({ page }) => {
  const comment = await writeComment(author, postId, 'Look at the hilum.');
  const likes = { post_id: postId, user_id: author.id };
  expect((await author.rest('POST', 'post_likes', likes)).status).toBe(201);
  const commentLike = { comment_id: comment, user_id: author.id };
  expect((await author.rest('POST', 'comment_likes', commentLike)).status).toBe(201);

  const visitor = await openPost(page);
  const { post } = visitor.m;
  const writes = recordRequests(page, (request) => request.method() !== 'GET');
  await expect(visitor.likeButton).toHaveText('1');
  await visitor.likeButton.click();
  await expect(visitor.notice(post.like.signInFirst)).toBeVisible();
  await expect(visitor.likeButton).toHaveText('1');
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'false');

  await openComments(visitor, 1);
  const box = page.getByLabel(post.comments.label);
  await expect(box).toBeDisabled();
  await expect(box).toHaveAttribute('rows', '3');
  await expect(page.getByRole('button', { name: post.comments.submit })).toBeDisabled();
  await expect(page.getByText(post.comments.signInFirst)).toBeVisible();
  const like = page.getByRole('listitem').filter({ hasText: 'hilum' }).locator('button[aria-pressed]');
  await expect(like).toHaveText('1');
  await like.click();
  await expect(visitor.notice(post.like.signInFirstForComment)).toBeVisible();
  await expect(like).toHaveText('1');
  await expect(page.getByRole('button', { name: post.comments.delete('Dr Ada Byron') })).toHaveCount(0);
  await expect(page.getByRole('button', { name: post.delete.open, exact: true })).toHaveCount(0);
  expect(writes.map((request) => request.url())).toEqual([]);
});

test('a visitor who signs in returns to the post with its comments open', async ({ page, journal }) => {
  const reader = await signUp(journal.server, 'Grace Hopper');
  const visitor = await openPost(page);
  const { comments } = visitor.m.post;
  await openComments(visitor, 0);
  await page.locator('form').getByRole('link', { name: comments.signIn, exact: true }).click();
  await page.waitForURL(/\/auth/);
  await visitor.hydrated();
  await visitor.signIn(reader.email);
  await expect(page).toHaveURL(new RegExp(`/post/${postId}\\?comments=open#comments$`));
  await expect(page.getByLabel(comments.label)).toBeEnabled();
});

test('the image of a post is 16:10, and the text keeps its line breaks', async ({ page }) => {
  await openPost(page);
  const box = await page.getByRole('img', { name: /The spleen/ }).boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 10, 2);
  const text = page.locator('article .prose-text');
  await expect(text).toHaveCSS('white-space-collapse', 'preserve-breaks');
  expect(await text.evaluate((element: HTMLElement) => element.innerText)).toBe(
    'en: Light comes in.\n\nAn image is made.',
  );
});

test('a post is shown in the chosen language, with the original for missing texts', async ({ page }) => {
  await openPost(page);
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The eye');
  await expect(page.locator('article .prose-text')).toContainText('fr: Light comes in.');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('an unknown post has status 404 and a link to the gallery', async ({ page, consoleErrors }) => {
  const visitor = new Visitor(page);
  const response = await page.goto('/post/post_nobody_wrote');
  expect(response?.status()).toBe(404);
  await visitor.hydrated();
  await expect(page.getByRole('heading', { name: visitor.m.post.notFound.title })).toBeVisible();
  await page.getByRole('link', { name: visitor.m.post.backToGallery }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  // Chromium reports the page's own 404.
  expectConsoleErrors(consoleErrors, /status of 404/);
});

test('placeholders are shown while a post loads', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open('/gallery');
  const data = await pauseRequests(page, /\/post\/.*\.data/);
  await visitor.card('The spleen').first().click();
  await expect(page.getByText(visitor.m.post.loading)).toBeAttached();
  await expect(page.getByRole('link', { name: visitor.m.post.backToGallery })).toBeVisible();
  data.release();
  await expect(page.getByRole('heading', { level: 1, name: 'The spleen' })).toBeVisible();
});

test('only the owner of a post sees a button to delete it', async ({ page, journal }) => {
  const reader = await signUp(journal.server, 'Grace Hopper');
  for (const [person, count] of [
    [reader, 0],
    [author, 1],
  ] as const) {
    await setSession(page, person, journal.server);
    const visitor = await openPost(page);
    await expect(page.getByRole('button', { name: visitor.m.layout.signOut })).toBeVisible();
    await expect(page.locator('article header')).toContainText('Dr Ada Byron');
    await expect(page.getByRole('button', { name: visitor.m.post.delete.open, exact: true })).toHaveCount(
      count,
    );
  }
});
