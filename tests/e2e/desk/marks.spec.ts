import { editor as editorTexts } from '../../../apps/journal/messages/en/editor.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { rowsOf, signInOn } from '../people.ts';
import { DeskPage, texts, writeOnDesk } from './desk-page.ts';

test('an author places marks by pointer and by keys, ties words to one, and readers get both', async ({
  page,
  journal,
}) => {
  const { author, visitor } = await signInOn(page, journal.server);
  const desk = new DeskPage(visitor);
  const id = await writeOnDesk(journal.server, author);
  await visitor.open(`/admin/posts/${id}`);
  await page.getByText(texts.fields.marks, { exact: true }).click();

  await desk.button(texts.marks.add.point).click();
  const point = page.getByRole('button', { name: texts.marks.at('a', 50, 50) });
  const from = await point.boundingBox();
  const picture = await point.locator('xpath=../..').locator('img').boundingBox();
  if (!from || !picture) throw new Error('The mark is nowhere.');
  const [x, y] = [from.x + from.width / 2, from.y + from.height / 2];
  await page.mouse.move(x, y);
  await page.mouse.down();
  await page.mouse.move(x - picture.width / 4, y + picture.height / 10);
  await page.mouse.up();
  const moved = page.getByRole('button', {
    name: /^Mark a, 2[4-7] % from the left, (59|60|61) % from the top$/,
  });
  await expect(moved).toBeVisible();

  await desk.button(texts.marks.add.box).click();
  const box = page.getByRole('button', { name: texts.marks.at('b', 54, 54) });
  await box.press('Shift+ArrowLeft');
  await page.getByRole('button', { name: texts.marks.at('b', 49, 54) }).press('Alt+Shift+ArrowRight');
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
  expect(marks).toHaveLength(2);
  expect(marks[0].body).toEqual([
    { type: 'TextualBody', language: 'en', value: 'The <script>left</script> ventricle.' },
  ]);
  expect(marks[1].target.selector.value).toContain('<rect x="39" y="44" width="25" height="20"/>');

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
