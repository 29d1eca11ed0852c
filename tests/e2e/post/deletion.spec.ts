import type { Author } from '@fabrica/test-peers/author.ts';
import { signUp } from '@fabrica/test-peers/author.ts';
import { runFabricaHere } from '@fabrica/test-peers/run-fabrica.ts';
import type { Page } from '@playwright/test';
import { expect, test } from '../journal.ts';
import { giveRole, rowsOf, setSession, signInOn, writeComment, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import {
  CALLS,
  expectConsoleErrors,
  failRequests,
  pauseRequests,
  recordRequests,
  writesTo,
} from '../traffic.ts';

let author: Author;
let visitor: Visitor;
let postId: string;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  postId = await writePost(journal.server, author);
});

/** Opens the owner's dialog and returns its buttons. */
async function askToDelete(page: Page) {
  const texts = visitor.m.post.delete;
  await page.getByRole('button', { name: texts.open, exact: true }).click();
  const dialog = page.getByRole('alertdialog', { name: texts.title });
  await expect(dialog).toContainText('Are you sure you want to delete this post?');
  return {
    dialog,
    cancel: dialog.getByRole('button', { name: texts.cancel }),
    confirm: dialog.getByRole('button', { name: texts.confirm, exact: true }),
    deleting: dialog.getByRole('button', { name: texts.deleting }),
  };
}

test('a post is not deleted before its owner confirms it, and a failed deletion is explained and can be tried again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await visitor.open(`/post/${postId}`);
  const writes = recordRequests(page, writesTo('journal_posts'));
  const { dialog, confirm, cancel } = await askToDelete(page);
  await expect(cancel).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  expect(writes).toEqual([]);
  const restore = await failRequests(page, CALLS.posts, 'DELETE');
  await askToDelete(page);
  await confirm.click();
  await expect(visitor.notice('Failed to delete post')).toBeVisible();
  await expect(confirm).toBeEnabled();
  await expect(cancel).toBeEnabled();
  await expect(page).toHaveURL(new RegExp(`/post/${postId}`));
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await restore();
  await confirm.click();
  await expect(visitor.notice('Post deleted successfully!')).toBeVisible();
  await expect(page).toHaveURL(/\/gallery$/);
  expect(await rowsOf(journal.server, `journal_posts?id=eq.${postId}`)).toEqual([]);
});

test('the dialog of a deletion is disabled while the post is deleted', async ({ page }) => {
  await visitor.open(`/post/${postId}`);
  const removal = await pauseRequests(page, CALLS.posts, 'DELETE');
  const writes = recordRequests(page, writesTo('journal_posts'));
  const { dialog, confirm, cancel, deleting } = await askToDelete(page);
  await confirm.evaluate((button: HTMLElement) => {
    button.click();
    button.click();
  });
  await removal.paused;
  await expect(deleting).toBeDisabled();
  await expect(cancel).toBeDisabled();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeVisible();
  removal.release();
  await expect(page).toHaveURL(/\/gallery$/);
  expect(writes).toHaveLength(1);
});

test('a comment can be deleted by its author, by the post’s owner and by a moderator alone', async ({
  page,
  journal,
}) => {
  const { comments } = visitor.m.post;
  const commenter = await signUp(journal.server, 'Grace Hopper');
  await writeComment(commenter, postId, 'The first.');
  await writeComment(commenter, postId, 'The second.');
  await writeComment(commenter, postId, 'The third.');
  const moderator = await signUp(journal.server, 'Mary Moderator');
  await giveRole(journal.server, moderator, 'editor');
  const remove = page.getByRole('button', { name: comments.delete('Grace Hopper') });
  const openAs = async (person: Author, count: number) => {
    await setSession(page, person, journal.server);
    visitor = new Visitor(page);
    await visitor.open(`/post/${postId}`);
    await page.getByRole('button', { name: comments.count(count) }).click();
    await expect(page.locator('#comments li p')).toHaveCount(count);
  };

  await openAs(await signUp(journal.server, 'Somebody Else'), 3);
  await expect(remove).toHaveCount(0);

  for (const [person, count] of [
    [moderator, 3],
    [commenter, 2],
    [author, 1],
  ] as const) {
    await openAs(person, count);
    await remove.first().click();
    await page
      .getByRole('alertdialog', { name: comments.deleteQuestion })
      .getByRole('button', { name: visitor.m.post.delete.confirm })
      .click();
    await expect(visitor.notice(comments.deleted)).toBeVisible();
    await expect(page.getByRole('button', { name: comments.count(count - 1) })).toBeVisible();
  }
  expect(await rowsOf(journal.server, `post_comments?post_id=eq.${postId}`)).toEqual([]);
  const { stdout } = await runFabricaHere(
    ['audit', '--user', moderator.id, '--json'],
    journal.server.settings,
  );
  expect(JSON.parse(stdout)).toContainEqual(
    expect.objectContaining({
      event: 'content-removed',
      details: expect.objectContaining({ table: 'post_comments', owner: commenter.id }),
    }),
  );
});

test('a comment that could not be deleted stays, and the failure is explained', async ({
  page,
  consoleErrors,
}) => {
  const { comments, delete: texts } = visitor.m.post;
  await writeComment(author, postId, 'It stays.');
  await visitor.open(`/post/${postId}`);
  await page.getByRole('button', { name: comments.count(1) }).click();
  await failRequests(page, CALLS.comments, 'DELETE');
  await page.getByRole('button', { name: comments.delete('Dr Ada Byron') }).click();
  const dialog = page.getByRole('alertdialog');
  await dialog.getByRole('button', { name: texts.confirm, exact: true }).click();
  await expect(visitor.notice(comments.deleteFailed)).toBeVisible();
  await dialog.getByRole('button', { name: texts.cancel }).click();
  await expect(page.locator('#comments li p')).toHaveText(['It stays.']);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});
