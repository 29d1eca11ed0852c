import { markedTranslation } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../journal.ts';
import { FULL_ARTWORK, SMALL_ARTWORK, Visitor } from '../steps.ts';

const DESKTOP = { name: 'desktop', viewport: { width: 1280, height: 900 }, hasTouch: false };
const PHONE = { name: 'phone', viewport: { width: 360, height: 740 }, hasTouch: true };
/** The author's own words and a translation, and the longest words on the smallest screen. */
const RUNS = [
  { code: 'en', device: DESKTOP, reducedMotion: 'no-preference' },
  { code: 'de', device: PHONE, reducedMotion: 'reduce' },
] as const;
const CONTENT = 'The heart feeds itself first.\n\nIts arteries leave the aorta.';

/** Returns what readers get: the translation that the stand-in makes, and the author's own words in English. */
const translated = (code: string, text: string) => (code === 'en' ? text : markedTranslation(text, code));

for (const { code, device, reducedMotion } of RUNS) {
  test(`an author signs up, publishes a post and deletes it, in ${code} on a ${device.name}`, async ({
    browser,
    baseURL,
  }) => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      viewport: device.viewport,
      hasTouch: device.hasTouch,
      reducedMotion,
      permissions: ['clipboard-read', 'clipboard-write'],
    });
    const title = `The heart of a ${device.name}`;
    const author = new Visitor(await context.newPage(), code);
    const { m, page } = author;

    await author.open('/gallery');
    await expect(page.getByRole('heading', { level: 1, name: m.gallery.title })).toBeVisible();
    await author.signUp('Dr Ada Byron');
    await expect(author.page.getByRole('link', { name: author.m.signIn.welcome.firstPost })).toBeVisible();
    await expect(page).toHaveURL(/\/gallery/);
    await author.openCreatePost();
    await expect(page.getByRole('heading', { level: 1, name: m.publish.title })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await author.fillPost(title, CONTENT, code === 'en' ? FULL_ARTWORK : SMALL_ARTWORK);
    await author.publishButton.click();
    await expect(author.notice(m.publish.success.title)).toBeVisible();
    await expect(author.notice(m.publish.success.withTranslations)).toBeVisible();
    await page.waitForURL(/\/gallery/);

    const card = author.card(translated(code, title));
    await expect(card).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);
    await card.click();
    await page.waitForURL(/\/post\//);
    await expect(page.getByRole('heading', { level: 1, name: translated(code, title) })).toBeVisible();
    await expect(
      page.locator('article, main').getByText(translated(code, 'Its arteries leave the aorta.')).first(),
    ).toBeVisible();
    const date = new Intl.DateTimeFormat('en-US', { dateStyle: 'long', timeZone: 'UTC' }).format(new Date());
    await expect(page.getByText(date).first()).toBeVisible();

    await author.likeButton.click();
    await expect(author.likeButton).toHaveAttribute('aria-pressed', 'true');
    await expect(author.likeButton).toContainText('1');
    await page.getByRole('button', { name: m.post.comments.count(0) }).click();
    await expect(page.getByText(m.post.comments.empty)).toBeVisible();
    await page.getByLabel(m.post.comments.label).fill('  Follow the left one.  ');
    await page.getByRole('button', { name: m.post.comments.submit, exact: true }).click();
    await expect(author.notice(m.post.comments.posted)).toBeVisible();
    await expect(page.getByText('Follow the left one.', { exact: true })).toBeVisible();
    await expect(page.getByRole('button', { name: m.post.comments.count(1) })).toBeVisible();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await author.share(m.post.share.copyLink);
    await expect(author.notice(m.post.share.copied)).toBeVisible();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain('/post/');
    const url = page.url();

    // Another reader likes the post and its comment, and has no button to delete.
    const other = await browser.newContext({
      baseURL: baseURL ?? '',
      viewport: device.viewport,
      hasTouch: device.hasTouch,
      reducedMotion,
    });
    const reader = new Visitor(await other.newPage(), code);
    await reader.open(new URL(url).pathname);
    await expect(reader.likeButton).toContainText('1');
    await reader.signUp('Grace Hopper');
    // The words of its address may have come since the author copied it.
    await expect(reader.page).toHaveURL(/\/post\//);
    await expect(reader.likeButton).toHaveAttribute('aria-pressed', 'false');
    await reader.likeButton.click();
    await expect(reader.likeButton).toContainText('2');
    await reader.page.getByRole('button', { name: m.post.comments.count(1) }).click();
    const comment = reader.page.getByRole('listitem').filter({ hasText: 'Follow the left one.' });
    await expect(comment).toContainText('Dr Ada Byron');
    await comment.locator('button[aria-pressed]').click();
    await expect(comment.locator('button[aria-pressed]')).toHaveAttribute('aria-pressed', 'true');
    await expect(comment.locator('button[aria-pressed]')).toContainText('1');
    await expect(reader.page.getByRole('button', { name: m.post.delete.open, exact: true })).toHaveCount(0);
    await other.close();

    await page.reload();
    await author.hydrated();
    await expect(author.likeButton).toContainText('2');
    // The page learns after it is loaded that the reader likes the post.
    await expect(author.likeButton).toHaveAttribute('aria-pressed', 'true');
    await author.likeButton.click();
    await expect(author.likeButton).toContainText('1');
    await page.getByRole('button', { name: m.post.delete.open, exact: true }).click();
    const dialog = page.getByRole('alertdialog');
    await expect(dialog).toContainText(m.post.delete.question);
    await expectAccessible(page);
    await dialog.getByRole('button', { name: m.post.delete.cancel }).click();
    await expect(dialog).toHaveCount(0);
    await page.getByRole('button', { name: m.post.delete.open, exact: true }).click();
    await dialog.getByRole('button', { name: m.post.delete.confirm, exact: true }).click();
    await expect(author.notice(m.post.delete.succeeded)).toBeVisible();
    await page.waitForURL(/\/gallery/);
    await expect(author.card(title)).toHaveCount(0);
    expect((await page.request.get(url)).status()).toBe(404);

    // The notice covers the menu on a phone.
    await author.closeNotice(m.post.delete.succeeded);
    await author.unfoldMenu();
    await page.getByRole('button', { name: m.layout.signOut, exact: true }).click();
    // The menu of a phone closes for it.
    await expect(author.notice(m.layout.signedOut)).toBeVisible();
    await author.unfoldMenu();
    await expect(page.getByRole('button', { name: m.layout.signIn, exact: true })).toBeVisible();
    await expect(page.getByRole('link', { name: m.layout.createPost, exact: true })).toHaveCount(0);
    await context.close();
  });
}
