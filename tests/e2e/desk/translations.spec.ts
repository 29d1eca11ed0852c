import { readFile } from 'node:fs/promises';
import { type Author, serviceRest, signUp } from '@fabrica/test-peers/author.ts';
import type { Page } from '@playwright/test';
import { translationDesk as texts } from '../../../apps/journal/messages/en/translation-desk.ts';
import type { LanguageTranslation } from '../../../apps/journal/project/translations.ts';
import {
  expect,
  expectAccessibleInBothThemes,
  expectNoSidewaysScroll,
  type Journal,
  test,
} from '../journal.ts';
import { giveRole, rowsOf, setSession, signInOn } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, pauseRequests } from '../traffic.ts';
import { callDesk, texts as deskTexts, writeOnDesk } from './desk-page.ts';

/** Editors review the translations of a post, correct them, and decide what readers see. */

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  await giveRole(journal.server, author, 'editor');
});
test.afterEach(({ journal }) => journal.provider.reset());

/** Publishes a post and waits until the model has translated it into German. Returns its id. */
async function writeTranslated({ server }: Journal, content: string, rule = 'checked'): Promise<string> {
  const id = await writeOnDesk(server, author, { content });
  const translations = `posts/${id}/translations`;
  await callDesk(server, author, { method: 'PUT', path: `${translations}/de/rule`, body: { rule } });
  const body = { languages: ['de'] };
  await callDesk(server, author, { method: 'POST', path: `${translations}/translate`, body });
  const job = () => callDesk(server, author, { method: 'GET', path: `${translations}/job` });
  await expect.poll(async () => (await job())?.state).toBe('done');
  return id;
}

const german = ({ server }: Journal, id: string): Promise<LanguageTranslation> =>
  callDesk(server, author, { method: 'GET', path: `posts/${id}/translations/de` });

const germanText = async ({ server }: Journal, id: string) =>
  (await rowsOf(server, `journal_posts?id=eq.${id}`))[0]?.content_de;

const openGerman = (on: Visitor, id: string) => on.open(`/admin/posts/${id}/translations/de`);

/** Returns a segment by its number, counted from 1, the title among them. */
const segment = (page: Page, number: number) => page.getByRole('article').nth(number - 1);

/** Presses Tab until the button with this name, which the page has to show first, has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  const button = page.getByRole('button', { name, exact: true });
  await expect(button).toBeVisible();
  const isFocused = () =>
    page.evaluate((wanted) => document.activeElement?.textContent?.trim() === wanted, name);
  for (let presses = 0; presses < 60 && !(await isFocused()); presses += 1) await page.keyboard.press('Tab');
  await expect(button).toBeFocused();
}

test('an editor reviews a text of 40 segments by the keyboard alone, and readers get it when the last one was asked about', async ({
  page,
  journal,
}) => {
  const paragraphs = Array.from({ length: 39 }, (_, place) => `Give ${place + 2} mg to the patient.`);
  const id = await writeTranslated(journal, paragraphs.join('\n\n'), 'reviewed');
  expect(await germanText(journal, id), 'nothing is released before it is reviewed').toBeNull();
  await page.addInitScript(() => {
    const counted = window as unknown as { mouseEvents: number };
    counted.mouseEvents = 0;
    for (const type of ['pointerdown', 'mousedown', 'mouseup', 'touchstart'])
      window.addEventListener(type, () => (counted.mouseEvents += 1), { capture: true });
  });
  await openGerman(visitor, id);
  await tabTo(page, texts.review(40));
  await page.keyboard.press('Enter');
  await expect(segment(page, 1)).toBeFocused();

  // One is read again, one is corrected, the keys are looked up, and all are accepted.
  await page.keyboard.press('j');
  await page.keyboard.press('k');
  await page.keyboard.press('a');
  await expect(segment(page, 2)).toBeFocused();
  await page.keyboard.press('e');
  await page.keyboard.type(' Immer.');
  await page.keyboard.press('Control+Enter');
  await expect(segment(page, 3)).toBeFocused();
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog', { name: texts.keys.title })).toBeVisible();
  await page.keyboard.press('Escape');
  for (let number = 3; number <= 40; number += 1) {
    await expect(segment(page, number)).toBeFocused();
    await page.keyboard.press('a');
  }
  await expect.poll(async () => (await german(journal, id)).counts.reviewed).toBe(40);
  expect(await germanText(journal, id), 'the last key releases nothing by surprise').toBeNull();
  const question = page.getByRole('alertdialog', { name: texts.release.release.title('German') });
  await expect(question).toBeVisible();
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => germanText(journal, id)).toContain('Immer.');
  await expect(page.getByText(/^Released .*Reviewed by Dr Ada Byron\./)).toBeVisible();
  const mouseEvents = await page.evaluate(() => (window as unknown as { mouseEvents: number }).mouseEvents);
  expect(mouseEvents).toBe(0);
});

test('words are found in both texts and replaced where an editor wants it, and what somebody else changed meanwhile stays', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const id = await writeTranslated(
    journal,
    'The kidney one.\n\nThe kidney two.\n\nThe kidney three.\n\nRest.',
  );
  const before = (await german(journal, id)).segments;
  const word = /\p{Lu}?kidney\w*/u.exec(before[1]?.text ?? '')?.[0] ?? '';
  const { find, states } = texts;
  await openGerman(visitor, id);
  await segment(page, 1).focus();
  await page.keyboard.press('s');
  const field = page.getByRole('searchbox', { name: find.label });
  await expect(field).toBeFocused();
  await page.keyboard.type('Rest.');
  await expect(page.getByText(find.found(1), { exact: true })).toBeVisible();
  await expect(page.getByRole('article')).toHaveCount(1);
  await field.fill(word.toUpperCase());
  await expect(page.getByText(find.found(3), { exact: true })).toBeVisible();
  await field.fill('nothing of the kind');
  await expect(page.getByText(find.nowhere)).toBeVisible();
  await field.fill(word);
  await page.getByRole('button', { name: find.replace, exact: true }).click();
  const drawer = page.getByRole('dialog', { name: find.title });
  await expect(drawer.getByLabel(find.from)).toHaveValue(word);
  await drawer.getByLabel(find.to).fill('Niere');
  await drawer.getByLabel(find.use(3)).uncheck();
  await expectAccessibleInBothThemes(page);
  const { id: changed = '', version = 0 } = before[3] ?? {};
  const path = `posts/${id}/translations/de/segments/${changed}`;
  await callDesk(server, author, { method: 'PUT', path, body: { text: 'Die dritte Niere.' }, version });
  await drawer.getByRole('button', { name: find.submit(2) }).click();
  await expect(visitor.notice(find.done(1))).toContainText(find.left(1));
  await expect(drawer).toHaveCount(0);
  await field.fill('');
  await expect(segment(page, 2)).toContainText('Niere one');
  await expect(segment(page, 2)).toContainText(states.edited);
  const after = (await german(journal, id)).segments.map(({ text }) => text);
  expect(after[1]).toBe(before[1]?.text.replace(word, 'Niere'));
  expect([after[2], after[3]]).toEqual([before[2]?.text, 'Die dritte Niere.']);
  expectConsoleErrors(consoleErrors, /status of 412/);
});

test('of two editors on one segment the second one sees both versions, and neither is lost', async ({
  browser,
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const id = await writeTranslated(journal, 'Give 5 mg.\n\nWait an hour.');
  const second = await signUp(server, 'Grace Hopper');
  await giveRole(server, second, 'editor');
  const context = await browser.newContext({ baseURL: server.url });
  const otherPage = await context.newPage();
  await setSession(otherPage, second, server);
  await openGerman(new Visitor(otherPage), id);
  await openGerman(visitor, id);

  const label = texts.translationOf(texts.segment(2, texts.kinds.paragraph), 'German');
  const write = async (on: Page, words: string) => {
    await segment(on, 2)
      .getByRole('button', { name: new RegExp(`^${texts.actions.edit}`) })
      .click();
    await on.getByRole('textbox', { name: label }).fill(words);
  };
  await write(otherPage, 'Sie geben 5 mg.');
  await expect(segment(otherPage, 2).getByText(/^Saved /)).toBeVisible();
  await write(page, 'Man gibt 5 mg.');
  const conflict = segment(page, 2).getByRole('region', { name: texts.conflict.title });
  await expect(conflict).toContainText('Man gibt');
  await expect(conflict).toContainText('Sie geben');
  await expectAccessibleInBothThemes(page);

  // Until the other version is back both are shown and nothing can be written; what is opened meanwhile stays open.
  const restoring = await pauseRequests(page, /\/segments\/[^/]+\/restore$/, 'POST');
  await conflict.getByRole('button', { name: deskTexts.conflict.takeTheirs }).click();
  await restoring.paused;
  expect((await german(journal, id)).segments[1]?.text, 'the own version is saved first').toBe(
    'Man gibt 5 mg.',
  );
  await expect(conflict.getByRole('button', { name: deskTexts.conflict.takeTheirs })).toBeDisabled();
  await page.keyboard.press('e');
  await expect(segment(page, 2).getByRole('textbox')).toHaveCount(0);
  await page.keyboard.press('h');
  const history = page.getByRole('dialog', { name: texts.history.title });
  await expect(history).toBeVisible();
  restoring.release();
  await expect(visitor.notice(texts.conflict.kept)).toBeVisible();
  await expect(conflict).toHaveCount(0);
  expect((await german(journal, id)).segments[1]?.text).toBe('Sie geben 5 mg.');

  // What was given up is in the history, and comes back.
  const given = history.getByRole('listitem').filter({ hasText: 'Man gibt' });
  await expect(given).toHaveCount(1);
  await given.getByRole('button', { name: texts.history.restore }).click();
  await expect(history).toHaveCount(0);
  await expect(segment(page, 2)).toContainText('Man gibt 5 mg.');

  // A comment is for the colleagues alone.
  await page.keyboard.press('c');
  const comments = page.getByRole('dialog', { name: texts.comments.title });
  await comments.getByLabel(texts.comments.add).fill('Do we say “man”?');
  await comments.getByRole('button', { name: texts.comments.send }).click();
  await expect(comments.getByRole('listitem')).toContainText('Do we say “man”?');
  await page.keyboard.press('Escape');
  await expect(segment(page, 2)).toContainText(texts.comments.count(1));
  await context.close();
  expectConsoleErrors(consoleErrors, /status of 412/);
});

test('a contradicted dose is marked in both texts and keeps its language back, until it is corrected, asked again or overruled', async ({
  page,
  journal,
}) => {
  const { provider } = journal;
  const restore = provider.behave({ kind: 'segments', change: ' mg' });
  const id = await writeTranslated(journal, 'Inject 5 mg.\n\nInject 6 mg.\n\nInject 7 mg.\n\nRest.');
  restore();
  expect(await germanText(journal, id)).toBeNull();
  await page.setViewportSize({ width: 360, height: 780 });
  await openGerman(new Visitor(page, 'de'), id);
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });
  await openGerman(visitor, id);
  await expect(segment(page, 2).locator('mark')).toHaveCount(2);
  await expect(segment(page, 2).locator('mark').first()).toContainText('5 mg');
  await expect(segment(page, 2)).toContainText(texts.findings.pair('5 mg', '50 mg'));
  await expectAccessibleInBothThemes(page);

  // It cannot be waved through.
  await segment(page, 2).focus();
  await page.keyboard.press('a');
  await expect(visitor.notice(texts.accept.refused)).toBeVisible();
  await segment(page, 2).getByRole('button', { name: texts.actions.correct }).click();
  const field = segment(page, 2).getByRole('textbox');
  await field.fill('Man gibt 5 mg.');
  await expect(segment(page, 2).getByText(texts.findings.block)).toHaveCount(0);
  await field.press('Control+Enter');

  await segment(page, 3).focus();
  await page.keyboard.press('m');
  await expect(segment(page, 3).locator('mark')).toHaveCount(0);

  await segment(page, 4).focus();
  await page.keyboard.press('o');
  await page.keyboard.press('Control+Enter');
  await expect(segment(page, 4).getByText(texts.overrule.missing)).toBeVisible();
  await page.keyboard.type('Another preparation, ten times as strong.');
  await page.keyboard.press('Control+Enter');
  await expect(segment(page, 4)).toContainText('Another preparation');
  await expect(segment(page, 4)).toContainText('Dr Ada Byron');

  // Nothing is blocked any more: readers get it.
  await expect.poll(() => germanText(journal, id)).toContain('Man gibt 5 mg.');
  expect(await germanText(journal, id)).toContain('70 mg');
});

test('a language is held back, withdrawn and released by itself, and what is typed offline is sent later', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  const id = await writeTranslated(journal, 'Give 5 mg.\n\nWait an hour.');
  await expect.poll(() => germanText(journal, id)).toContain('5 mg');
  await openGerman(visitor, id);
  const decide = async (action: 'release' | 'hold' | 'withdraw') => {
    const isInMenu = action !== 'release';
    if (isInMenu) await page.getByRole('button', { name: deskTexts.editor.more }).click();
    await page.getByRole('button', { name: texts.release[action].action, exact: true }).click();
    const question = page.getByRole('alertdialog', { name: texts.release[action].title('German') });
    await question.getByRole('button', { name: texts.release[action].action }).click();
    await expect(visitor.notice(texts.release[action].done('German'))).toBeVisible();
  };
  await decide('hold');
  await segment(page, 2)
    .getByRole('button', { name: new RegExp(`^${texts.actions.edit}`) })
    .click();
  await context.setOffline(true);
  await segment(page, 2).getByRole('textbox').fill('Man gibt 5 mg im Zug.');
  await expect(segment(page, 2).getByText(deskTexts.saving.offline)).toBeVisible();
  await context.setOffline(false);
  await expect.poll(async () => (await german(journal, id)).segments[1]?.text).toContain('im Zug');
  expect(await germanText(journal, id), 'what is held back stays').not.toContain('im Zug');
  await decide('release');
  await expect.poll(() => germanText(journal, id)).toContain('im Zug');
  await decide('withdraw');
  expect(await germanText(journal, id)).toBeNull();
  await expect(page.getByText(texts.release.states.withdrawn)).toBeVisible();

  // A person's words for a former original are not accepted by one key.
  const path = `posts/${id}`;
  const { document, version } = await callDesk(journal.server, author, { method: 'GET', path });
  const body = { ...document, content: 'Give 5 mg slowly.\n\nWait an hour.' };
  await callDesk(journal.server, author, { method: 'PUT', path, version, body });
  await openGerman(visitor, id);
  await segment(page, 2).focus();
  await page.keyboard.press('a');
  const question = page.getByRole('alertdialog', { name: texts.accept.outdated.title });
  await page.keyboard.press('Escape');
  await expect(question).toHaveCount(0);
  expect((await german(journal, id)).segments[1]?.state).toBe('outdated');
  await page.keyboard.press('a');
  await question.getByRole('button', { name: texts.accept.outdated.action }).click();
  await expect.poll(async () => (await german(journal, id)).segments[1]?.state).toBe('reviewed');
  expectConsoleErrors(consoleErrors, /ERR_INTERNET_DISCONNECTED/);
});

test.describe('between the lists of the desk', () => {
  test.use({ contextOptions: { reducedMotion: 'no-preference' } });

  test('the queue says what waits for a reviewer, and terms are kept for every translation', async ({
    page,
    journal,
  }) => {
    const id = await writeTranslated(journal, 'Give 5 mg.\n\nWait an hour.');
    await visitor.open('/admin/posts');
    await page.getByRole('link', { name: visitor.m.layout.translations, exact: true }).click();
    // The list of posts has the same filter.
    await page.waitForURL('**/admin/translations**');
    await page.getByLabel(deskTexts.posts.language, { exact: true }).selectOption('de');
    await expect(page).toHaveURL(/language=de/);
    await expect(page.getByText(/segments? waits? for a reviewer: German$/)).toBeVisible();
    await expectAccessibleInBothThemes(page);
    const link = page.getByRole('main').locator(`a[href$="/${id}/translations/de"]`);
    await link.focus();
    await page.keyboard.press('Enter');
    await expect(segment(page, 3)).toBeVisible();

    await visitor.open('/admin/terms');
    const { terms } = texts;
    await page.getByRole('button', { name: terms.add }).click();
    await page.getByLabel(terms.wordsIn('English')).fill('beta blocker, beta-blocker');
    await page.getByRole('button', { name: terms.save }).click();
    await expect(page.getByText(terms.tooFew(false))).toBeVisible();
    await page.getByLabel(terms.wordsIn('German')).fill('Betablocker');
    await page.getByRole('button', { name: terms.save }).click();
    await expect(page.getByRole('listitem').filter({ hasText: 'Betablocker' })).toBeVisible();
    await expectAccessibleInBothThemes(page);
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: terms.exchange.export('TBX') }).click();
    const file = await (await downloads).path();
    await page.getByRole('button', { name: terms.deleteTerm('beta blocker') }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: terms.delete.action }).click();
    await expect(page.getByText(terms.empty.title)).toBeVisible();
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: terms.exchange.import('TBX') }).click();
    await (await chooser).setFiles({ name: 'terms.tbx', mimeType: 'text/xml', buffer: await readFile(file) });
    await expect(page.getByRole('listitem').filter({ hasText: 'Betablocker' })).toBeVisible();
  });
});

test('a translator’s tool, the rule of a language, a job that hangs, and a reader’s report are handled on the screen', async ({
  page,
  journal,
}) => {
  const { server, provider } = journal;
  const id = await writeTranslated(journal, 'Give **5 mg**.\n\nWait an hour.');
  await openGerman(visitor, id);
  const openMenu = () => page.getByRole('button', { name: deskTexts.editor.more }).click();
  await openMenu();
  const exported = page.waitForEvent('download');
  await page.getByRole('button', { name: texts.exchange.export }).click();
  const xliff = await readFile(await (await exported).path(), 'utf8');
  expect(xliff).toContain('subType="xlf:b"');
  const words = 'Eine Stunde warten.';
  const changed = xliff.replace(/(Wait an hour\.<\/source><target>)[^<]*/, `$1${words}`);
  expect(changed).toContain(words);
  await openMenu();
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: texts.exchange.import }).click();
  await (await chooser).setFiles({
    name: 'post.xlf',
    mimeType: 'application/xliff+xml',
    buffer: Buffer.from(changed),
  });
  await expect(visitor.notice(texts.exchange.imported)).toBeVisible();
  await expect(segment(page, 3)).toContainText(words);
  expect((await german(journal, id)).segments[1]?.text).toContain('**');

  await openMenu();
  await page.getByRole('radio', { name: texts.release.rules.reviewed }).click();
  await expect(visitor.notice(texts.release.ruleChanged)).toBeVisible();
  expect((await german(journal, id)).rule).toBe('reviewed');

  const restore = provider.behave({ kind: 'stall' });
  const path = `posts/${id}/translations/translate`;
  const segments = (await german(journal, id)).segments.map((one) => one.id);
  await callDesk(server, author, { method: 'POST', path, body: { languages: ['fr'], segments } });
  await openGerman(visitor, id);
  await page.getByRole('button', { name: texts.job.cancel, exact: true }).click();
  await expect(page.getByRole('button', { name: texts.job.cancel, exact: true })).toHaveCount(0);
  const job = await callDesk(server, author, { method: 'GET', path: `posts/${id}/translations/job` });
  expect(job).toMatchObject({ state: 'cancelled' });
  restore();

  const report = { postId: id, language: 'de', quote: words, message: 'It is two hours!' };
  const send = (body: object) =>
    callDesk(server, author, { method: 'POST', path: 'translations/reports', body });
  await send(report);
  // The oldest report is reached as well, behind the 50 newest of other readers.
  const { postId: post_id, language, quote } = report;
  const others = Array.from({ length: 50 }, (_, at) => {
    return { post_id, language, quote, message: `Error ${at}.`, created_at: Date.now() };
  });
  expect((await serviceRest(server)('POST', 'translation_reports', others)).status).toBe(201);
  await visitor.open('/admin/translations');
  const reports = page.getByRole('region', { name: /reports from readers$/ });
  await reports.getByRole('button', { name: deskTexts.posts.more }).click();
  const reported = page.getByRole('listitem').filter({ hasText: report.message });
  await reported.getByRole('link').click();
  await expect(segment(page, 3), 'the link leads to the words in question').toBeFocused();
  await page.goBack();
  await reports.getByRole('button', { name: deskTexts.posts.more }).click();
  await reported.getByRole('button', { name: texts.reports.resolve }).click();
  await expect(visitor.notice(texts.reports.resolved)).toBeVisible();
  await expect(reported).toHaveCount(0);
});

test('an editor corrects a term, and takes the memory of a translator’s own tool over, uses it by a key and takes it out again', async ({
  page,
  journal,
}) => {
  const id = await writeTranslated(journal, 'Rest for an hour.');
  const { terms } = texts;
  const name = 'infusion pump';
  await visitor.open('/admin/terms');
  await page.getByRole('button', { name: terms.add }).click();
  await page.getByLabel(terms.wordsIn('English')).fill(name);
  await page.getByLabel(terms.wordsIn('German')).fill('Pumpe');
  await page.getByRole('button', { name: terms.save }).click();
  await page.getByRole('button', { name: terms.editTerm(name) }).click();
  await expect(page.getByLabel(terms.wordsIn('German'))).toHaveValue('Pumpe');
  await page.getByLabel(terms.wordsIn('German')).fill('Infusionspumpe');
  // The end of saving closes what it began in: no other term is opened before.
  const saving = await pauseRequests(page, /\/terms\/[^/]+$/, 'PUT');
  await page.getByRole('button', { name: terms.save }).click();
  await saving.paused;
  await page.keyboard.press('Escape');
  await expect(page.getByRole('dialog').getByRole('button', { name: terms.save })).toBeDisabled();
  saving.release();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(page.getByRole('listitem').filter({ hasText: 'Infusionspumpe' })).toBeVisible();
  await page.getByRole('button', { name: terms.deleteTerm(name) }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: terms.delete.action }).click();
  await expect(page.getByRole('listitem').filter({ hasText: 'Infusionspumpe' })).toHaveCount(0);

  const unit = (language: string, words: string) => `<tuv xml:lang="${language}"><seg>${words}</seg></tuv>`;
  const tmx = `<tmx version="1.4"><header srclang="en" datatype="plaintext" segtype="block" adminlang="en" o-tmf="x" creationtool="x" creationtoolversion="1"/>
    <body><tu>${unit('en', 'Rest for an hour.')}${unit('de', 'Ruhen Sie eine Stunde.')}</tu></body></tmx>`;
  const chooser = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: terms.exchange.import('TMX') }).click();
  await (await chooser).setFiles({ name: 'memory.tmx', mimeType: 'text/xml', buffer: Buffer.from(tmx) });
  await expect(visitor.notice(terms.exchange.imported(1))).toBeVisible();
  const downloads = page.waitForEvent('download');
  await page.getByRole('button', { name: terms.exchange.export('TMX') }).click();
  expect(await readFile(await (await downloads).path(), 'utf8')).toContain('Ruhen Sie eine Stunde.');

  await openGerman(visitor, id);
  await segment(page, 2).focus();
  await page.keyboard.press('t');
  await expect(segment(page, 2).getByRole('textbox')).toHaveValue('Ruhen Sie eine Stunde.');
  await expect.poll(async () => (await german(journal, id)).segments[1]?.text).toBe('Ruhen Sie eine Stunde.');
  await page.keyboard.press('Escape');
  await page.keyboard.press('t');
  await expect(visitor.notice(texts.memory.none)).toBeVisible();
});
