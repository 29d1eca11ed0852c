import { serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import { readingTranslations as german } from '../../../apps/journal/messages/de/reading-translations.ts';
import { readingTranslations as french } from '../../../apps/journal/messages/fr/reading-translations.ts';
import { callDesk, writeOnDesk } from '../desk/desk-page.ts';
import {
  expect,
  expectAccessible,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  test,
} from '../journal.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

const SOURCE = [
  'The heart is a muscle, and it beats for the whole of a life.',
  '## Dosage',
  'Take 5 mg twice daily.',
  '- with food\n- in the morning',
  '| Drug | Dose |\n| - | - |\n| A | 1 mg |',
];
const GERMAN = [
  'Das Herz ist ein Muskel, und es schlägt ein ganzes Leben lang.',
  '## Dosierung',
  'Nehmen Sie zweimal täglich 5 mg.',
  '- mit dem Essen\n- am Morgen',
  '| Mittel | Dosis |\n| - | - |\n| A | 1 mg |',
];

/** Publishes a post with its German translation, then another dose in the original alone. Returns the post's id. */
async function publishStale(server: RunningServer): Promise<string> {
  const author = await signUp(server, 'Dr Ada Byron');
  const id = await writeOnDesk(server, author, {
    content: SOURCE.join('\n\n'),
    contentFormat: 'markdown',
    translations: { de: { title: 'Das Herz', content: GERMAN.join('\n\n') } },
    byline: [{ name: 'Tia Turner', role: 'translator' }],
  });
  const path = `posts/${id}`;
  const { document, version } = await callDesk(server, author, { method: 'GET', path });
  const body = { ...document, content: document.content.replace('5 mg', '10 mg'), translations: {} };
  const saved = await callDesk(server, author, { method: 'PUT', path, version, body });
  await callDesk(server, author, {
    method: 'POST',
    path: `${path}/publish`,
    version: saved.version,
    body: {},
  });
  // The page is shown anew with each language that the server translates and releases.
  const job = () => callDesk(server, author, { method: 'GET', path: `${path}/translations/job` });
  await expect.poll(async () => (await job()).state).toMatch(/done|failed/);
  return id;
}

test('readers see what has changed since a translation, show the original in its place by keyboard and report an error', async ({
  page,
  journal,
}) => {
  const id = await publishStale(journal.server);
  await page.setViewportSize({ width: 360, height: 740 });
  const reader = new Visitor(page, 'de');
  const { translation: texts } = reader.m.post;
  await reader.open(`/post/${id}`);
  await expect(page.getByRole('note').first()).toContainText(
    'Von Menschen übersetzt, nicht geprüft. Zahlen mit dem Original abgeglichen. Das Original wurde seither geändert.',
  );
  await expect(page.getByText(texts.changedHere)).toHaveCount(1);
  const data = JSON.parse((await page.locator('script[type="application/ld+json"]').textContent()) ?? '');
  expect(data).toMatchObject({
    inLanguage: 'de',
    translationOfWork: { '@type': 'Article', inLanguage: 'en', url: expect.stringContaining('lang=en') },
    translator: [{ '@type': 'Person', name: 'Tia Turner' }],
  });

  const compare = page.getByRole('button', { name: texts.compare });
  await compare.press('Enter');
  await expect(compare).toHaveAttribute('aria-pressed', 'true');
  await expect(page.getByRole('status').filter({ hasText: texts.compared })).toHaveCount(1);
  await expect(page.getByText(texts.changedHere)).toHaveCount(1);
  const dose = page.getByText(GERMAN[2] ?? '', { exact: true });
  const toggle = page.getByRole('button', {
    name: german.named(german.originalIn('Englisch'), GERMAN[2] ?? ''),
  });
  await toggle.focus();
  const before = await dose.boundingBox();
  await toggle.press('Enter');
  await expect(toggle).toHaveAttribute('aria-expanded', 'true');
  const original = page.locator('[lang=en]', { hasText: 'Take 10 mg twice daily.' }).last();
  await expect(original).toBeVisible();
  expect((await dose.boundingBox())?.y).toBe(before?.y);
  const table = page.getByRole('button', {
    name: german.named(german.originalIn('Englisch'), 'Mittel Dosis A 1 mg'),
  });
  await table.press('Enter');
  await expect(page.locator('[lang=en] table')).toContainText('Drug');
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothThemes(page);

  const report = page.getByRole('button', { name: german.named(german.report, 'mit dem Essen') });
  await report.press('Enter');
  const message = page.getByLabel(german.form.message);
  await expect(message).toBeFocused();
  await expect(page.getByLabel(german.form.quote)).toHaveValue('mit dem Essen');
  await message.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page.getByText(german.form.missing)).toBeVisible();
  await message.fill('Vor dem Essen!');
  await expectAccessible(page);
  await page.getByRole('button', { name: german.form.send }).click();
  await expect(page.getByText(german.form.thanks)).toBeFocused();
  await page.getByRole('button', { name: german.form.close }).press('Enter');
  await expect(report).toBeFocused();
  const reports = await serviceRest(journal.server)('GET', `translation_reports?post_id=eq.${id}`);
  expect(await reports.json()).toMatchObject([
    { quote: 'mit dem Essen', message: 'Vor dem Essen!', user_id: null },
  ]);
});

test('without a script, readers see the marks of what has changed, follow the link to the original, and keep their language', async ({
  browser,
  journal,
}) => {
  const id = await publishStale(journal.server);
  const context = await browser.newContext({ javaScriptEnabled: false, baseURL: journal.server.url });
  const page = await context.newPage();
  const { m } = new Visitor(page, 'de');
  await page.goto(`/post/${id}?lang=de`);
  await expect(page.getByText(m.post.translation.changedHere)).toBeVisible();
  await expect(page.getByRole('button', { name: m.post.translation.compare })).toHaveCount(0);
  await page.getByRole('link', { name: m.post.translation.originalIn('Englisch') }).click();
  await expect(page.locator('.prose-text')).toContainText('Take 10 mg twice daily.');
  await expect(page.getByRole('link', { name: /Original/ })).toHaveCount(0);
  const own = page.getByRole('link', { name: 'Zurück zur deutschen Seite' });
  await expect(own).toHaveAttribute('lang', 'de');
  await page.goto('/gallery');
  await expect(page.locator('html')).toHaveAttribute('lang', 'de');
  await page.goBack();
  await own.click();
  await expect(page).toHaveURL(/\?lang=de$/);
  await expect(page.locator('.prose-text')).toContainText('Das Herz ist ein Muskel');
  await expect(own).toHaveCount(0);
  await context.close();
});

test('a comment in another language shows its translation when the reader asks for it, and keeps its own words', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const author = await signUp(journal.server, 'Dr Ada Byron');
  const postId = await writeOnDesk(journal.server, author);
  const content = 'The heart of the body is a muscle, and this is for all of us to know.';
  const comment = {
    id: `comment_${Date.now()}`,
    post_id: postId,
    user_id: author.id,
    user_name: 'Dr Ada Byron',
    content,
  };
  const response = await author.rest('POST', 'post_comments', comment);
  expect(response.status).toBe(201);
  const reader = new Visitor(page, 'de');
  await reader.open(`/post/${postId}?comments=open`);
  const item = page.getByRole('listitem').filter({ hasText: content });
  const translate = item.getByRole('button', { name: german.comment.named('Dr Ada Byron') });
  await page.route('**/comments/*/translation', (route) => route.abort('connectionfailed'), { times: 1 });
  await translate.press('Enter');
  await expect(item.getByText(german.comment.failed)).toBeVisible();
  await page.getByLabel(/^Sprache/).click();
  await page.getByRole('link', { name: 'Français' }).click();
  await expect(item.getByText(french.comment.failed), 'an error follows the language').toBeVisible();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await reader.open(`/post/${postId}?comments=open`);
  await translate.press('Enter');
  await expect(item.getByText(german.comment.by)).toBeVisible();
  await expect(item).toContainText('Die hearten');
  await expect(item.locator('div[lang=en]')).toContainText(content);
  await expectAccessible(page);
  await item.getByRole('button', { name: german.comment.hide }).click();
  await expect(item.getByText(german.comment.by)).toHaveCount(0);

  // The one who reads English is offered nothing.
  await new Visitor(page, 'en').open(`/post/${postId}?comments=open`);
  await expect(item.getByRole('button', { name: /Like/ })).toBeVisible();
  await expect(item.getByRole('button', { name: /Translat/ })).toHaveCount(0);
});
