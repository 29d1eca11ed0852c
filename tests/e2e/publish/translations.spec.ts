import type { Author } from '@fabrica/test-peers/author.ts';
import { JOB_PROMPT } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import { callDesk } from '../desk/desk-page.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { rowsOf, signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests, recordRequests } from '../traffic.ts';

const TITLE = 'The heart';
const CONTENT = 'The heart feeds itself first.\n\nIts arteries leave the aorta.';

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
});
test.afterEach(({ journal }) => journal.provider.reset());

test('the post’s page has the server translate what is missing, for its owner', async ({
  page,
  browser,
  journal,
  consoleErrors,
}) => {
  const { server, provider } = journal;
  // The job that comes with the create fails, too, until it is cancelled.
  const jobFails = provider.behave({ kind: 'fail', status: 400, when: JOB_PROMPT });
  const restore = provider.behave({ kind: 'fail', status: 400, when: /to (French|German)\./ });
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
  await visitor.publishButton.click();
  const { missingTranslations } = visitor.m.publish;
  const missing = visitor.notice(missingTranslations.title);
  await expect(missing).toContainText('title in French, text in French, title in German, text in German');
  await expect(missing).toContainText(missingTranslations.completed);
  const [post] = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(post?.untranslated).toBe('title:fr,content:fr,title:de,content:de');
  restore();
  const path = `/post/${post?.id}`;

  const stranger = await browser.newPage({ baseURL: server.url });
  await stranger.goto(`${path}?lang=fr`);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(TITLE);
  await expect(stranger.getByText('Non traduit')).toHaveCount(0);
  await stranger.close();

  await callDesk(server, author, { method: 'DELETE', path: `posts/${post?.id}/translations/job` });
  jobFails();
  visitor = new Visitor(page, 'fr');
  const french = visitor.m.publish.translations;
  await visitor.open(path);
  const line = page.locator('article [role=status]:not(.sr-only)');
  await expect(line).toHaveText('Non traduit : français, allemand.');
  await expectAccessible(page);
  const again = page.getByRole('button', { name: french.tryAgain });
  await page.evaluate(() => Object.assign(window, { stays: true }));
  const calls = recordRequests(page, (request) => request.url().includes('/translations/translate'));
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(line).toBeFocused();
  await expect(line).toHaveText(french.nowTranslated('français, allemand'));
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(TITLE);
  await expect(again).toHaveCount(0);
  expect(calls).toHaveLength(1);
  expect(await page.evaluate(() => 'stays' in window), 'the page was not loaded anew').toBe(true);
  expect(await rowsOf(server, `journal_posts?id=eq.${post?.id}`)).toMatchObject([{ untranslated: null }]);
  expectConsoleErrors(consoleErrors, /status of 50\d/);
});

test('what is held back is said to its owner, with the way to look at it', async ({ page, journal }) => {
  const content = 'Take 5 mg of it in the morning, and drink a glass of water with it.';
  const id = await writePost(journal.server, author, {
    ...{ content, content_en: content, content_de: content, language: 'en', untranslated: 'content:de' },
  });
  journal.provider.behave({ kind: 'segments', change: ' mg' });
  await visitor.open(`/post/${id}`);
  const texts = visitor.m.publish.translations;
  await page.getByRole('button', { name: texts.tryAgain }).click();
  const line = page.locator('article [role=status]:not(.sr-only)');
  await expect(line).toHaveText(`Not translated: German. ${texts.held}`);
  await page.getByRole('link', { name: texts.lookAtHeld }).click();
  await expect(page).toHaveURL(new RegExp(`/admin/posts/${id}/translations/de`));
  await expect(page.getByText(/mg/).first()).toBeVisible();
});

test('another translation explains a network failure and a deleted post', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { retryFailed, tryAgain } = visitor.m.publish.translations;
  const id = await writePost(journal.server, author, { untranslated: 'title:de' });
  await visitor.open(`/post/${id}`);
  const line = page.locator('article [role=status]:not(.sr-only)');
  const again = page.getByRole('button', { name: tryAgain });
  const restore = await failRequests(page, '**/translations/translate', 'POST');
  await again.click();
  await expect(line).toHaveText(`Not translated: German. ${retryFailed.offline}`);
  await restore();
  await author.rest('DELETE', `journal_posts?id=eq.${id}`);
  await again.click();
  await expect(line).toHaveText(`Not translated: German. ${retryFailed.gone}`);
  await expect(again).toHaveCount(0);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 404/);
});
