import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { rowsOf, signInOn, writeComment, writePost } from '../people.ts';
import type { Visitor } from '../steps.ts';
import {
  CALLS,
  expectConsoleErrors,
  failRequests,
  pauseRequests,
  pressLike,
  recordRequests,
  writesTo,
} from '../traffic.ts';

let author: Author;
let reader: Author;
let visitor: Visitor;
let postId: string;

test.beforeEach(async ({ page, journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  postId = await writePost(journal.server, author);
  ({ author: reader, visitor } = await signInOn(page, journal.server, { name: 'Grace Hopper' }));
});

async function openPost(): Promise<void> {
  await visitor.open(`/post/${postId}`);
  await expect(visitor.page.getByRole('button', { name: visitor.m.layout.signOut })).toBeVisible();
}

/** Opens the comment section and returns its parts. */
async function openComments(page: Page, count = 0) {
  const { comments } = visitor.m.post;
  await page.getByRole('button', { name: comments.count(count) }).click();
  const box = page.getByLabel(comments.label);
  await expect(box).toBeEnabled();
  const item = (text: string) => page.locator('main li').filter({ hasText: text });
  return { box, item, post: page.getByRole('button', { name: comments.submit, exact: true }) };
}

/** Clicks twice before the page can handle the first click. */
async function clickTwice(button: Locator): Promise<void> {
  await button.evaluate((element: HTMLElement) => {
    element.click();
    element.click();
  });
}

test('two quick clicks on like are one like, and one that cannot be added or removed is reverted and explained', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await openPost();
  const likes = await pauseRequests(page, CALLS.postLikes, 'POST');
  await clickTwice(visitor.likeButton);
  await likes.paused;
  await visitor.likeButton.click();
  await expect(visitor.likeButton).toHaveText('1');
  likes.release();
  await expect
    .poll(() => rowsOf(journal.server, `post_likes?post_id=eq.${postId}`))
    .toMatchObject([{ user_id: reader.id, id: expect.stringMatching(/^like_/) }]);
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
  await page.reload();
  await visitor.hydrated();
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
  await expect(visitor.likeButton).toHaveText('1');
  await pressLike(page, visitor.likeButton);

  const { like } = visitor.m.post;
  expect(like.failed).toBe('Failed to update like');
  const restore = await failRequests(page, CALLS.postLikes, 'POST');
  await visitor.likeButton.click();
  await expect(visitor.notice(like.failed)).toBeVisible();
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'false');
  await expect(visitor.likeButton).toHaveText('0');
  await restore();
  await visitor.closeNotice(like.failed);

  await pressLike(page, visitor.likeButton);
  expect(await rowsOf(journal.server, `post_likes?post_id=eq.${postId}`)).toHaveLength(1);
  await expect(visitor.likeButton).toHaveText('1');
  await page.route(CALLS.postLikes, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({ status: 500, json: { error: 'No.', code: 'INTERNAL_ERROR' } })
      : route.fallback(),
  );
  await visitor.likeButton.click();
  await expect(visitor.notice(like.failed)).toBeVisible();
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
  await expect(visitor.likeButton).toHaveText('1');
  await visitor.closeNotice(like.failed);

  await page.route(CALLS.postLikes, (route) =>
    route.request().method() === 'DELETE'
      ? route.fulfill({
          status: 429,
          headers: { 'retry-after': '7000' },
          json: { error: 'No.', code: 'RATE_LIMITED' },
        })
      : route.fallback(),
  );
  await visitor.likeButton.click();
  await expect(visitor.notice(like.failed)).toContainText(visitor.m.layout.tooMany('in 2 hours'));
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 500/, /status of 429/);
});

test('a comment can be liked and unliked, and a failed like is reverted', async ({ page, consoleErrors }) => {
  await writeComment(author, postId, 'Look at the hilum.');
  await openPost();
  const { item } = await openComments(page, 1);
  const like = item('hilum').locator('button[aria-pressed]');
  await pressLike(page, like);
  await expect(like).toHaveText('1');
  await expect(like).toHaveAttribute('aria-pressed', 'true');
  await pressLike(page, like);
  await expect(like).toHaveText('0');
  await expect(like).toHaveAttribute('aria-pressed', 'false');
  await failRequests(page, CALLS.commentLikes, 'POST');
  await like.click();
  await expect(visitor.notice(visitor.m.post.like.failed)).toBeVisible();
  await expect(like).toHaveText('0');
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('a comment that is blank or too long is not sent, and two clicks on post are one trimmed comment with the reader’s name', async ({
  page,
  journal,
}) => {
  await writeComment(author, postId, 'The first.');
  await openPost();
  const writes = recordRequests(page, writesTo('post_comments'));
  const { box, post } = await openComments(page, 1);
  await expect(box).toHaveAttribute('rows', '3');
  await expect(post).toBeDisabled();
  await box.fill('  \n\t ');
  await expect(post).toBeDisabled();
  await page.locator('main form', { has: box }).evaluate((form: HTMLFormElement) => form.requestSubmit());
  await expect(page.locator('#comments li p')).toHaveText(['The first.']);

  const { limit } = visitor.m.layout;
  const pasted = `${'x'.repeat(5_002)}!`;
  await box.fill(pasted);
  await expect(box).toHaveValue(pasted);
  const refused = limit.over('3', '5,000', 3);
  await expect(box).toHaveAccessibleDescription(refused);
  await expect(box).toHaveAttribute('aria-invalid', 'true');
  await expect(page.getByText(limit.passed('5,000'))).toBeAttached();
  await expectAccessible(page);
  await post.click();
  await expect(visitor.notice(visitor.m.post.comments.failed)).toContainText(refused);
  expect(writes).toEqual([]);
  await box.fill(pasted.slice(0, 4_999));
  await expect(box).toHaveAccessibleDescription(limit.count('4,999', '5,000'));
  await expect(box).not.toHaveAttribute('aria-invalid');

  const comments = await pauseRequests(page, CALLS.comments, 'POST');
  await box.fill('  The second.\nIn two lines.  ');
  await clickTwice(post);
  await comments.paused;
  await expect(page.getByRole('button', { name: visitor.m.post.comments.submitting })).toBeDisabled();
  comments.release();
  await expect(visitor.notice(visitor.m.post.comments.posted)).toBeVisible();
  await expect(box).toHaveValue('');
  await expect(page.getByRole('button', { name: visitor.m.post.comments.count(2) })).toBeVisible();
  await expect(page.locator('#comments li p')).toHaveText([/The second\.\s+In two lines\./, 'The first.']);
  expect(
    await rowsOf(journal.server, `post_comments?post_id=eq.${postId}&order=created_at.desc`),
  ).toMatchObject([
    {
      id: expect.stringMatching(/^comment_/),
      user_id: reader.id,
      user_name: 'Grace Hopper',
      content: 'The second.\nIn two lines.',
    },
    { user_id: author.id },
  ]);
});

test('comments that could not be loaded load at another try, and one that could not be posted stays, even after a reload', async ({
  page,
  consoleErrors,
}) => {
  await writeComment(author, postId, 'Look at the hilum.');
  await openPost();
  const { comments } = visitor.m.post;
  const restore = await failRequests(page, CALLS.comments, 'GET');
  const { box, item, post } = await openComments(page, 1);
  await expect(page.getByText(comments.loadFailed)).toBeVisible();
  await restore();
  await page.getByRole('button', { name: comments.tryAgain }).click();
  await expect(item('hilum')).toBeVisible();
  await expect(page.getByText(comments.loadFailed)).toHaveCount(0);

  await failRequests(page, CALLS.comments, 'POST');
  await box.fill('A long thought.');
  await post.click();
  await expect(visitor.notice('Failed to post comment')).toBeVisible();
  await expect(box).toHaveValue('A long thought.');
  await expect(post).toBeEnabled();
  await page.reload();
  await visitor.hydrated();
  expect(await (await openComments(page, 1)).box.inputValue()).toBe('A long thought.');
  // The page logs a failed load as well.
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /NetworkError/);
});
