import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { translationDesk as translationTexts } from '../../../apps/journal/messages/en/translation-desk.ts';
import { expect, expectAccessibleInBothThemes, expectNoSidewaysScroll, test } from '../journal.ts';
import { giveRole, rowsOf, signInOn } from '../people.ts';
import { PASSWORD, type Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';
import { texts, writeOnDesk } from './desk-page.ts';

/** The list of posts, and what each role finds. */

let author: Author;
let visitor: Visitor;

test.beforeEach(async ({ page, journal }) => {
  ({ author, visitor } = await signInOn(page, journal.server));
});

test('an author finds, unpublishes and deletes several posts at once', async ({ page, journal }) => {
  const { server } = journal;
  const ids = [
    await writeOnDesk(server, author, { title: 'The heart' }),
    await writeOnDesk(server, author, { title: 'The lungs' }),
    await writeOnDesk(server, author, { title: 'Die Niere', language: 'de', draft: true }),
  ];
  const stranger = await signUp(server, 'Grace Hopper');
  await writeOnDesk(server, stranger, { title: 'The skin' });
  await visitor.open('/admin/posts');
  const titles = page.getByRole('main').getByRole('listitem').getByRole('link');
  await expect(titles).toHaveText(['Die Niere', 'The lungs', 'The heart']);
  await expect(titles.first()).toHaveAttribute('lang', 'de');
  await expect(titles.last()).not.toHaveAttribute('lang');
  await expectAccessibleInBothThemes(page);

  await page.getByRole('searchbox', { name: texts.posts.search }).fill('LUNG');
  await expect(titles).toHaveText(['The lungs']);
  await page.getByRole('searchbox', { name: texts.posts.search }).fill('no such post');
  // Both at once: the second does not wait for the page of the first.
  const reset = await page.getByRole('button', { name: texts.posts.noMatch.reset }).elementHandle();
  await page.getByLabel(texts.posts.state).evaluate((select: HTMLSelectElement, button) => {
    (button as HTMLElement | null)?.click();
    select.value = 'published';
    select.dispatchEvent(new Event('change', { bubbles: true }));
  }, reset);
  await expect(titles).toHaveText(['The lungs', 'The heart']);
  await expect(page).toHaveURL(/state=published/);

  await expect(page.getByLabel(texts.posts.language).locator('option')).toHaveText([
    texts.posts.anyLanguage,
    'English',
    'Spanish',
    'French',
    'German',
  ]);
  await page.getByRole('checkbox', { name: texts.posts.select('The heart') }).check();
  await page.getByRole('button', { name: texts.posts.unpublish.action, exact: true }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Readers will not find it any more.');
  await page.getByRole('alertdialog').getByRole('button', { name: texts.posts.cancel }).click();
  await page.getByRole('checkbox', { name: texts.posts.selectAll }).check();
  await page.getByRole('button', { name: texts.posts.unpublish.action, exact: true }).click();
  const question = page.getByRole('alertdialog');
  await question.getByRole('button', { name: texts.posts.unpublish.action }).click();
  await expect(visitor.notice(texts.posts.unpublish.done(2))).toBeVisible();
  await expect(titles).toHaveCount(0);
  const rows = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(rows.map(({ published }) => published)).toEqual([0, 0]);

  await page.getByLabel(texts.posts.state).selectOption('');
  await page.getByRole('checkbox', { name: texts.posts.select('Die Niere') }).check();
  await page.getByRole('checkbox', { name: texts.posts.select('The lungs') }).check();
  await page.setViewportSize({ width: 360, height: 780 });
  await expectNoSidewaysScroll(page);
  await page.getByRole('button', { name: texts.posts.delete.action, exact: true }).click();
  await question.getByRole('button', { name: texts.posts.cancel }).click();
  await page.getByRole('button', { name: texts.posts.delete.action, exact: true }).click();
  await question.getByRole('button', { name: texts.posts.delete.action }).click();
  await expect(titles).toHaveText(['The heart']);
  const left = await rowsOf(server, `journal_posts?user_id=eq.${author.id}`);
  expect(left.map(({ id }) => id)).toEqual([ids[0]]);
});

test('a long title of the create page is shown whole, and what goes to the desk is a draft in the list', async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await visitor.open('/admin');
  const title = page.getByLabel(visitor.m.publish.titleField.label);
  // It stays one line of text, behind which is the text.
  await title.fill(`${'The vessels of the crown '.repeat(4)}\nand the heart`);
  await expect(title).toHaveValue(`${'The vessels of the crown '.repeat(4).trim()} and the heart`);
  const hidden = await title.evaluate((field) => [
    field.scrollWidth - field.clientWidth,
    Math.max(2, field.scrollHeight - field.clientHeight),
  ]);
  expect(hidden).toEqual([0, 2]);
  await title.press('Enter');
  await expect(visitor.medicalText).toBeFocused();
  await title.fill('Begun on a phone');
  await page.getByRole('button', { name: visitor.m.publish.desk.action }).click();
  await expect(page).toHaveURL(/\/admin\/posts\/post_/);
  const { publish } = visitor.m;
  await page.getByRole('button', { name: texts.editor.publish, exact: true }).click();
  await expect(visitor.postText, 'the first field that is missing').toBeFocused();
  await expect(visitor.postText).toHaveAccessibleDescription(publish.contentField.missing);
  await expect(page.getByLabel(texts.cover.choose)).toHaveAccessibleDescription(publish.image.missing);
  await page.setViewportSize({ width: 1280, height: 720 });
  await visitor.open('/admin/posts');
  await expect(page.getByRole('link', { name: 'Begun on a phone' })).toBeVisible();
});

test('an admin gives roles with a proof, and an editor edits the posts of all', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  const stranger = await signUp(server, 'Grace Hopper');
  const id = await writeOnDesk(server, stranger, { title: 'The skin' });
  // Authors read the terms, and write none.
  await visitor.open('/admin/terms');
  await expect(page.getByRole('heading', { name: translationTexts.terms.title, level: 1 })).toBeVisible();
  await expect(page.getByRole('button', { name: translationTexts.terms.add })).toHaveCount(0);
  await giveRole(server, author, 'admin');
  await visitor.open('/admin/people');
  await page.getByRole('searchbox', { name: texts.people.search }).fill(author.email);
  const own = page.getByLabel(texts.people.role('Dr Ada Byron'), { exact: true });
  await expect(own).toHaveCount(1);
  await expectAccessibleInBothThemes(page);
  await page.getByRole('searchbox', { name: texts.people.search }).fill(stranger.email);
  await page.getByLabel(texts.people.role('Grace Hopper')).selectOption('admin');
  const dialog = page.getByRole('dialog', { name: texts.people.otherRole.title('Grace Hopper') });
  await expect(dialog).toContainText(texts.people.otherRole.text(texts.people.roles.admin));
  await dialog.getByRole('button', { name: texts.people.otherRole.confirm }).click();
  const password = dialog.getByLabel(visitor.m.account.password.old);
  await expect(password).toBeFocused();
  await password.fill('not the password');
  await password.press('Enter');
  await expect(password).toHaveAccessibleDescription(visitor.m.account.password.oldWrong);
  await expectAccessibleInBothThemes(page);
  await expect(page.getByLabel(texts.people.role('Grace Hopper'), { exact: true })).toHaveValue('author');
  await password.fill(PASSWORD);
  await password.press('Enter');
  await expect(visitor.notice(texts.people.changed('Grace Hopper', texts.people.roles.admin))).toBeVisible();
  await page.getByRole('searchbox', { name: texts.people.search }).fill(author.email);
  await own.selectOption('editor');
  const question = page.getByRole('dialog', { name: texts.people.ownRole.title });
  await question.getByRole('button', { name: texts.people.ownRole.confirm }).click();
  await question.getByLabel(visitor.m.account.password.old).fill(PASSWORD);
  await question.getByRole('button', { name: texts.people.ownRole.confirm }).click();
  await expect(visitor.notice(texts.people.changed('Dr Ada Byron', texts.people.roles.editor))).toBeVisible();
  expectConsoleErrors(consoleErrors, /status of 401/);

  await visitor.open(`/post/${id}`);
  await page.getByRole('link', { name: visitor.m.post.edit, exact: true }).click();
  await expect(page.getByLabel(visitor.m.publish.titleField.label, { exact: true })).toHaveValue('The skin');
});
