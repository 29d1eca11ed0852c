import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Author, serviceRest, signUp, uploadFile } from '@fabrica/test-peers/author.ts';
import { pseudoTranslate } from '@fabrica/test-peers/openai-stand-in-segments.ts';
import type { Page } from '@playwright/test';
import { editor as editorTexts } from '../../../apps/journal/messages/en/editor.ts';
import { translationDesk as translationTexts } from '../../../apps/journal/messages/en/translation-desk.ts';
import { post as spanishPost } from '../../../apps/journal/messages/es/post.ts';
import { DOCUMENT_LIMITS } from '../../../apps/journal/project/document-limits.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { rowsOf, setSession, signInOn, writeComment } from '../people.ts';
import { file, SMALL_ARTWORK, Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests, loseResponse, pauseRequests } from '../traffic.ts';
import { callDesk, DeskPage, texts, writeOnDesk } from './desk-page.ts';

const PHOTO = fileURLToPath(new URL('../../../packages/backend/testing/storage/photo.heic', import.meta.url));

let author: Author;
let visitor: Visitor;
let desk: DeskPage;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
  desk = new DeskPage(visitor);
});
test.afterEach(({ journal }) => journal.provider.reset());

/** Returns the text of a post as a reader without an account sees it. */
async function readersText(page: Page, postId: string, language = 'en'): Promise<string> {
  const response = await page.request.get(`/post/${postId}?lang=${language}`, {
    headers: { authorization: '' },
  });
  return response.text();
}

test('an author corrects a published post and says so, and its likes and comments stay', async ({
  page,
  journal,
}) => {
  const { server } = journal;
  const id = await writeOnDesk(server, author);
  await author.rest('POST', 'post_likes', { id: `like_${Date.now()}`, post_id: id, user_id: author.id });
  await writeComment(author, id, 'A fine text.');

  await visitor.open(`/post/${id}`);
  await page.getByRole('link', { name: visitor.m.post.edit, exact: true }).click();
  await expect(desk.text).toContainText('5.0 mg');
  await desk.text.fill('Give 0.5 mg twice daily.');
  await desk.saved();
  expect(await readersText(page, id), 'readers see no half change').toContain('5.0 mg');

  const { change } = texts.editor;
  await expect(page.getByText(texts.editor.publishedWithChanges, { exact: true })).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await desk.button(change.add).click();
  const note = page.getByLabel(change.note);
  await note.fill('The dose is corrected: it was\nten times too high in the first version of this text.');
  await expect(note).toHaveValue(/it was ten times/);
  expect(await note.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThan(2);
  await note.fill('The dose is corrected.');
  await page.setViewportSize({ width: 1280, height: 720 });
  await desk.button(texts.editor.publishChanges).click();
  await expect(visitor.notice(texts.editor.published)).toBeVisible();
  await expect(desk.button(texts.editor.publishChanges)).toBeDisabled();
  const text = await readersText(page, id);
  expect(text).toContain('Give 0.5 mg');
  expect(text).not.toContain('5.0 mg');
  expect(text).toMatch(/Updated on .*The dose is corrected\./s);
  await expect(page.getByText(texts.states.published, { exact: true })).toBeVisible();
  // Its translation follows, and has the date alone: nobody has translated the sentence.
  const translated = pseudoTranslate('Give 0.5 mg twice daily.', 'es');
  await expect.poll(() => readersText(page, id, 'es')).toContain(translated);
  const spanish = await readersText(page, id, 'es');
  expect(spanish).toContain(spanishPost.updated('').trim());
  expect(spanish).not.toContain('The dose is corrected.');
  const datesOf = async () => {
    const [post] = await rowsOf(server, `journal_posts?id=eq.${id}`);
    return JSON.parse(String(post?.dated_changes));
  };
  const dated = await datesOf();
  await desk.text.fill('Give 0.5 mg twice a day.');
  await page.getByLabel(change.small).check();
  await desk.button(texts.editor.publishChanges).click();
  await expect(page.getByLabel(change.small)).toHaveCount(0);
  expect(await datesOf()).toMatchObject({ en: dated.en, note: dated.note, small: expect.any(Number) });
  expect(await rowsOf(server, `post_likes?post_id=eq.${id}`)).toHaveLength(1);
  expect(await rowsOf(server, `post_comments?post_id=eq.${id}`)).toHaveLength(1);
});

test('of two authors at once the second one sees both versions, and what is given up is in the history', async ({
  browser,
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const second = await signUp(server, 'Grace Hopper');
  const byline = [
    { name: 'Ada Byron', role: 'author' as const, userId: author.id },
    { name: 'Grace Hopper', role: 'author' as const, userId: second.id },
  ];
  const id = await writeOnDesk(server, author, { byline });
  await desk.open(id);
  const context = await browser.newContext({ baseURL: server.url });
  const otherPage = await context.newPage();
  await setSession(otherPage, second, server);
  const other = new DeskPage(new Visitor(otherPage));
  await other.open(id);
  await other.title.fill('The heart of the matter');
  await other.saved();

  await desk.text.fill('Give 0.5 mg twice daily.');
  const { conflict } = texts;
  await expect(page.getByRole('heading', { name: conflict.title })).toBeFocused();
  await expect(page.getByRole('alert').filter({ hasText: 'Grace Hopper' })).toBeVisible();
  const title = page.getByRole('region', { name: texts.fields.title, exact: true });
  await expect(title.locator('mark')).toHaveText(`[${texts.history.own}:  of the matter]`);
  const content = page.getByRole('region', { name: texts.fields.content, exact: true });
  await expect(content.locator('mark')).toContainText(['0.5', '5.0']);
  // Neither of them took anything back.
  await expect(page.locator('del, ins')).toHaveCount(0);
  await expectAccessibleInBothThemes(page);

  // What only one of them changed is in already.
  await desk.button(conflict.together).click();
  await expect(page.getByLabel(conflict.result(texts.fields.title))).toHaveValue('The heart of the matter');
  await expect(page.getByLabel(conflict.result(texts.fields.content))).toHaveValue(
    'Give 0.5 mg twice daily.',
  );
  await desk.button(conflict.save).click();
  await expect(desk.title).toHaveValue('The heart of the matter');
  await desk.saved();

  // The other tab is stale now: its author takes what was saved, and finds the own words in the history.
  await other.title.fill('My own title');
  await other.button(conflict.takeTheirs).click();
  await expect(other.title).toHaveValue('The heart of the matter');
  await expect(other.text).toContainText('0.5 mg');
  await other.saved();
  await otherPage.reload();
  await expect(other.title, 'what was decided is not asked again').toHaveValue('The heart of the matter');
  await other.button(texts.history.action).click();
  await otherPage.getByRole('dialog').getByRole('listitem').getByRole('button').first().click();
  await expect(otherPage.getByRole('dialog').locator('ins').first()).toContainText('My own title');
  await context.close();
  expectConsoleErrors(consoleErrors, /status of 412/);
});

test('what is written without a connection outlives the tab, and is sent when the connection is back', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  const id = await writeOnDesk(journal.server, author, { draft: true });
  const train = new DeskPage(new Visitor(await context.newPage()));
  await train.open(id);
  await context.setOffline(true);
  await train.title.fill('Written on the train');
  await expect(train.page.getByText(texts.saving.offline)).toBeVisible();
  await train.page.close();
  await context.setOffline(false);
  await desk.open(id);
  await expect(desk.title).toHaveValue('Written on the train');
  await desk.saved();
  const post = await callDesk(journal.server, author, { method: 'GET', path: `posts/${id}` });
  expect(post.document.title).toBe('Written on the train');
  // What the closed tab sent last may still arrive: then the copy is there already, and the desk's own save learns that by 412.
  expectConsoleErrors(consoleErrors, /ERR_INTERNET_DISCONNECTED|status of 412/);

  // Signing out leaves nothing of it on the computer.
  await failRequests(page, '**/api/desk/**', 'PUT');
  await desk.title.fill('Written on another train');
  await expect(page.getByText(texts.saving.offline)).toBeVisible();
  // A press that can do nothing says why, each time.
  await desk.button(texts.editor.publish).click();
  await expect(visitor.notice(texts.editor.failure, texts.editor.offline)).toBeVisible();
  await page.route('**/api/desk/**', (route) =>
    route.request().method() === 'PUT' ? route.fulfill({ status: 500, json: {} }) : route.fallback(),
  );
  await desk.button(texts.editor.publish).click();
  await expect(visitor.notice(texts.editor.failure, texts.editor.unknown)).toBeVisible();
  await expect(page.getByText(texts.saving.failed)).toBeVisible();
  const { signOut } = visitor.m.layout;
  await page.getByRole('button', { name: signOut }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: signOut }).click();
  await expect(desk.title).toHaveCount(0);
  const stored = await page.evaluate(() =>
    Object.keys(localStorage).filter((key) => key.startsWith('fabrica_desk_')),
  );
  expect(stored).toEqual([]);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED|status of 500/);
});

test('an author adds pictures, one of them from a telephone, and readers leaf through them', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const { viewer } = visitor.m.post;
  const { drawing, unconverted } = visitor.m.publish.image;
  const id = await writeOnDesk(server, author);
  await visitor.open(`/post/${id}`);
  await expect(page.getByRole('heading', { name: viewer.more })).toHaveCount(0);
  await page.getByRole('link', { name: visitor.m.post.edit, exact: true }).click();
  await expect(desk.text).toContainText('Give 5.0 mg');

  const add = page.getByLabel(texts.pictures.add);
  const svg = file('heart.svg', 'image/svg+xml', Buffer.from('<svg xmlns="http://x"><g/></svg>'));
  await add.setInputFiles(svg);
  await expect(page.getByText(drawing)).toBeVisible();
  // What is wrong with one of several files is not forgotten with the next one, and never is a file left out in silence.
  const torn = file('torn.heic', '', Buffer.from('\0\0\0\x1cftypheic\0\0\0\0', 'latin1'));
  await add.setInputFiles([svg, torn]);
  await expect(page.getByText(`heart.svg: ${drawing} torn.heic: ${unconverted}`)).toBeVisible();
  await add.setInputFiles(Array.from({ length: DOCUMENT_LIMITS.pictures + 1 }, () => svg));
  await expect(page.getByText(texts.pictures.limit(DOCUMENT_LIMITS.pictures))).toBeVisible();
  await add.setInputFiles(torn);
  await expect(page.getByText(unconverted)).toBeVisible();
  await add.focus();
  await add.setInputFiles([PHOTO, SMALL_ARTWORK]);
  const listed = page.getByRole('listitem').filter({ hasText: texts.pictures.words });
  await expect(listed).toHaveCount(2);
  await expect(add, 'the keyboard goes on where it was').toBeFocused();
  await listed.first().getByText(texts.pictures.words).click();
  await listed.first().getByLabel(texts.cover.caption).fill('Two halves');
  await listed.first().getByLabel(texts.cover.alt).fill('Red on the left, blue on the right');
  await listed
    .first()
    .getByRole('button', { name: `${texts.pictures.down}: ${texts.pictures.numbered(2)}` })
    .click();
  await listed.first().getByRole('button', { name: texts.pictures.makeCover }).click();
  // A picture that is dragged into the text stands behind the paragraph that it was dropped on.
  await desk.text.getByText('Give 5.0 mg').evaluate(
    (paragraph, bytes) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([new Uint8Array(bytes)], 'heart.webp', { type: 'image/webp' }));
      const { left, top, height } = paragraph.getBoundingClientRect();
      const at = { clientX: left + 40, clientY: top + height / 2 };
      paragraph.dispatchEvent(
        new DragEvent('drop', { dataTransfer, ...at, bubbles: true, cancelable: true }),
      );
    },
    [...readFileSync(SMALL_ARTWORK)],
  );
  const figure = desk.text.getByRole('figure');
  // A press selects it: what is typed then is its caption, and a reminder leads to its alternative text.
  await figure.locator('img').click();
  await expect(desk.button(editorTexts.picture.edit)).toBeVisible();
  await page.keyboard.type('A heart');
  await expect(figure).toContainText('A heart');
  await figure.getByRole('button', { name: editorTexts.picture.undescribed }).click();
  await page.getByLabel(editorTexts.picture.alt, { exact: true }).last().fill('Red');
  await page.getByRole('button', { name: editorTexts.save, exact: true }).click();
  await expect(figure.getByRole('button')).toHaveCount(0);
  await expect(figure.getByRole('img')).toHaveAccessibleName('Red');
  await desk.saved();
  await expectAccessibleInBothThemes(page);
  await desk.button(texts.editor.publishChanges).click();
  await expect(visitor.notice(texts.editor.published)).toBeVisible();
  const { document } = await callDesk(server, author, { method: 'GET', path: `posts/${id}` });
  expect(document.pictures).toMatchObject([{ width: 64 }, { width: 96, caption: { en: 'Two halves' } }]);
  expect(document.pictures[1].url).toContain('.jpg');
  expect(document.content).toMatch(/^Give 5\.0 mg twice daily\.\n\n:::figure\{src="\/storage\//);

  await visitor.open(`/post/${id}`);
  const further = page.getByRole('region', { name: viewer.more });
  await expect(further.getByRole('img')).toHaveCount(2);
  await expectAccessibleInBothThemes(page);
  await expectNoSidewaysScroll(page);
  await further.getByRole('link', { name: 'Red on the left, blue on the right' }).click();
  const dialog = page.getByRole('dialog');
  await expect(dialog.getByText(viewer.position(3, 3))).toBeVisible();
  await expect(dialog.getByText('Two halves')).toBeVisible();
  await expectAccessibleInBothThemes(page);
  // Two presses at once lead two pictures on, and what is shown then has the next key.
  const takesKeys = await dialog.evaluate((element) => {
    const shown = Promise.withResolvers<boolean>();
    const observer = new MutationObserver(() => {
      shown.resolve(document.activeElement?.matches('.artwork-stage') ?? false);
    });
    observer.observe(element, { childList: true, subtree: true });
    for (let press = 0; press < 2; press += 1) {
      const key = new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true });
      document.activeElement?.dispatchEvent(key);
    }
    return shown.promise;
  });
  expect(takesKeys).toBe(true);
  await expect(dialog.getByText(viewer.position(1, 3))).toBeVisible();
  await expect(page).toHaveURL(/#artwork$/);
  await page.keyboard.press('ArrowRight');
  await expect(dialog.getByText(viewer.position(2, 3))).toBeVisible();
  await dialog.getByRole('button', { name: viewer.next }).click();
  await expect(dialog.getByText(viewer.position(3, 3))).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toBeHidden();
  await expect(page).not.toHaveURL(/#/);
  expectConsoleErrors(consoleErrors, /status of 400/);
});

test('a description that a model proposes is kept when the author has seen and used it', async ({
  page,
  journal: { server, provider },
  consoleErrors,
}) => {
  const { alt, proposal, language } = texts.cover;
  const id = await writeOnDesk(server, author);
  const storedAlt = async () =>
    (await callDesk(server, author, { method: 'GET', path: `posts/${id}` })).document.cover.alt;
  await desk.open(id);
  await page.getByText(texts.more.picture, { exact: true }).click();
  await page.getByRole('combobox', { name: language, exact: true }).selectOption('de');
  const stopFailing = provider.behave({ kind: 'fail', status: 400 });
  await desk.button(proposal.propose).click();
  await expect(page.getByRole('alert').filter({ hasText: proposal.failed })).toBeVisible();
  stopFailing();

  provider.behave({ kind: 'say', text: 'Ein Herz von vorn.' });
  await desk.button(proposal.propose).click();
  await expect(page.getByText('Ein Herz von vorn.')).toBeVisible();
  await expect(page.getByText(proposal.check)).toBeVisible();
  await expectAccessibleInBothThemes(page);
  await desk.button(proposal.dismiss).click();
  await expect(page.getByText('Ein Herz von vorn.')).toBeHidden();
  await expect(page.getByLabel(alt)).toHaveValue('');
  await expect(desk.button(proposal.propose)).toBeFocused();
  expect(await storedAlt()).toEqual({});

  await desk.button(proposal.propose).press('Enter');
  await desk.button(proposal.use).click();
  await expect(page.getByLabel(alt)).toHaveValue('Ein Herz von vorn.');
  await expect.poll(storedAlt).toEqual({ de: 'Ein Herz von vorn.' });
  await expectNoSidewaysScroll(page);
  expectConsoleErrors(consoleErrors, /status of 502/);

  // A figure within the text has the same offer.
  const picture = await uploadFile(server, author.token, {
    path: `posts/figure-${Date.now()}.webp`,
    bytes: readFileSync(SMALL_ARTWORK),
  });
  const content = `Before.\n\n:::figure{src="${picture.image_url}"}\nThe caption.\n:::`;
  await desk.open(await writeOnDesk(server, author, { draft: true, content, contentFormat: 'markdown' }));
  await desk.text.getByText('The caption.').click();
  await desk.text.press('End');
  await desk.button(editorTexts.picture.edit).click();
  const dialog = page.getByRole('dialog', { name: editorTexts.picture.title });
  await dialog.getByRole('button', { name: proposal.propose }).click();
  await dialog.getByRole('button', { name: proposal.use }).click();
  await expect(dialog.getByLabel(editorTexts.picture.alt)).toHaveValue('Ein Herz von vorn.');
  await expectAccessibleInBothThemes(page);
  await dialog.getByRole('button', { name: editorTexts.save }).click();
  await expect(desk.text.getByRole('img', { name: 'Ein Herz von vorn.' })).toBeVisible();
  await desk.saved();
});

test('an author schedules a post in a time zone, and takes it back', async ({ page, journal }) => {
  const id = await writeOnDesk(journal.server, author, { draft: true });
  await desk.open(id);
  await desk.fromMenu(texts.schedule.action);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(texts.schedule.zone).selectOption('Europe/Berlin');
  await dialog.getByLabel(texts.schedule.date).fill('2020-01-01');
  await dialog.getByRole('button', { name: texts.schedule.confirm }).click();
  await expect(dialog.getByText(texts.schedule.past)).toBeVisible();
  await dialog.getByLabel(texts.schedule.date).fill('2037-03-29');
  await dialog.getByLabel(texts.schedule.time, { exact: true }).fill('02:30');
  await dialog.getByRole('button', { name: texts.schedule.confirm }).click();
  await expect(dialog.getByText(texts.schedule.skipped)).toBeVisible();
  await dialog.getByLabel(texts.schedule.time, { exact: true }).fill('09:00');
  await dialog.getByRole('button', { name: texts.schedule.confirm }).click();
  await expect(dialog).toHaveCount(0);
  const post = await callDesk(journal.server, author, { method: 'GET', path: `posts/${id}` });
  expect(post).toMatchObject({
    state: 'scheduled',
    scheduledAt: Date.parse('2037-03-29T07:00:00Z'),
    timeZone: 'Europe/Berlin',
  });
  expect(await rowsOf(journal.server, `journal_posts?id=eq.${id}`)).toEqual([]);
  // It is shown on the clocks on which it was chosen.
  await expect(page.getByText(/^Appears Mar 29, 2037, 9:00\sAM/)).toBeVisible();
  await desk.fromMenu(texts.schedule.cancel);
  await expect(page.getByText(texts.states.draft, { exact: true })).toBeVisible();
});

test('an author is told of a post that could not appear when it was due, and why', async ({
  page,
  journal: { server },
}) => {
  const at = Date.parse('2037-03-29T07:00:00Z');
  const schedule = async (id: string) =>
    callDesk(server, author, {
      ...{ method: 'POST', path: `posts/${id}/publish`, version: 1 },
      body: { at, timeZone: 'Europe/Berlin' },
    });
  const id = await writeOnDesk(server, author, { title: 'The kidney', draft: true });
  await schedule(id);
  const { document, version } = await callDesk(server, author, { method: 'GET', path: `posts/${id}` });
  const body = { ...document, cover: null, content: '' };
  await callDesk(server, author, { method: 'PUT', path: `posts/${id}`, body, version });
  const due = await serviceRest(server)('PATCH', `post_drafts?id=eq.${id}`, {
    scheduled_at: 1_774_767_600_000,
  });
  expect(due.ok).toBe(true);
  // Whatever is scheduled has the server look at what is due.
  await schedule(await writeOnDesk(server, author, { title: 'The spleen', draft: true }));
  await expect.poll(async () => (await rowsOf(server, `post_drafts?id=eq.${id}`))[0]?.state).toBe('draft');

  await visitor.open('/admin/posts');
  const row = page.getByRole('main').getByRole('listitem').filter({ hasText: 'The kidney' });
  await expect(row).toContainText(texts.posts.missedSchedule);
  await row.getByRole('link').click();
  const notice = page.getByRole('alert').filter({ hasText: /Mar 29, 2026, 9:00\sAM/ });
  await expect(notice).toContainText(
    texts.schedule.missed.missing(`${texts.fields.content}, ${texts.fields.image}`),
  );
  await expectAccessibleInBothThemes(page);
  // Another time is proposed, which is not over.
  await desk.fromMenu(texts.schedule.action);
  const date = page.getByRole('dialog').getByLabel(texts.schedule.date);
  expect(Date.parse(await date.inputValue())).toBeGreaterThan(Date.now());
  // What is still missing is marked, and its first field has the focus.
  await page.getByRole('dialog').getByRole('button', { name: texts.schedule.confirm }).click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await expect(desk.text).toBeFocused();
  await expect(desk.text).toHaveAccessibleDescription(visitor.m.publish.contentField.missing);
});

test('an earlier version is compared by words and restored, and discarded changes come back', async ({
  page,
  journal,
}) => {
  const paragraphs = Array.from({ length: 20 }, (_, index) => `Vessel number ${index}.`);
  const content = ['Give 5 mg.', ...paragraphs].join('\n\n');
  const id = await writeOnDesk(journal.server, author, { content });
  await desk.open(id);
  await desk.title.fill('The brain');
  await desk.text.getByText('Give 5 mg.').click();
  await page.keyboard.press('End');
  await page.keyboard.type(' Daily.');
  await desk.saved();
  await desk.button(texts.history.action).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: new RegExp(`^${texts.history.published}`) }).click();
  await expect(dialog.locator('del').first()).toContainText('brain');
  await expect(dialog.locator('ins').first()).toContainText('heart');
  // Old and new are read as two words, by the eye and by a screen reader.
  const { removed, added } = texts.history;
  await expect(dialog).toContainText(`[${removed}: brain] [${added}: heart]`);
  // What has not changed is folded away, but for what stands beside a change.
  const folded = dialog.getByText(texts.history.unchanged(19));
  await expect(dialog.getByText(paragraphs[0] ?? '')).toBeVisible();
  await expect(dialog.getByText(paragraphs[19] ?? '')).toBeHidden();
  await expectAccessibleInBothThemes(page);
  await folded.focus();
  await page.keyboard.press('Enter');
  await expect(dialog.getByText(paragraphs[19] ?? '')).toBeVisible();
  // Nothing can be written that the earlier version would replace.
  const restoring = await pauseRequests(page, /\/restore$/, 'POST');
  await dialog.getByRole('button', { name: texts.history.restore }).click();
  await restoring.paused;
  await page.keyboard.press('Escape');
  await expect(dialog.getByRole('button', { name: texts.history.restore })).toBeDisabled();
  restoring.release();
  await expect(dialog).toHaveCount(0);
  await expect(desk.title).toHaveValue('The heart');

  await desk.title.fill('The lungs');
  await desk.saved();
  await desk.fromMenu(texts.editor.discard.changes);
  const question = page.getByRole('alertdialog', { name: texts.editor.discard.changesTitle });
  await question.getByRole('button', { name: texts.editor.discard.changes }).click();
  await expect(desk.title).toHaveValue('The heart');
  // By the keyboard: `tests/e2e/site/notices.spec.ts` has notices pressed while the page moves.
  await visitor
    .notice(texts.editor.discard.done)
    .getByRole('button', { name: texts.editor.discard.undo })
    .press('Enter');
  await expect(desk.title).toHaveValue('The lungs');
});

/** Discards what is written on the desk, and returns the button that undoes that. */
async function discardOnDesk() {
  await desk.fromMenu(texts.editor.discard.changes);
  const question = desk.page.getByRole('alertdialog', { name: texts.editor.discard.changesTitle });
  await question.getByRole('button', { name: texts.editor.discard.changes }).click();
  return visitor.notice(texts.editor.discard.done).getByRole('button', { name: texts.editor.discard.undo });
}

test('Undo that fails is offered again, and shows what has come back although its response was lost', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const id = await writeOnDesk(journal.server, author);
  await desk.open(id);
  await desk.title.fill('The lungs');
  const undo = await discardOnDesk();
  await expect(desk.title).toHaveValue('The heart');
  const goOn = await failRequests(page, '**/restore', 'POST');
  await undo.click();
  await expect(visitor.notice(texts.editor.failure)).toBeVisible();
  await goOn();
  await loseResponse(page, '**/restore', 'POST');
  await undo.click();
  await expect(desk.title).toHaveValue('The lungs');
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION/);
});

test('words that are written while Undo is under way are shown beside those that it brings back', async ({
  page,
  journal,
}) => {
  const id = await writeOnDesk(journal.server, author);
  await desk.open(id);
  await desk.title.fill('The lungs');
  const undo = await discardOnDesk();
  const restoring = await pauseRequests(page, /\/restore$/, 'POST');
  await undo.click();
  await restoring.paused;
  await desk.title.fill('The liver');
  restoring.release();
  const title = page.getByRole('region', { name: texts.fields.title });
  await expect(title).toContainText('liver');
  await expect(title).toContainText('lungs');
  await desk.button(texts.conflict.keepMine).click();
  await expect(desk.title).toHaveValue('The liver');
});

test('a press on Discard goes on to what was written during a save that is under way', async ({
  page,
  journal,
}) => {
  const id = await writeOnDesk(journal.server, author);
  await desk.open(id);
  const saving = await pauseRequests(page, new RegExp(`/posts/${id}$`), 'PUT');
  await desk.title.fill('The lungs');
  await saving.paused;
  await desk.title.fill('The liver');
  await desk.fromMenu(texts.editor.discard.changes);
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: texts.editor.discard.changes }).click();
  saving.release();
  await expect(desk.title).toHaveValue('The heart');
  await visitor
    .notice(texts.editor.discard.done)
    .getByRole('button', { name: texts.editor.discard.undo })
    .click();
  await expect(desk.title).toHaveValue('The liver');
});

test('whom an author names joins the author, is asked on the account page, accepts and takes the name off', async ({
  browser,
  page,
  journal,
}) => {
  const { server } = journal;
  const bruno = `Bruno Weiss ${Date.now()}`;
  const named = await signUp(server, bruno);
  const id = await writeOnDesk(server, author);
  await desk.open(id);
  const { more } = texts;
  await page.getByText(more.byline, { exact: true }).click();
  await desk.button(more.add).click();
  await expect(page.getByLabel(more.person(1))).toHaveValue('Dr Ada Byron');
  await expect(page.getByLabel(more.person(2))).toBeFocused();
  await page.keyboard.type(bruno);
  await page.getByLabel(more.role(bruno)).selectOption('illustrator');
  await page.getByRole('list', { name: more.find }).getByRole('button', { name: bruno }).click();
  await desk.saved();
  await desk.button(texts.editor.publishChanges).click();
  await expect(visitor.notice(texts.editor.published)).toBeVisible();

  const context = await browser.newContext({ baseURL: server.url });
  const other = new Visitor(await context.newPage());
  await setSession(other.page, named, server);
  await other.open(`/post/${id}`);
  const names = other.page.getByText(/Dr Ada Byron|Bruno Weiss/);
  await expect(names).toHaveText([/Dr Ada Byron$/, other.m.post.roles.illustrator(bruno)]);
  const { bylines, cancel } = other.m.account;
  await other.page.goto('/account#bylines');
  const section = other.page.getByRole('region', { name: bylines.title, exact: true });
  const heading = section.getByRole('heading', { name: bylines.title });
  await expect(heading).toBeFocused();
  await expect(heading).toBeInViewport();
  await expectAccessibleInBothThemes(other.page);
  await section.getByRole('button', { name: bylines.acceptIn('The heart') }).click();
  await expect(section.getByText(bylines.acceptedIn('The heart'))).toHaveRole('status');
  await expect(heading).toBeFocused();
  const question = other.page.getByRole('alertdialog', { name: bylines.leaveAsk('The heart') });
  await section.getByRole('button', { name: bylines.leaveIn('The heart') }).click();
  await question.getByRole('button', { name: cancel, exact: true }).click();
  await section.getByRole('button', { name: bylines.leaveIn('The heart') }).click();
  await expectAccessibleInBothThemes(other.page);
  await question.getByRole('button', { name: bylines.leave, exact: true }).click();
  await expect(section.getByText(bylines.left('The heart'))).toHaveRole('status');
  await expect(section.getByText(bylines.lead)).toHaveCount(0);
  await other.open(`/post/${id}`);
  await expect(names).toHaveText([/Dr Ada Byron$/]);
  await context.close();
});

test('a translator takes a post from the schedule with the first change, and its author withdraws the links that were given', async ({
  browser,
  journal,
}) => {
  const { server } = journal;
  const translator = await signUp(server, 'Tia Vale');
  const id = await writeOnDesk(server, author, {
    draft: true,
    byline: [{ name: 'Tia Vale', role: 'translator', userId: translator.id }],
  });
  const at = Date.now() + 86_400_000;
  const path = `posts/${id}`;
  await callDesk(server, author, { method: 'POST', path: `${path}/publish`, body: { at }, version: 1 });
  await callDesk(server, translator, { method: 'POST', path: `${path}/preview`, body: {} });

  const context = await browser.newContext({ baseURL: server.url });
  const other = new Visitor(await context.newPage());
  await setSession(other.page, translator, server);
  const theirs = new DeskPage(other);
  await theirs.open(id);
  await expect(other.page.getByText(texts.schedule.guarded)).toBeVisible();
  await theirs.title.fill('The heart, translated');
  const told = other.page.getByRole('alert').filter({ hasText: 'nobody who may publish it has approved' });
  await expect(told).toBeVisible();
  await expect(other.page.getByText(texts.states.draft, { exact: true })).toBeVisible();
  await context.close();

  await desk.open(id);
  await expect(desk.page.getByRole('alert').filter({ hasText: 'is off the schedule' })).toBeVisible();
  await desk.button(texts.preview.action).click();
  const dialog = desk.page.getByRole('dialog');
  await expect(dialog.getByRole('heading', { name: texts.preview.links })).toBeVisible();
  await expect(dialog.getByText('From Tia Vale')).toBeVisible();
  await expectAccessibleInBothThemes(desk.page);
  await dialog.getByRole('button', { name: /^Withdraw: From Tia Vale/ }).click();
  await expect(dialog.getByText('From Tia Vale')).toBeHidden();
  await expect(dialog.getByText(texts.preview.made)).toBeVisible();
  await dialog.getByRole('button', { name: /^Withdraw: From/ }).click();
  await expect(dialog.getByText(texts.preview.withdrawn)).toBeVisible();
});

test('the desk is used by the keyboard alone, on a phone too, and a preview needs no account', async ({
  browser,
  page,
  journal,
}) => {
  const { server } = journal;
  const id = await writeOnDesk(server, author, { draft: true, content: 'Give 5 mg twice daily.' });
  await page.setViewportSize({ width: 360, height: 780 });
  await desk.open(id);
  // A long title is shown whole, and stays one line of text.
  const long = 'The vessels of the crown and what happens when one of them is closed';
  await desk.title.fill(`${long}\nfor hours`);
  await desk.title.press('Enter');
  await expect(desk.title).toHaveValue(`${long} for hours`);
  await expect(desk.text, 'behind the title is its text').toBeFocused();
  expect(await desk.title.evaluate((field) => field.scrollHeight - field.clientHeight)).toBeLessThan(2);
  expect(await desk.title.evaluate((field) => field.scrollWidth - field.clientWidth)).toBe(0);
  // What is missing is marked, without a question to the server, and before anything is written no language is spoken of.
  const panel = page.getByRole('region', { name: translationTexts.panel.title });
  await desk.title.fill('');
  await desk.text.fill('');
  await desk.saved();
  await expect(panel).toHaveCount(0);
  await desk.button(texts.editor.publish).focus();
  await page.keyboard.press('Enter');
  await expect(desk.title).toBeFocused();
  await expect(desk.title).toHaveAccessibleDescription(visitor.m.publish.titleField.missing);
  await expect(desk.text).toHaveAttribute('aria-invalid', 'true');
  await expect(visitor.notice(texts.editor.missingFields)).toBeVisible();
  await desk.title.fill('The heart');
  await desk.text.fill('Give 5 mg twice daily.');
  await expect(page.locator('[aria-invalid]')).toHaveCount(0);
  await expectNoSidewaysScroll(page);
  await expectAccessibleInBothThemes(page);

  const point = page.getByRole('button', { name: new RegExp(`^${texts.cover.focal}`) });
  await point.focus();
  await page.keyboard.press('ArrowLeft');
  await page.keyboard.press('Shift+ArrowUp');
  await expect(point).toHaveAccessibleName(`${texts.cover.focal}: ${texts.cover.focalAt(49, 40)}`);
  await expect(page.getByText(texts.cover.wholeInPost)).toBeVisible();
  // The other languages have a page of their own.
  await expect(panel).toContainText(translationTexts.panel.open(2));
  await page.getByRole('link', { name: /^German/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('article')).toHaveCount(2);
  await page.getByRole('link', { name: /^Original/ }).focus();
  await page.keyboard.press('Enter');
  await desk.button(texts.preview.action).focus();
  await page.keyboard.press('Enter');
  const link = await page.getByRole('dialog').getByLabel(texts.preview.link).inputValue();
  await page.keyboard.press('Escape');
  await expect(desk.button(texts.preview.action)).toBeFocused();

  const context = await browser.newContext({ baseURL: server.url });
  const stranger = await context.newPage();
  await stranger.goto(`${new URL(link).pathname}?lang=en`);
  await expect(stranger.getByRole('heading', { name: 'The heart' })).toBeVisible();
  await context.close();

  await desk.button(texts.editor.publish).focus();
  await page.keyboard.press('Enter');
  await expect(visitor.notice(texts.editor.published)).toBeVisible();
  const [post] = await rowsOf(server, `journal_posts?id=eq.${id}`);
  expect(JSON.parse(String(post?.cover)).focal).toEqual([49, 40]);
  expect(post).toMatchObject({ title: 'The heart', published: 1 });
  // The translations come behind it, and are released by themselves.
  await expect
    .poll(async () => (await rowsOf(server, `journal_posts?id=eq.${id}`))[0]?.title_de)
    .toBe(pseudoTranslate('The heart', 'de'));
  await expect(panel.getByText(translationTexts.panel.current)).toHaveCount(3);
});
