import { editor as german } from '../../../apps/journal/messages/de/editor.ts';
import { editor as words } from '../../../apps/journal/messages/en/editor.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../journal.ts';
import { signInOn, writePost } from '../people.ts';
import { expectConsoleErrors, pauseRequests, recordRequests } from '../traffic.ts';
import { callDesk, DeskPage, writeOnDesk } from './desk-page.ts';
import { pastedDocuments } from './pasted-documents.ts';
import { PASTED_MEANINGS } from './pasted-meanings.ts';

test('texts that are pasted from Word, Google Docs and other programs keep their structure', async ({
  page,
  journal,
}) => {
  test.setTimeout(300_000);
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  await desk.open(await writeOnDesk(journal.server, author, { draft: true }));
  const source = page.getByLabel(words.sourceLabel(visitor.m.publish.contentField.label));
  const toggle = page.getByRole('button', { name: words.source, exact: true });
  const back = page.getByRole('button', { name: words.fromSource });

  const lost: { name: string; wanted: string; got: string }[] = [];
  await toggle.click();
  for (const { name, html, text, markdown } of pastedDocuments()) {
    await source.fill('');
    await back.click();
    await desk.paste({ html, text });
    await toggle.click();
    const got = await source.inputValue();
    if (got !== markdown) lost.push({ name, wanted: markdown, got });
  }
  expect(lost).toEqual([]);
});

test('what is pasted keeps its doses: signs of fonts, superscripts and cells, and struck words are named, not pasted', async ({
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  await desk.open(await writeOnDesk(journal.server, author, { draft: true }));
  const source = page.getByLabel(words.sourceLabel(visitor.m.publish.contentField.label));
  const toggle = page.getByRole('button', { name: words.source, exact: true });
  const back = page.getByRole('button', { name: words.fromSource });
  const notice = page.locator('.notice').filter({ hasText: words.pasted.title });
  await toggle.click();

  const wrong: unknown[] = [];
  for (const { name, html = '', text = 'plain', markdown, named } of PASTED_MEANINGS) {
    await source.fill('');
    await back.click();
    await desk.paste({ html, text });
    if (named) {
      for (const part of named) await expect(notice, name).toContainText(part);
    } else await expect(notice, name).toHaveCount(0);
    await toggle.click();
    const got = await source.inputValue();
    if (got !== markdown) wrong.push({ name, wanted: markdown, got });
  }
  expect(wrong).toEqual([]);
});

test('the notice of what was left out stays until its author closes it', async ({ page, journal }) => {
  const { author, visitor } = await signInOn(page, journal.server, { language: 'de' });
  const desk = new DeskPage(visitor);
  await desk.open(await writeOnDesk(journal.server, author, { draft: true, content: 'First.' }));
  await desk.text.press('Control+a');
  await page.clock.install();
  await desk.paste({ html: '<p>Take <s>5 mg</s> 10 mg', text: '' });
  const notice = page.locator('.notice').filter({ hasText: german.pasted.title });
  await expect(notice).toContainText(`${german.pasted.struck} „5 mg“`);
  await expect(desk.text).toHaveText('Take 10 mg');
  await page.clock.runFor(60_000);
  await expect(notice).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: visitor.m.layout.closeNotice }).click();
  await page.clock.runFor(1_000);
  await expect(notice).toHaveCount(0);
});

test('a text is written by the keyboard alone, and what was typed can be taken back after a reload', async ({
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  await desk.open(await writeOnDesk(journal.server, author, { draft: true, content: 'First.' }));
  await desk.text.press('Control+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('## Dosage');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Take **5 mg** of it');
  await page.keyboard.press('Control+Alt+f');
  await page.keyboard.type('Daily.');
  await page.keyboard.press('Control+Alt+f');
  await page.keyboard.press('Enter');
  await page.keyboard.type('/warn');
  await expect(page.getByRole('option', { name: words.actions.warning })).toHaveAttribute(
    'aria-selected',
    'true',
  );
  await expectAccessible(page);
  await page.keyboard.press('Enter');
  await page.keyboard.type('No more.');
  await page.keyboard.press('Alt+F10');
  await expect(page.getByLabel(words.style)).toBeFocused();
  // The menu of the buttons is walked through by the arrows, and Escape leads out of it step by step.
  const insert = page.getByRole('button', { name: words.insert, exact: true });
  await insert.focus();
  await page.keyboard.press('Enter');
  await page.keyboard.press('ArrowDown');
  const menu = page.locator(':popover-open');
  await expect(menu.getByRole('button', { name: words.actions.heading2, exact: true })).toBeFocused();
  await page.keyboard.press('ArrowUp');
  await expect(menu.getByRole('button', { name: words.actions.code, exact: true })).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(menu).toHaveCount(0);
  await expect(insert).toBeFocused();
  await page.keyboard.press('Escape');
  await expect(desk.text).toBeFocused();
  await desk.saved();

  const toggle = page.getByRole('button', { name: words.source, exact: true });
  const source = page.getByLabel(words.sourceLabel(visitor.m.publish.contentField.label));
  await toggle.click();
  await expect(source).toHaveValue(
    'First.\n\n## Dosage\n\nTake **5 mg** of it[^1]\n\n:::warning\nNo more.\n:::\n\n[^1]: Daily.',
  );

  await page.reload();
  await expect(desk.text).toContainText('No more.');
  await desk.text.press('Control+z');
  await expect(desk.text).not.toContainText('No more.');
  await desk.text.press('Control+Shift+z');
  await expect(desk.text).toContainText('No more.');

  // The end of the text is before its footnotes. Behind the last cell of a table, Tab makes a row.
  await desk.text.press('Control+Home');
  await page.keyboard.press('Control+End');
  await page.keyboard.type('/ta');
  await page.keyboard.press('Enter');
  await page.keyboard.type('first');
  for (let cell = 1; cell <= 9; cell += 1) await page.keyboard.press('Tab');
  await page.keyboard.type('القلب');
  await expect(desk.text.getByRole('cell', { name: 'القلب' })).toHaveCSS('direction', 'rtl');
  await toggle.click();
  await expect(source).toHaveValue(
    /\| first \|[^\n]*\n\| - [^\n]*\n(?:[^\n]*\n){2}\| القلب \|[^\n]*\n\n\[\^1\]: Daily\.$/,
  );
});

test('words that are typed before the editor is there go on in it where they were typed', async ({
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const content = '## Dosage\n\nTake **mg**[^1] daily.\n\n[^1]: Harvey.';
  const id = await writeOnDesk(journal.server, author, { draft: true, content, contentFormat: 'markdown' });
  const area = page.getByRole('textbox', { name: visitor.m.publish.contentField.label, exact: true });
  const editor = await pauseRequests(page, /\/assets\/editor-field-[^/]+\.js/, 'GET');
  const reads: string[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/desk/journal/posts/${id}`)) reads.push(request.method());
  });
  await page.goto(`/admin/posts/${id}?lang=en`);
  await editor.paused;
  await expect(area).toHaveValue(content);
  await area.evaluate((element: HTMLTextAreaElement) => {
    const place = element.value.indexOf('mg');
    element.focus();
    element.setSelectionRange(place, place);
  });
  await page.keyboard.type('50');
  // The post was asked for once.
  expect(reads.filter((method) => method === 'GET')).toEqual(['GET']);
  editor.release();
  await expect(desk.text).toBeFocused();
  await page.keyboard.type('0 ');
  await expect(desk.text.locator('strong')).toHaveText('500 mg');
  await expect(desk.text.getByRole('heading', { name: 'Dosage' })).toBeVisible();
  const stored = async () =>
    (await callDesk(journal.server, author, { method: 'GET', path: `posts/${id}` })).document;
  const written = { content: content.replace('mg', '500 mg'), contentFormat: 'markdown' };
  await expect.poll(stored).toMatchObject(written);
});

test('a text with the line breaks of Windows stays as it is when it is opened', async ({ page, journal }) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const content = 'First.\r\nSecond.\r\n\r\nThird.';
  const id = await writeOnDesk(journal.server, author, { content });
  const read = () => callDesk(journal.server, author, { method: 'GET', path: `posts/${id}` });
  const opened = await read();
  expect(opened.document.content).toBe(content);
  const saves: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PUT') saves.push(request.url());
  });
  await desk.open(id);
  await desk.text.press('Control+End');
  // What is not saved yet would be when the desk is left.
  await page.getByRole('link', { name: visitor.m.layout.posts, exact: true }).last().click();
  await expect(page).toHaveURL(/\/admin\/posts(\?|$)/);
  await expect(page.getByRole('link', { name: opened.document.title })).toBeVisible();
  expect(saves).toEqual([]);
  expect((await read()).version).toBe(opened.version);
});

test('a word of 100,000 letters and a text of 100,000 words stay in the editor, counted, and can be worked on', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const id = await writeOnDesk(journal.server, author, { draft: true, content: 'First.' });
  await desk.open(id);
  const paste = (text: string) => desk.paste({ text });
  const stored = async () =>
    (await callDesk(journal.server, author, { method: 'GET', path: `posts/${id}` })).document.content;

  await desk.text.press('Control+End');
  const saved = page.waitForResponse(
    (response) => response.request().method() === 'PUT' && response.url().endsWith(`/posts/${id}`),
  );
  await paste('x'.repeat(100_000));
  await expect(page.getByText('6 characters too many: please shorten this to 100,000.')).toBeVisible();
  expect((await saved).status(), 'the server takes no text that is too long').toBe(400);
  for (let letter = 0; letter < 6; letter += 1) await desk.text.press('Backspace');
  await expect(page.getByText('100,000 of 100,000 characters')).toBeVisible();
  await expect.poll(stored).toBe(`First.${'x'.repeat(99_994)}`);
  await desk.saved();
  expectConsoleErrors(consoleErrors, /status of 400/);

  // The server would refuse the longer text as well, at times that nobody knows: what is sent from here on stays under way.
  await pauseRequests(page, /\/posts\/[^/]+$/, 'PUT');

  const text = Array.from({ length: 1_000 }, (_, at) => `${at} ${'heart '.repeat(99)}`.trim()).join('\n\n');
  await desk.text.press('Control+a');
  await paste(text);
  await expect(page.getByText(/^[\d,]+ characters too many/)).toHaveClass(/text-accent/);
  await page.keyboard.type(' END');
  await desk.text.press('Control+Home');
  const isAtStart = () => {
    const { anchorNode, anchorOffset } = window.getSelection() ?? {};
    return anchorOffset === 0 && (anchorNode?.textContent?.startsWith('0 heart') ?? false);
  };
  await expect.poll(() => page.evaluate(isAtStart)).toBe(true);
  await page.keyboard.type('START ');
  await expect(desk.text.locator('p').first()).toContainText('START 0 heart');
  await page.getByRole('button', { name: words.source, exact: true }).click();
  await expect(page.getByLabel(words.sourceLabel(visitor.m.publish.contentField.label))).toHaveValue(
    `START ${text} END`,
  );
});

test('on a phone, the buttons of the editor show that there are more of them, and the keyboard reaches all', async ({
  page,
  journal,
}) => {
  await page.setViewportSize({ width: 360, height: 740 });
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const content = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join('\n\n');
  await desk.open(await writeOnDesk(journal.server, author, { draft: true, content }));
  const toolbar = page.getByRole('toolbar', { name: words.toolbar });
  const more = toolbar.locator('button[aria-hidden=true]');
  await expect(more).toHaveCount(1);
  await desk.text.press('Alt+F10');
  await page.keyboard.press('ArrowLeft');
  const last = toolbar.getByRole('button', { name: words.help });
  await expect(last).toBeFocused();
  await expect(last).toBeInViewport({ ratio: 1 });
  await expect(more).toHaveCount(1);
  await more.click();
  await expect(last).not.toBeInViewport({ ratio: 0.9 });
  // What is typed is neither below the bar of the desk nor below the buttons.
  const isInSight = () =>
    page.evaluate(() => {
      const { left, top, height } = getSelection()?.getRangeAt(0).getBoundingClientRect() ?? new DOMRect();
      return document.elementFromPoint(left - 1, top + height / 2)?.closest('.edited-text') != null;
    });
  for (const end of ['Control+End', 'Control+Home']) {
    await desk.text.press(end);
    await page.keyboard.type('Typed here');
    await expect.poll(isInSight, end).toBe(true);
  }
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
});

test('an author who corrects one reference changes nothing else of what other programs have stored', async ({
  page,
  journal: { server },
}) => {
  const { author, visitor } = await signInOn(page, server);
  const desk = new DeskPage(visitor);
  const untouched = {
    ...{ id: 'king1963', type: 'speech', title: 'Letter', volume: 1, issued: { toString: 1 } },
    author: [{ family: 'King', given: 'Martin Luther', suffix: 'Jr.' }],
    accessed: { raw: '3 May 2001' },
  };
  const edited = {
    ...{ id: 'beethoven1803', type: 'musical_score', title: 'Kreuzer', note: 'For Ann' },
    author: [
      { family: 'Beethoven', given: 'Ludwig', 'non-dropping-particle': 'van' },
      { family: 'Bridgetower', given: 'George', ORCID: 'https://orcid.org/0000-0002-1825-0097' },
    ],
    issued: { 'date-parts': [[1803], [1805]], circa: true },
  };
  const id = await writeOnDesk(server, author, { draft: true, sources: [untouched, edited] });
  await desk.open(id);
  await page.getByRole('button', { name: words.insert, exact: true }).click();
  await page.locator(':popover-open').getByRole('button', { name: words.actions.reference }).click();
  const dialog = page.getByRole('dialog');
  const item = dialog.getByRole('listitem').filter({ hasText: 'Kreuzer' });
  await item.getByRole('button', { name: words.reference.edit }).click();
  await dialog.getByLabel(words.reference.fields.title, { exact: true }).fill('Kreutzer');
  const authors = dialog.getByLabel(words.reference.fields.authors);
  await expect(authors).toHaveValue('Beethoven, Ludwig\nBridgetower, George');
  await authors.fill('Bridgetower, George\nBeethoven, Ludwig\nKreutzer, Rodolphe');
  await expectAccessible(page);
  await dialog.getByRole('button', { name: words.save }).click();
  await expect(dialog.getByText('Kreutzer')).toBeVisible();
  const stored = async () =>
    (await callDesk(server, author, { method: 'GET', path: `posts/${id}` })).document.sources;
  // A name that stays keeps what is not shown of it, wherever it stands then.
  const written = [...edited.author.toReversed(), { family: 'Kreutzer', given: 'Rodolphe' }];
  await expect.poll(stored).toEqual([untouched, { ...edited, title: 'Kreutzer', author: written }]);
});

const MARKDOWN = [
  '## Dosage',
  'Take **5 mg**[^1], as shown :cite[harvey1628].',
  ':::warning\nNo more than 10 mg.\n:::',
  '- القلب\n- الرئة',
  `| Drug | Dose | Route | Frequency | Remarks for practitioners |\n| - | - | - | - | - |\n| ${'Acetylsalicylic-acid | '.repeat(5)}`,
  '[^1]: Daily.',
].join('\n\n');

test('readers without a script follow footnotes and references forwards and back', async ({
  browser,
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const sources = JSON.stringify([
    {
      id: 'harvey1628',
      type: 'book',
      title: 'De motu cordis',
      author: [{ family: 'Harvey', given: 'William' }],
      language: 'la',
    },
  ]);
  const id = await writePost(journal.server, author, {
    content: MARKDOWN,
    content_en: MARKDOWN,
    content_format: 'markdown',
    sources,
  });
  const context = await browser.newContext({
    javaScriptEnabled: false,
    baseURL: journal.server.url,
    viewport: { width: 360, height: 740 },
  });
  const reader = await context.newPage();
  await reader.goto(`/post/${id}?lang=en`);
  await reader.getByLabel('Footnote 1', { exact: true }).click();
  await expect(reader).toHaveURL(/#fn-1$/);
  await reader.getByLabel('Back to footnote 1 in the text').click();
  await expect(reader).toHaveURL(/#fnref-1-1$/);
  await reader.getByLabel('Reference 1', { exact: true }).click();
  await expect(reader.locator('#ref-1')).toContainText('Harvey W. De motu cordis.');
  await expect(reader.locator('#ref-1 [lang=la]')).toHaveText('De motu cordis.');
  await expect(reader.locator('meta[name=description]')).toHaveAttribute(
    'content',
    /^Dosage Take 5 mg, as shown \./,
  );
  await expect(reader.locator('article ul').filter({ hasText: 'القلب' })).toHaveCSS('direction', 'rtl');
  await context.close();

  const scripts = recordRequests(page, (request) => request.resourceType() === 'script');
  await page.setViewportSize({ width: 360, height: 740 });
  // The text stays on the page while the code for it is loading, also once the page knows who reads it.
  const { promise: arrived, resolve: arrive } = Promise.withResolvers<void>();
  await page.route(/post-text/, async (route) => {
    await arrived;
    await route.continue();
  });
  await page.goto(`/post/${id}?lang=en`, { waitUntil: 'commit' });
  await expect(page.getByRole('button', { name: visitor.m.post.delete.open })).toBeVisible();
  await expect(page.getByRole('note', { name: 'Warning' })).toContainText('No more than 10 mg.', {
    timeout: 1,
  });
  arrive();
  await visitor.hydrated();
  await expectNoSidewaysScroll(page);
  await expectAccessible(page);
  const names = scripts.map((request) => request.url());
  expect(
    names.filter((url) => /editor|parse|read-text|directive/.test(url)),
    'no editor and no parser',
  ).toEqual([]);
});
