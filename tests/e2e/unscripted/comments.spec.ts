import { type Author, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, expectNoSidewaysScroll, test } from '../journal.ts';
import { rowsOf, writeComment, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

/** Comments and sharing in a browser without JavaScript. */

let author: Author;
let reader: Author;
let postId: string;

test.use({ javaScriptEnabled: false });
test.beforeEach(async ({ journal }) => {
  author = await signUp(journal.server, 'Dr Ada Byron');
  reader = await signUp(journal.server, 'Grace Hopper');
  postId = await writePost(journal.server, author);
});

const item = (page: Page, text: string) => page.locator('main li').filter({ hasText: text });

async function signIn({ page }: Visitor, { email }: Author): Promise<void> {
  const visitor = new Visitor(page);
  await page.goto(`/auth?return_to=/post/${postId}`);
  await visitor.signIn(email);
}

test('a reader without JavaScript comments, errs, likes a comment and deletes one', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const visitor = new Visitor(page);
  const { comments, delete: deletion } = visitor.m.post;
  const stored = () => rowsOf(journal.server, `post_comments?post_id=eq.${postId}&order=created_at.asc`);
  const field = page.getByLabel(comments.label);
  const send = page.getByRole('button', { name: comments.submit, exact: true });
  await writeComment(author, postId, 'The first one.');
  await page.goto(`/post/${postId}?lang=en`);
  await page.getByRole('button', { name: comments.count(1) }).click();
  await expect(item(page, 'The first one.')).toBeVisible();
  await expect(field).toBeDisabled();
  await page.getByRole('main').getByRole('link', { name: comments.signIn, exact: true }).click();
  await visitor.signIn(reader.email);
  await expect(page).toHaveURL(`/post/${postId}?comments=open#comments`);

  await field.fill('   ');
  await send.click();
  await expect(page.getByText(comments.missing)).toBeVisible();
  await field.evaluate((element) => element.removeAttribute('maxlength'));
  await field.fill(`Too long. ${'x'.repeat(5_000)}`);
  await send.click();
  await expect(page.getByText(comments.tooLong('5,000'))).toBeVisible();
  await expect(field).toHaveValue(/^Too long\. x{5000}$/);
  expect(await stored()).toHaveLength(1);

  const id = await page.locator('form input[name=id]').inputValue();
  await field.fill('  Mine,\n  in two lines.  ');
  await send.click();
  await page.waitForURL(/#comment_/);
  await expect(page.locator('main li').first()).toContainText('Mine,');
  expect((await stored()).at(-1)).toMatchObject({
    user_id: reader.id,
    user_name: 'Grace Hopper',
    content: 'Mine,\n  in two lines.',
  });
  const again = await page.request.post(`/post/${postId}`, {
    form: { intent: 'comment', id, content: 'Mine, once more.' },
    headers: { origin: journal.server.url },
    maxRedirects: 0,
  });
  expect([again.status(), again.headers().location]).toEqual([303, `/post/${postId}?comments=open#${id}`]);
  expect(await stored(), 'the same form creates one comment').toHaveLength(2);

  await page.goto(`/post/${postId}?comments=open`);
  const heart = item(page, 'The first one.').locator('button[aria-pressed]');
  await heart.click();
  await expect(heart).toHaveAttribute('aria-pressed', 'true');
  await expect(heart).toHaveText('1');
  await expect(
    item(page, 'The first one.').getByRole('button', { name: comments.delete('Dr Ada Byron') }),
  ).toHaveCount(0);
  await page.getByRole('button', { name: comments.delete('Grace Hopper') }).click();
  await expect(page.getByText(comments.deleteQuestion)).toBeVisible();
  expect(await stored()).toHaveLength(2);
  await page.getByRole('button', { name: deletion.confirm, exact: true }).click();
  await expect(item(page, 'Mine,')).toHaveCount(0);
  expect(await stored()).toHaveLength(1);
  expectConsoleErrors(consoleErrors, /400/);
});

test('all comments can be read without JavaScript, page by page, on a small phone too', async ({
  page,
  journal,
}) => {
  const { comments } = new Visitor(page).m.post;
  const rows = Array.from({ length: 45 }, (_, index) => ({
    id: `comment_${postId}_${index}`,
    post_id: postId,
    user_id: reader.id,
    user_name: 'Grace Hopper',
    content: `Remark ${index}.`,
    created_at: 1_000 + index,
  }));
  expect((await serviceRest(journal.server)('POST', 'post_comments', rows)).status).toBe(201);
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto(`/post/${postId}?lang=en`);
  await page.getByRole('button', { name: comments.count(45) }).click();
  const seen: string[] = [];
  for (const more of [true, true, false]) {
    await expect(page.getByText(comments.more)).toHaveCount(more ? 1 : 0);
    await expectNoSidewaysScroll(page);
    // A comment whose height were guessed until it is in sight would move the button away from a press.
    const heights = await page
      .locator('#comments li[id] + li[id]')
      .evaluateAll((items) => items.map((one) => one.getBoundingClientRect().height));
    expect(new Set(heights).size, 'comments of one line are equally high').toBe(1);
    seen.push(...(await page.locator('#comments li p').allTextContents()));
    if (!more) continue;
    const url = page.url();
    await page.getByRole('button', { name: comments.more }).click();
    await page.waitForURL(({ href }) => href !== url);
  }
  expect(seen).toEqual(rows.map(({ content }) => content).reverse());
  await page.getByRole('link', { name: comments.newest }).click();
  await expect(item(page, 'Remark 44.')).toBeVisible();
});

test('a comment whose session has ended meanwhile is kept on the page and can be sent after signing in', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  const visitor = new Visitor(page);
  const { comments } = visitor.m.post;
  await signIn(visitor, reader);
  await page.goto(`/post/${postId}?comments=open`);
  await page.getByLabel(comments.label).fill('Written for long.');
  await context.clearCookies();
  const send = page.getByRole('button', { name: comments.submit, exact: true });
  await send.click();
  await expect(page.getByLabel(comments.label)).toHaveValue('Written for long.');
  const opened = context.waitForEvent('page');
  await page.getByRole('main').getByRole('link', { name: comments.signIn, exact: true }).click();
  await new Visitor(await opened).signIn(reader.email);
  await send.click();
  await page.waitForURL(/#comment_/);
  expect(await rowsOf(journal.server, `post_comments?post_id=eq.${postId}`)).toHaveLength(1);
  expectConsoleErrors(consoleErrors, /401/);
});

test('what a reader without JavaScript does with a session is refused to another site', async ({
  page,
  journal,
  consoleErrors,
}) => {
  await signIn(new Visitor(page), reader);
  const action = `${journal.server.url}/post/${postId}`;
  // The other site is the same server under another name.
  const other = journal.server.url.replace('localhost', '127.0.0.1');
  await page.route('**/attack', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: `<form method="post" action="${action}"><input name="intent" value="like"><button name="like" value="1">Win</button></form>`,
    }),
  );
  await page.goto(`${other}/attack`);
  const response = page.waitForResponse(action);
  await page.getByRole('button', { name: 'Win' }).click();
  expect((await response).status()).toBe(403);
  expect(await rowsOf(journal.server, `post_likes?post_id=eq.${postId}`)).toEqual([]);
  await expect.poll(() => consoleErrors).toHaveLength(1);
  expectConsoleErrors(consoleErrors, /403/);
});

test('a post is shared without JavaScript by plain links and a link to copy', async ({ page, journal }) => {
  await page.goto(`/post/${postId}?lang=de`);
  const german = new Visitor(page, 'de').m.post.share;
  await page.getByRole('button', { name: german.open }).click();
  const url = `${journal.server.url}/post/${postId}?lang=de`;
  const hrefs = await page
    .getByRole('menuitem')
    .evaluateAll((items) => items.map((item) => item.getAttribute('href')));
  expect(hrefs.filter((href) => href?.includes(encodeURIComponent(url)))).toHaveLength(7);
  await expect(page.getByRole('textbox', { name: german.copyLink })).toHaveValue(url);
  await expect(page.getByRole('menuitem', { name: german.email })).toHaveAttribute('href', /^mailto:/);
});
