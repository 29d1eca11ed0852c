import { signUp } from '@fabrica/test-peers/author.ts';
import { editor as editorTexts } from '../../../apps/journal/messages/en/editor.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { rowsOf, setSession, signInOn } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';
import { callDesk, DeskPage, texts, writeOnDesk } from './desk-page.ts';

test('an author places marks by pointer and by keys, ties words to one, and readers get both', async ({
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const id = await writeOnDesk(journal.server, author);
  await visitor.open(`/admin/posts/${id}`);
  await page.getByText(texts.fields.marks, { exact: true }).click();

  const picture = page.getByRole('group', { name: texts.fields.marks }).locator('img');
  const placeOf = async (across: number, down: number) => {
    const box = await picture.boundingBox();
    if (!box) throw new Error('There is no picture.');
    return [box.x + (box.width * across) / 100, box.y + (box.height * down) / 100] as const;
  };
  /** Draws over the picture, from place to place in percent. */
  const draw = async (...places: readonly (readonly [number, number])[]) => {
    await picture.scrollIntoViewIfNeeded();
    for (const [at, place] of places.entries()) {
      await page.mouse.move(...(await placeOf(...place)));
      if (at === 0) await page.mouse.down();
    }
    await page.mouse.up();
  };

  // A press places a point, and a drag moves it.
  await desk.button(texts.marks.add.point).click();
  await expect(page.getByText(texts.marks.place.point)).toBeVisible();
  await draw([50, 50]);
  await draw([50, 50], [25, 60]);
  const moved = page.getByRole('button', {
    name: /^Mark a, 2[4-6] % from the left, (59|60|61) % from the top$/,
  });
  await expect(moved).toBeVisible();

  // By keys a mark begins in the middle, and is moved and made larger.
  await desk.button(texts.marks.add.box).press('Enter');
  const box = page.getByRole('button', { name: texts.marks.at('b', 54, 54) });
  await box.press('Shift+ArrowLeft');
  await page.getByRole('button', { name: texts.marks.at('b', 49, 54) }).press('Alt+Shift+ArrowRight');

  // An outline is drawn, and keys add, remove and move its corners.
  await desk.button(texts.marks.add.outline).click();
  await draw([70, 10], [80, 10], [80, 20], [75, 28], [70, 20]);
  const corner = (at: number, count: number) =>
    page.getByRole('button', { name: texts.marks.corner('c', at, count), exact: true });
  await corner(2, 5).press('+');
  await corner(2, 6).press('Delete');
  await corner(1, 5).press('ArrowLeft');
  await expect(corner(1, 5)).toBeFocused();
  await page.getByLabel(texts.marks.note('a')).fill('The <script>left</script> ventricle.');
  await expectAccessibleInBothThemes(page);

  await desk.text.press('ControlOrMeta+a');
  await page.getByLabel(editorTexts.tieToMark).selectOption('b');
  await expect(desk.text.locator('.passage[data-mark=b]')).toBeVisible();
  await expect(page.getByText(texts.marks.inText)).toBeVisible();
  await desk.saved();
  await desk.button(texts.editor.publishChanges).click();
  await expect(visitor.notice(texts.editor.published)).toBeVisible();

  const [row] = await rowsOf(journal.server, `journal_posts?id=eq.${id}`);
  expect(String(row?.content)).toMatch(/^:mark\[.+\]\{#b\}/s);
  const { marks } = JSON.parse(String(row?.cover));
  expect(marks).toHaveLength(3);
  expect(marks[0].body).toEqual([
    { type: 'TextualBody', language: 'en', value: 'The <script>left</script> ventricle.' },
  ]);
  expect(marks[1].target.selector.value).toContain('<rect x="39" y="44" width="25" height="20"/>');
  expect(marks[2].target.selector.value).toMatch(/<polygon points="6[89][^ ]*,1[01][^ ]*(?: [^ ]+){4}"/);

  await visitor.open(`/post/${id}`);
  await expect(page.locator('.passage[data-mark=b]')).toBeVisible();
  await expect(page.getByText('The <script>left</script> ventricle.').first()).toBeVisible();

  await visitor.open(`/admin/posts/${id}`);
  await page.getByText(texts.fields.marks, { exact: true }).click();
  await moved.press('Delete');
  await expect(moved).toHaveCount(0);
  await page.getByRole('button', { name: texts.marks.remove('b') }).click();
  await expect(page.getByText(texts.marks.loose('b'))).toBeVisible();
  await page.setViewportSize({ width: 360, height: 740 });
  await expectNoSidewaysScroll(page);
});

test('of two people who mark one picture at once, both keep their marks', async ({
  browser,
  page,
  journal: { server },
  consoleErrors,
}) => {
  const { author, visitor } = await signInOn(page, server);
  const second = await signUp(server, 'Grace Hopper');
  const byline = [author, second].map(({ id: userId }, at) => ({
    ...{ name: at === 0 ? 'Ada Byron' : 'Grace Hopper', role: 'author' as const, userId },
  }));
  const id = await writeOnDesk(server, author, { byline, draft: true });
  const context = await browser.newContext({ baseURL: server.url });
  const otherPage = await context.newPage();
  await setSession(otherPage, second, server);
  const [desk, other] = [new DeskPage(visitor), new DeskPage(new Visitor(otherPage))];
  for (const each of [desk, other]) {
    await each.visitor.open(`/admin/posts/${id}`);
    await each.page.getByText(texts.fields.marks, { exact: true }).click();
  }
  for (const [each, key] of [
    [other, 'ArrowLeft'],
    [desk, 'ArrowRight'],
  ] as const) {
    await each.button(texts.marks.add.point).press('Enter');
    await each.page.getByRole('button', { name: /^Mark a, / }).press(`Shift+${key}`);
    if (each === other) await each.saved();
  }
  await desk.button(texts.conflict.together).click();
  await desk.button(texts.conflict.save).click();
  await desk.saved();
  const { document } = await callDesk(server, author, { method: 'GET', path: `posts/${id}` });
  const places = document.cover.marks.map(({ id: letter, target }: { id: string; target: unknown }) => [
    letter,
    JSON.stringify(target).match(/cx=."(\d+)/)?.[1],
  ]);
  expect(places).toEqual([
    ['a', '55'],
    ['b', '45'],
  ]);
  await context.close();
  expectConsoleErrors(consoleErrors, /status of 412/);
});
