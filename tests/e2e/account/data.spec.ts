import { readFile } from 'node:fs/promises';
import { type Author, signIn } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { replaceSession, rowsOf, writeComment, writePost } from '../people.ts';
import { PASSWORD, type Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests, recordRequests } from '../traffic.ts';
import {
  AUTH_CALLS,
  accountSection,
  codeOf,
  handedOver,
  nextMail,
  openAccount,
  refreshStatus,
  waitForWelcome,
} from './account-page.ts';

let author: Author;
let visitor: Visitor;

test('all data of an account can be downloaded as a file', async ({ page, journal, consoleErrors }) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { data: texts } = visitor.m.account;
  const postId = await writePost(journal.server, author);
  await writeComment(author, postId, 'A remark of mine.');
  const part = accountSection(visitor, 'data');
  const button = part.getByRole('button', { name: texts.export });
  const restore = await failRequests(page, AUTH_CALLS.export, 'POST');
  await button.click();
  await expect(part.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  const [download] = await Promise.all([page.waitForEvent('download'), button.click()]);
  expect(download.suggestedFilename()).toMatch(/^fabrica-\d{4}-\d\d-\d\d\.json$/);
  await expect(part.getByRole('status').filter({ hasText: texts.exported })).toBeVisible();
  const text = await readFile(await download.path(), 'utf8');
  expect(JSON.parse(text)).toBeInstanceOf(Object);
  for (const kept of [author.email, 'Dr Ada Byron', postId, 'A remark of mine.']) {
    expect(text).toContain(kept);
  }
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('an account is deleted only after its e-mail address was typed, and its data is removed', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await openAccount(page, server));
  const { delete: texts } = visitor.m.account.data;
  const postId = await writePost(server, author);
  const elsewhere = await writePost(server, { id: 'user_other' });
  const commentId = await writeComment(author, elsewhere, 'It stays.');
  const deletions = recordRequests(page, (request) => request.method() === 'DELETE');
  await page.evaluate((id) => localStorage.setItem(`fabrica_draft_${id}`, '{"title":"Mine"}'), author.id);

  const open = accountSection(visitor, 'data').getByRole('button', { name: texts.open });
  const dialog = page.getByRole('alertdialog', { name: texts.title });
  const typed = dialog.getByLabel(texts.email(author.email));
  const confirm = dialog.getByRole('button', { name: texts.confirm });
  await open.click();
  await expect(dialog).toContainText(texts.consequence);
  await expect(typed).toBeFocused();
  await typed.fill('somebody@example.org');
  await confirm.click();
  await expect(typed).toHaveAccessibleDescription(texts.emailWrong);
  await expect(typed).toBeFocused();
  await expectAccessible(page);
  await dialog.getByRole('button', { name: visitor.m.account.cancel }).click();
  await expect(open).toBeFocused();
  expect(deletions).toEqual([]);

  await open.click();
  await typed.fill(author.email.toUpperCase());
  const restore = await failRequests(page, AUTH_CALLS.account, 'DELETE');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await expect(typed).toHaveValue(author.email.toUpperCase());
  await restore();
  await confirm.click();
  await expect(visitor.notice(texts.done)).toBeVisible();
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
  expect(await page.evaluate(() => Object.keys(localStorage))).not.toContain(`fabrica_draft_${author.id}`);

  expect((await signIn(server, author.email)).status).toBe(401);
  expect(await refreshStatus(server, author.session)).toBe(401);
  expect(await rowsOf(server, `journal_posts?id=eq.${postId}`)).toEqual([]);
  expect(await rowsOf(server, `profiles?id=eq.${author.id}`)).toEqual([]);
  expect(await rowsOf(server, `post_comments?id=eq.${commentId}`)).toMatchObject([
    { content: 'It stays.', user_name: 'Anonymous' },
  ]);
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});

test('download and deletion ask for the password or a mailed code unless one has just signed in', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await openAccount(page, server, 'de'));
  const { data: texts, password, proof } = visitor.m.account;
  let mails = await waitForWelcome(server, author);
  await replaceSession(page, await handedOver(server, author));
  await page.reload();
  const part = accountSection(visitor, 'data');
  const download = part.getByRole('button', { name: texts.export });
  const typed = part.getByLabel(password.old, { exact: true });
  await download.click();
  await expect(part.getByRole('alert')).toHaveText(proof.lead);
  await expect(typed).toBeFocused();
  await download.click();
  await expect(typed).toHaveAccessibleDescription(visitor.m.signIn.passwordMissing);
  await typed.fill('not the passphrase');
  await download.click();
  await expect(typed).toHaveAccessibleDescription(password.oldWrong);
  await expectAccessible(page);
  await typed.fill(PASSWORD);
  await Promise.all([page.waitForEvent('download'), download.click()]);
  expect((await nextMail(server, author, mails)).subject).toMatch(/downloaded/);

  mails = (await server.mailsTo(author.email)).length;
  await part.getByRole('button', { name: texts.delete.open }).click();
  const dialog = page.getByRole('alertdialog', { name: texts.delete.title });
  const confirm = dialog.getByRole('button', { name: texts.delete.confirm });
  await dialog.getByLabel(texts.delete.email(author.email)).fill(author.email);
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(proof.lead);
  await dialog.getByRole('button', { name: visitor.m.authMail.send.code }).click();
  const code = codeOf(await nextMail(server, author, mails));
  await expectAccessible(page);
  await dialog.getByLabel(visitor.m.authMail.code.label).fill(code);
  await confirm.click();
  await expect(page).toHaveURL(/\/gallery$/);
  expect((await nextMail(server, author, mails + 1)).subject).toMatch(/deleted/);
  expect((await signIn(server, author.email)).status).toBe(401);
  expectConsoleErrors(consoleErrors, /status of 401/);
});
