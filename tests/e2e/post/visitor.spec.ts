import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { writeComment, writePost } from '../people.ts';
import { SMALL_ARTWORK, Visitor } from '../steps.ts';
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

test('a visitor who signs in returns to the post with its comments open, and the like that was pressed is given', async ({
  page,
  journal,
}) => {
  const reader = await signUp(journal.server, 'Grace Hopper');
  const visitor = await openPost(page);
  const { comments } = visitor.m.post;
  // The notice offers to sign in as well; this visitor takes the link beside the comments.
  await expect(visitor.likeButton).toHaveText('0');
  await visitor.likeButton.click();
  await openComments(visitor, 0);
  await page.locator('form').getByRole('link', { name: comments.signIn, exact: true }).click();
  await page.waitForURL(/\/auth/);
  await visitor.hydrated();
  await visitor.signIn(reader.email);
  await expect(page).toHaveURL(new RegExp(`/post/${postId}\\?comments=open#comments$`));
  await expect(page.getByLabel(comments.label)).toBeEnabled();
  await expect(visitor.likeButton).toHaveAttribute('aria-pressed', 'true');
  await expect(visitor.likeButton).toHaveText('1');
});

test('the image of a post is 16:10, and the text has paragraphs and keeps its line breaks', async ({
  page,
}) => {
  await openPost(page);
  const box = await page.getByRole('img', { name: /The spleen/ }).boundingBox();
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 10, 2);
  const text = page.locator('article .prose-text');
  await expect(text).toHaveCSS('white-space-collapse', 'preserve-breaks');
  expect(await text.evaluate((element: HTMLElement) => element.innerText)).toBe(
    'en: Light comes in.\n\nAn image is made.',
  );
  await expect(text.locator('p')).toHaveCount(2);
});

test('a post is shown in the chosen language, with the original for missing texts', async ({ page }) => {
  await openPost(page);
  await page.getByLabel(/^Language/).click();
  await page.getByRole('link', { name: 'Français' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('The eye');
  await expect(page.locator('article .prose-text')).toContainText('fr: Light comes in.');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
});

test('a press on the number of comments leads to them, from the bar of a phone and from the head', async ({
  page,
  journal,
}) => {
  const { id } = author;
  const content = 'Light comes in through https://example.org/lens (doi:10.1000/182).\n\n'.repeat(60);
  const long = await writePost(journal.server, author, { content_en: content, content });
  await writeComment(author, long, 'See http://example.org/a_(b).');
  const photo = { photoURL: '/storage/journal/avatars/ada.png?v=1' };
  await fetch(`${journal.server.url}/api/auth/me`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${author.token}` },
    body: JSON.stringify(photo),
  });
  expect((await author.rest('GET', `profiles?id=eq.${id}`)).status).toBe(200);
  await page.route('**/storage/journal/avatars/**', (route) => route.fulfill({ path: SMALL_ARTWORK }));
  await page.setViewportSize({ width: 360, height: 740 });
  const visitor = new Visitor(page);
  const { comments, like } = visitor.m.post;
  const heading = page.getByRole('heading', { name: comments.title });
  const bar = page.getByRole('button', { name: comments.count(1) });
  await visitor.open(`/post/${long}`);
  await bar.click();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await bar.click();
  await expect(heading).toBeHidden();
  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole('link', { name: comments.count(1) }).click();
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();

  const item = page.getByRole('listitem').filter({ hasText: 'See' });
  await expect(item.getByRole('button')).toHaveAccessibleName(
    `${like.addToComment('Dr Ada Byron')}, ${like.count(0)}`,
  );
  await expect(item.getByRole('link')).toHaveAttribute('href', 'http://example.org/a_(b)');
  await expect(item.getByRole('link')).toHaveAttribute('rel', 'nofollow ugc noopener');
  for (const owner of [item, page.locator('.post-margin')]) {
    await expect(owner.locator('img')).toHaveAttribute('src', '/storage/journal/avatars/ada.png?v=1&w=160');
    expect(await owner.locator('img').evaluate((image: HTMLImageElement) => image.decode())).toBeUndefined();
  }
  const links = page.locator('.prose-text a');
  await expect(links.nth(1)).toHaveAttribute('href', 'https://doi.org/10.1000/182');
  await expectAccessible(page);
});

test('the header comes back when a reader scrolls up, and nothing else moves', async ({ page, journal }) => {
  const content = 'Light comes in.\n\n'.repeat(100);
  const long = await writePost(journal.server, author, { content_en: content, content });
  const visitor = new Visitor(page);
  await visitor.open(`/post/${long}`);
  const header = page.getByRole('banner');
  const top = () =>
    page.locator('.prose-text').evaluate((text) => text.getBoundingClientRect().top + scrollY);
  const before = await top();
  await page.mouse.wheel(0, 1500);
  await expect(header).not.toBeInViewport();
  await page.mouse.wheel(0, -100);
  await expect(header).toBeInViewport();
  expect(await top()).toBe(before);
  await page.mouse.wheel(0, 300);
  await expect(header).not.toBeInViewport();
  await page.getByLabel(/^Language/).focus();
  await expect(header).toBeInViewport();
});

test('a text without a translation says in which language it is, and links to the others', async ({
  page,
  journal,
}) => {
  const content = 'The light comes in through the lens, and an image is made of it on the retina.';
  const spanish = 'La luz entra.';
  const texts = {
    content,
    content_en: content,
    content_de: content,
    content_fr: content,
    content_es: spanish,
  };
  const id = await writePost(journal.server, author, { ...texts, title_de: 'The eye', language: 'en' });
  const german = new Visitor(page, 'de');
  await german.open(`/post/${id}`);
  const text = page.locator('.prose-text');
  const note = page.getByText(german.m.post.notInLanguage('Deutsch', 'Englisch'));
  await expect(note).toBeVisible();
  await expect(text).toHaveAttribute('lang', 'en');
  await expect(page.getByRole('heading', { level: 1 })).toHaveAttribute('lang', 'en');
  const url = `${journal.server.url}/post/${id}`;
  await expect(page.locator('link[rel=canonical]')).toHaveAttribute('href', `${url}?lang=en`);
  expect(
    await page
      .locator('link[rel=alternate][hreflang]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('hreflang'))),
  ).toEqual(['en', 'es', 'x-default']);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data).toMatchObject({ inLanguage: 'en' });
  await page.getByRole('list', { name: german.m.post.otherLanguages }).getByText('Español').click();
  await expect(text).toHaveText(spanish);
  await expect(text).toHaveAttribute('lang', 'es');
  await expect(note).toHaveCount(0);
  const stored = (await page.context().cookies()).filter(({ name }) => name.endsWith('_language'));
  expect(stored.map(({ name, value }) => [name, value])).toEqual([['fabrica_link_language', 'de']]);
  await page.getByRole('link', { name: 'Zurück zur deutschen Seite' }).click();
  await expect(note).toBeVisible();
  await german.open('/gallery');
  const titles = page.locator(`main a[href="/post/${id}"] h2`);
  await expect(titles).toHaveAttribute('lang', 'en');
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
