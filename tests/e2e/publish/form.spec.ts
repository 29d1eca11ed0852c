import { open } from 'node:fs/promises';
import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { markedTranslation } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import type { Locator } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { noisePng } from '../noise-png.ts';
import { replaceSession, rowsOf, signInOn } from '../people.ts';
import { FULL_ARTWORK, file, SMALL_ARTWORK, type Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, pauseRequests, recordRequests } from '../traffic.ts';

const CONTENT = 'The heart feeds itself first.\n\nIts arteries leave the aorta.';

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  await visitor.open('/admin');
  await expect(fields().content).toBeVisible();
});
test.afterEach(({ journal }) => journal.provider.reset());

const fields = () => ({
  title: visitor.page.getByLabel(visitor.m.publish.titleField.label),
  content: visitor.medicalText,
  image: visitor.page.locator('input[type=file]'),
  preview: visitor.page.getByAltText(visitor.m.publish.image.preview),
});

async function expectDraft(title: string, content: string): Promise<void> {
  await expect(fields().title).toHaveValue(title);
  await visitor.expectMedicalText(content);
  const preview = fields().preview;
  await expect(preview).toBeVisible();
  await expect
    .poll(() => preview.evaluate((image: HTMLImageElement) => image.complete && image.naturalWidth))
    .toBeGreaterThan(0);
}

test('a visitor of the form is sent to the gallery, and going back skips the form', async ({
  browser,
  journal,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url });
  const stranger = await context.newPage();
  await stranger.goto('/contact');
  await stranger.goto('/admin');
  await expect(stranger).toHaveURL(/\/gallery$/);
  await stranger.goBack();
  await expect(stranger).toHaveURL(/\/contact$/);
  await context.close();
});

test('the form shows both frames of an image and says when it is small', async ({ page }) => {
  const texts = visitor.m.publish.image;
  await fields().image.setInputFiles(SMALL_ARTWORK);
  await expect(page.getByText(texts.small(64, 80))).toBeVisible();
  const ratioOf = (image: Locator) =>
    image.evaluate(
      (element) => element.getBoundingClientRect().width / element.getBoundingClientRect().height,
    );
  expect(await ratioOf(fields().preview)).toBeCloseTo(4 / 5, 1);
  const hero = page.locator('main form img').last();
  expect(await ratioOf(hero)).toBeCloseTo(16 / 10, 1);
  await expect(hero).toHaveCSS('object-fit', 'contain');
  await fields().image.setInputFiles(FULL_ARTWORK);
  await expect(page.getByText(texts.small(64, 80))).toHaveCount(0);
  await expect(page.getByText(texts.inPost)).toBeVisible();
});

test('the form requires title, text and image, and texts that are too long stay whole and are refused', async ({
  page,
  journal,
}) => {
  const { publish, layout } = visitor.m;
  const calls = recordRequests(page, (request) => request.method() !== 'GET');
  const notice = visitor.notice('Missing fields');
  await visitor.publishButton.click();
  await expect(notice).toContainText('Please fill in all fields and upload an image');
  await expect(notice).toHaveAttribute('data-tone', 'error');
  await expect(fields().image).toHaveAccessibleDescription(publish.image.missing);
  await expect(fields().title).toHaveAccessibleDescription(publish.titleField.missing);
  await expect(fields().content).toHaveAccessibleDescription(publish.contentField.missing);
  await expectAccessible(page);

  await visitor.fillPost('   ', CONTENT);
  await visitor.publishButton.click();
  await expect(fields().title).toBeFocused();
  await fields().title.fill('The heart');
  await fields().content.fill(' \n ');
  await visitor.publishButton.click();
  await expect(fields().content).toBeFocused();
  await expect(fields().title).not.toHaveAttribute('aria-invalid');

  await fields().title.fill('# The **heart**');
  await expect(fields().title).toHaveAccessibleDescription(publish.titleField.markdown);
  await visitor.fillPost('T'.repeat(301), 'word '.repeat(1_201));
  await expect(fields().content).toHaveAccessibleDescription(publish.contentField.long('6,000'));
  await visitor.publishButton.click();
  const refused = layout.limit.over('1', '300', 1);
  await expect(visitor.notice(publish.failure.title)).toContainText(refused);
  await expect(fields().title).toBeFocused();
  await expect(fields().title).toHaveAccessibleDescription(refused);
  await expect(fields().title).toHaveValue('T'.repeat(301));
  await fields().title.fill('The heart');
  const long = `${'word '.repeat(20_000)}ab`;
  await fields().content.fill(long);
  await visitor.publishButton.click();
  await expect(fields().content).toBeFocused();
  await expect(visitor.notice(publish.failure.title)).toContainText(layout.limit.over('2', '100,000', 2));
  await visitor.expectMedicalText(long);
  expect(calls).toEqual([]);
  expect(await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`)).toEqual([]);
});

test('a file that is no image, damaged or too large is refused, by the server too, and the form keeps its values', async ({
  page,
  journal,
  consoleErrors,
}, testInfo) => {
  const { image: texts } = visitor.m.publish;
  const calls = recordRequests(page, (request) => request.method() !== 'GET');
  await visitor.fillPost('The heart', CONTENT);
  const tooLarge = testInfo.outputPath('large.png');
  const handle = await open(tooLarge, 'w');
  await handle.truncate(50 * 1024 * 1024 + 1);
  await handle.close();
  for (const [chosen, words] of [
    [file('notes.txt', 'text/plain', Buffer.from('no image')), texts.notAnImage],
    [
      file('page.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>')),
      texts.drawing,
    ],
    [file('named.png', 'image/png', Buffer.from('%PDF-1.7\n')), texts.document],
    [file('torn.png', 'image/png', noisePng(20, 20).subarray(0, 200)), texts.unreadable],
    [file('named.jpg', 'image/jpeg', Buffer.from('only named like one')), texts.unreadable],
    [file('photo.heic', 'image/heic', Buffer.from('no kind that is taken')), texts.notAnImage],
    [tooLarge, 'File size (51 MB) exceeds maximum allowed size (50MB)'],
  ] as const) {
    await fields().image.setInputFiles(typeof chosen === 'string' ? chosen : { ...chosen });
    await expect(visitor.notice(words)).toBeVisible();
    await expect(fields().image).toHaveAccessibleDescription(words);
    await expectDraft('The heart', CONTENT);
  }
  expect(calls).toEqual([]);

  await fields().image.setInputFiles(SMALL_ARTWORK);
  await expectDraft('The heart', CONTENT);
  await page.route(
    CALLS.upload,
    (route) =>
      route.fulfill({ status: 415, json: { error: 'Not an image.', code: 'UNSUPPORTED_MEDIA_TYPE' } }),
    { times: 1 },
  );
  await visitor.publishButton.click();
  await expect(visitor.notice(visitor.m.publish.image.notAnImage)).toBeVisible();
  await expectDraft('The heart', CONTENT);
  // The desk of another test may still be translating; the form asks for 2,000 tokens.
  expect(journal.provider.calls.filter(({ maxTokens }) => maxTokens === 2_000)).toEqual([]);
  expectConsoleErrors(consoleErrors, /status of 415/);
});

test('the button shows the progress of the upload, then that the post is published', async ({ page }) => {
  const { publish } = visitor.m;
  await visitor.fillPost('The heart', CONTENT);
  const image = noisePng(400, 300);
  await fields().image.setInputFiles(file('noise.png', 'image/png', image));
  await expect(page.getByText(publish.image.checking)).toHaveCount(0);
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: image.length,
  });
  const labels = await page.evaluateHandle(() => {
    const seen: string[] = [];
    const button = document.querySelector('main form button[type=submit]');
    if (!button) throw new Error('There is no button.');
    const note = () => {
      const label = `${button.textContent}${(button as HTMLButtonElement).disabled ? '' : ' (enabled)'}`;
      if (seen.at(-1) !== label) seen.push(label);
    };
    new MutationObserver(note).observe(button, { subtree: true, childList: true, characterData: true });
    return seen;
  });
  const saved = await pauseRequests(page, CALLS.posts, 'POST');
  await visitor.publishButton.click();
  await saved.paused;
  await expect(visitor.publishButton).toHaveText('Publishing...');
  await expect(visitor.publishButton).toBeDisabled();
  const seen = await labels.jsonValue();
  expect(seen[0]).toBe('Uploading... 0%');
  expect(seen.filter((label) => /^Uploading\.\.\. [1-9]\d?%$/.test(label)).length).toBeGreaterThan(0);
  expect(seen.at(-1)).toBe('Publishing...');
  saved.release();
  await expect(page).toHaveURL(/\/gallery/);
});

test('submitting the form twice publishes one post', async ({ page, journal }) => {
  await visitor.fillPost('The heart', CONTENT);
  const uploads = recordRequests(page, (request) => request.url().endsWith('/upload'));
  await page.locator('main form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await expect(visitor.notice(visitor.m.publish.success.title)).toBeVisible();
  await expect(page).toHaveURL(/\/gallery/);
  const [post, ...others] = await rowsOf(journal.server, `journal_posts?user_id=eq.${author.id}`);
  expect(others).toEqual([]);
  expect(post).toMatchObject({
    id: expect.stringMatching(/^post_\d+$/),
    title: 'The heart',
    content: CONTENT,
    image_url: expect.stringMatching(/posts\/\d+\.webp/),
    // The text is in English: these are the author's own words.
    title_en: 'The heart',
    content_en: CONTENT,
    language: 'en',
    translated_by: 'machine',
    untranslated: null,
    image_width: 64,
    image_height: 80,
    title_es: markedTranslation('The heart', 'es'),
    content_fr: markedTranslation(CONTENT, 'fr'),
    content_de: markedTranslation(CONTENT, 'de'),
    published: 1,
  });
  expect(uploads).toHaveLength(1);
  // Those of the server's own translations have other limits.
  expect(journal.provider.calls.filter(({ maxTokens }) => maxTokens === 2_000)).toHaveLength(8);
});

test('a draft is kept when Cancel opens the gallery and after a reload, until it is discarded', async ({
  page,
  journal,
}) => {
  const { publish } = visitor.m;
  await visitor.fillPost('The heart', CONTENT);
  const cancel = page.getByRole('link', { name: publish.cancel, exact: true });
  await expect(cancel).toHaveAttribute('href', '/');
  await cancel.click();
  await expect(page).toHaveURL(/\/gallery$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/admin/);
  await expectDraft('The heart', CONTENT);
  await expect(page.getByText(publish.image.change)).toBeVisible();
  await page.reload();
  await expectDraft('The heart', CONTENT);
  await expect(page.getByText(publish.draftRestored)).toBeVisible();

  // Another author on the same device does not see the draft and does not change it.
  const other = await signUp(journal.server, 'Grace Hopper');
  await replaceSession(page, other);
  await visitor.open('/admin');
  await expect(fields().title).toHaveValue('');
  await expect(fields().preview).toHaveCount(0);

  await replaceSession(page, author);
  await visitor.open('/admin');
  await expectDraft('The heart', CONTENT);
  const question = page.getByRole('alertdialog', { name: publish.discardDraft });
  await page.getByRole('button', { name: publish.discardDraft }).click();
  await question.getByRole('button', { name: publish.keepDraft }).click();
  await expectDraft('The heart', CONTENT);
  await page.getByRole('button', { name: publish.discardDraft }).click();
  await question.getByRole('button', { name: publish.discardDraft }).click();
  await expect(fields().title).toHaveValue('');
  await expect(fields().preview).toHaveCount(0);
  await page.reload();
  await expect(fields().title).toHaveValue('');
  await expect(fields().preview).toHaveCount(0);
});
