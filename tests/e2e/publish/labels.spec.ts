import { translationDesk } from '../../../apps/journal/messages/en/translation-desk.ts';
import { DeskPage, texts } from '../desk/desk-page.ts';
import { expect, test } from '../journal.ts';
import { rowsOf, signInOn } from '../people.ts';
import { Visitor } from '../steps.ts';

test.afterEach(({ journal }) => journal.provider.reset());

const CONTENT = 'The heart is a muscle of the body.\n\nTake 5 mg with water in the morning.';

test('what Create Post translates is a machine’s for its readers, and a dose that is added later reaches them', async ({
  page,
  journal: { server },
}) => {
  const { visitor } = await signInOn(page, server);
  await visitor.open('/admin');
  await visitor.fillPost('The heart of the body', CONTENT);
  await visitor.publishButton.click();
  await expect(page).toHaveURL(/\/gallery/);
  const [post] = await rowsOf(server, 'journal_posts?title=eq.The heart of the body');
  const id = String(post?.id);

  const reader = new Visitor(page, 'de');
  await reader.open(`/post/${id}`);
  const label = page.getByRole('note').first();
  await expect(label).toContainText('Maschinell übersetzt, nicht geprüft.');
  await expect(label).not.toContainText('Menschen');

  const desk = new DeskPage(visitor);
  await desk.open(id);
  await desk.text.press('ControlOrMeta+End');
  await page.keyboard.press('Enter');
  await page.keyboard.type('Take 60 mg in summer.');
  await desk.saved();
  await expect(page.getByText(translationDesk.panel.open(1)).first()).toBeVisible();
  await desk.button(texts.editor.publishChanges).click();
  const german = async () => String((await rowsOf(server, `journal_posts?id=eq.${id}`))[0]?.content_de);
  await expect.poll(german).toContain('60 mg');
  expect(await german()).toContain('5 mg');
  await reader.open(`/post/${id}`);
  await expect(page.getByRole('article')).toContainText('60 mg');
  await expect(label).toContainText('Maschinell übersetzt, nicht geprüft.');
  await expect(label).not.toContainText('Original wurde seither geändert');
});
