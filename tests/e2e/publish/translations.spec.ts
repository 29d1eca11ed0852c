import type { Author } from '@fabrica/test-peers/author.ts';
import { JOB_PROMPT } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import type { Locator } from '@playwright/test';
import {
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  test,
} from '../journal.ts';
import { rowsOf, signInOn, writePost } from '../people.ts';
import { Visitor } from '../steps.ts';
import { CALLS, expectConsoleErrors, failRequests, pauseRequests } from '../traffic.ts';

const TITLE = 'The heart';
const CONTENT = 'The heart feeds itself first.\n\nIts arteries leave the aorta.';

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
});
test.afterEach(({ journal }) => journal.provider.reset());

const panel = () => visitor.page.getByRole('region', { name: visitor.m.publish.translations.heading });
const row = (language: string) => panel().getByRole('listitem').filter({ hasText: language });
const marks = (within: Locator) => within.locator('[data-status]');

async function expectMarks(language: string, title: string, content: string): Promise<void> {
  await expect(marks(row(language)).nth(0)).toHaveAttribute('data-status', title);
  await expect(marks(row(language)).nth(1)).toHaveAttribute('data-status', content);
}

test('a post is translated before it is published: failures are named and tried again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server, provider } = journal;
  const { translations: texts, translating } = visitor.m.publish;
  await page.setViewportSize({ width: 360, height: 740 });
  await visitor.open('/admin');
  const ahead = page.getByRole('button', { name: texts.ahead });
  await ahead.click();
  await expect(page.getByLabel(visitor.m.publish.titleField.label)).toBeFocused();
  await visitor.fillPost(TITLE, CONTENT);
  const restore = provider.behave({
    kind: 'say',
    text: 'Le cœur.',
    when: /^Translate the following medical text to French/,
  });
  provider.behave({ kind: 'say', text: 'Das He', finishReason: 'length', when: /title .* to German/ });
  const held = await pauseRequests(page, CALLS.translate, 'POST');
  await ahead.focus();
  await page.keyboard.press('Enter');
  await held.paused;
  await expect(marks(panel())).toHaveCount(8);
  await expect(panel().locator('[data-status=waiting]')).toHaveCount(8);
  await expect(panel().getByRole('heading')).toBeFocused();
  const announcement = page.locator('main form [aria-live=polite]:not(.sr-only)');
  await expect(announcement).toHaveCount(1);
  await expect(announcement).toHaveText(`${translating.title} ${translating.progress(0, 8)}`);
  await expect(visitor.publishButton).toBeDisabled();
  held.release();

  await expect(announcement).toHaveText('Not translated: French, German.');
  await expectMarks('English', 'done', 'done');
  await expectMarks('Français', 'done', 'failed');
  await expectMarks('Deutsch', 'failed', 'done');
  await expect(panel()).toContainText(texts.faults['cut-off']);
  await expect(panel()).toContainText(texts.faults.unusable);
  await row('Español').getByText('Español').click();
  await expect(row('Español')).toContainText(`[es] ${TITLE}`);
  await expect(row('Español')).toContainText('Its arteries leave the aorta.');
  await expectAccessibleInBothThemes(page);
  await expectNoSidewaysScroll(page);

  restore();
  provider.calls.length = 0;
  await panel().getByRole('button', { name: texts.tryAgain }).click();
  await expect(announcement).toHaveText('Not translated: German.');
  // What was too long to be translated is not requested again.
  expect(provider.calls).toHaveLength(1);
  // The translations are kept over a reload until the title changes.
  await page.reload();
  await expectMarks('Français', 'done', 'done');
  await expectMarks('Deutsch', 'failed', 'done');
  await page.getByLabel(visitor.m.publish.titleField.label).fill('The heart itself');
  await expectMarks('Français', 'open', 'done');
  await expect(ahead).toBeVisible();

  provider.reset();
  await visitor.publishButton.click();
  await expect(visitor.notice(visitor.m.publish.success.withTranslations)).toBeVisible();
  expect(provider.calls).toHaveLength(4);
  expect(await rowsOf(server, `journal_posts?user_id=eq.${author.id}`)).toMatchObject([
    {
      title_de: '[de] The heart itself',
      content_fr: `[fr] ${CONTENT.replace('\n\n', '\n\n[fr] ')}`,
      untranslated: null,
    },
  ]);
  expect(consoleErrors).toEqual([]);
});

test('after publishing, the notice and the post’s page offer its owner another translation', async ({
  page,
  browser,
  journal,
  consoleErrors,
}) => {
  const { server, provider } = journal;
  const { translations: texts } = visitor.m.publish;
  provider.behave({ kind: 'fail', status: 400, when: JOB_PROMPT });
  const restore = provider.behave({ kind: 'fail', status: 400, when: /to (French|German)\./ });
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
  await visitor.publishButton.click();
  const missing = visitor.notice(visitor.m.publish.missingTranslations.title);
  await expect(missing).toContainText('title in French, text in French, title in German, text in German');
  const [post] = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(post?.untranslated).toBe('title:fr,content:fr,title:de,content:de');
  restore();
  const stillFailing = provider.behave({ kind: 'fail', status: 400, when: /title .* to French/ });
  await missing.getByRole('button', { name: texts.tryAgain }).click();
  await expect(missing).toContainText('title in French.');
  await expect(missing).not.toContainText('German');
  const path = `/post/${post?.id}`;

  const stranger = await browser.newPage({ baseURL: server.url });
  await stranger.goto(`${path}?lang=fr`);
  await expect(stranger.getByRole('heading', { level: 1 })).toHaveText(TITLE);
  await expect(stranger.getByText('Non traduit')).toHaveCount(0);
  await stranger.close();

  visitor = new Visitor(page, 'fr');
  const french = visitor.m.publish.translations;
  await visitor.open(path);
  const line = page.locator('article [role=status]:not(.sr-only)');
  await expect(line).toHaveText('Non traduit : français.');
  const again = page.getByRole('button', { name: french.tryAgain });
  await again.focus();
  await page.keyboard.press('Enter');
  await expect(line).toHaveText(`Non traduit : français. ${french.faults.unanswered}`);
  await expectAccessible(page);
  stillFailing();
  await page.evaluate(() => Object.assign(window, { stays: true }));
  await again.click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`[fr] ${TITLE}`);
  await expect(line).toHaveText(french.nowTranslated('français'));
  await expect(line).toBeFocused();
  await expect(again).toHaveCount(0);
  expect(await page.evaluate(() => 'stays' in window), 'the page was not loaded anew').toBe(true);
  expect(await rowsOf(server, `journal_posts?id=eq.${post?.id}`)).toMatchObject([
    {
      title_fr: `[fr] ${TITLE}`,
      content_de: `[de] ${CONTENT.replace('\n\n', '\n\n[de] ')}`,
      untranslated: null,
    },
  ]);
  expectConsoleErrors(consoleErrors, /status of 50\d/);
});

test('what a translation of the page lacks is translated by the server after publishing, and its readers are told so', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server, provider } = journal;
  const { promise: until, resolve: respond } = Promise.withResolvers<void>();
  provider.behave({ kind: 'wait', until, when: JOB_PROMPT });
  provider.behave({ kind: 'fail', status: 400, when: /to German\./ });
  await visitor.open('/admin');
  await visitor.fillPost(TITLE, CONTENT);
  await visitor.publishButton.click();
  await expect(visitor.notice(visitor.m.publish.missingTranslations.title)).toBeVisible();
  const [post] = await rowsOf(server, `journal_posts?user_id=eq.${author.id}&order=created_at.desc&limit=1`);
  expect(post).toMatchObject({ untranslated: 'title:de,content:de', title_de: TITLE });
  respond();
  await expect
    .poll(async () => (await rowsOf(server, `journal_posts?id=eq.${post?.id}`))[0]?.untranslated)
    .toBe(null);
  visitor = new Visitor(page, 'de');
  await visitor.open(`/post/${post?.id}`);
  await expect(page.getByRole('heading', { level: 1 })).not.toHaveText(TITLE);
  await expect(page.getByText('Nicht übersetzt')).toHaveCount(0);
  expectConsoleErrors(consoleErrors, /status of 50\d/);
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
  const restore = await failRequests(page, CALLS.posts, 'GET');
  await again.click();
  await expect(line).toHaveText(`Not translated: German. ${retryFailed.offline}`);
  await restore();
  await author.rest('DELETE', `journal_posts?id=eq.${id}`);
  await again.click();
  await expect(line).toHaveText(`Not translated: German. ${retryFailed.gone}`);
  await expect(again).toHaveCount(0);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});
