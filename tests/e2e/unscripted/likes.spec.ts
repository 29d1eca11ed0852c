import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { expect, test } from '../journal.ts';
import { rowsOf, setSession, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';

/** Likes of a browser whose script does not run, or does not run yet. */

let author: Author;
let reader: Author;
let postId: string;

test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  reader = await signUp(journal.server, 'Grace Hopper');
  postId = await writePost(journal.server, author);
});

test('a visitor without JavaScript likes a post, signs in and has liked it, and takes the like back', async ({
  browser,
  journal,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const visitor = new Visitor(page);
  const likes = () => rowsOf(journal.server, `post_likes?post_id=eq.${postId}`);
  await page.goto(`/post/${postId}?lang=en`);
  await visitor.likeButton.click();
  await page.waitForURL('**/auth?*');
  expect(await likes()).toEqual([]);
  await visitor.signIn(reader.email);
  await expect(page).toHaveURL(`/post/${postId}?lang=en#engagement`);
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
  await expect(visitor.likeButton).toHaveText('1');
  expect(await likes()).toMatchObject([{ user_id: reader.id }]);

  const stale = await context.newPage();
  await stale.goto(`/post/${postId}`);
  for (const tab of [page, stale]) {
    const heart = new Visitor(tab).likeButton;
    await heart.click();
    await expect(heart).toHaveAttribute('aria-pressed', 'false');
    await expect(heart).toHaveText('0');
  }
  expect(await likes()).toEqual([]);
  await context.close();
});

for (const who of ['a reader', 'a visitor'] as const) {
  test(`a like that ${who} presses before the script arrives counts once`, async ({ page, journal }) => {
    const visitor = new Visitor(page);
    const released = Promise.withResolvers<void>();
    await page.route('**/assets/*.js', async (route) => {
      await released.promise;
      await route.continue();
    });
    const given: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'POST' && request.url().includes('post_likes')) given.push(request.url());
    });
    if (who === 'a reader') await setSession(page, reader, journal.server);
    await page.goto(`/post/${postId}?lang=en`, { waitUntil: 'commit' });
    await visitor.likeButton.click();
    if (who === 'a reader') await visitor.likeButton.click();
    else await page.waitForURL('**/auth?*', { waitUntil: 'commit' });
    released.resolve();
    await visitor.hydrated();
    if (who === 'a visitor') await visitor.signIn(reader.email);
    await expect(page).toHaveURL(new RegExp(`/post/${postId}`));
    await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
    await expect(visitor.likeButton).toHaveText('1');
    await expect.poll(() => rowsOf(journal.server, `post_likes?post_id=eq.${postId}`)).toHaveLength(1);
    expect(given).toHaveLength(1);
    await page.reload();
    await visitor.hydrated();
    await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
    await expect(visitor.likeButton).toHaveText('1');
    expect(given).toHaveLength(1);
  });
}
