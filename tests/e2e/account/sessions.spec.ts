import type { Author } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { replaceSession, signInOn } from '../people.ts';
import { PASSWORD, type Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests } from '../traffic.ts';
import {
  AUTH_CALLS,
  accountSection,
  callAuth,
  handedOver,
  openAccount,
  otherDevice,
  refreshStatus,
} from './account-page.ts';

let author: Author;
let visitor: Visitor;

test('the sessions are listed by device, at a second try too, and one of another device can be ended', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await signInOn(page, server));
  const other = await otherDevice(server, author);
  const third = await otherDevice(server, author);
  const { sessions: texts } = visitor.m.account;
  const restoreList = await failRequests(page, AUTH_CALLS.sessions, 'GET');
  await visitor.open('/account');
  const part = accountSection(visitor, 'sessions');
  await expect(part.getByRole('alert')).toHaveText(texts.loadFailed);
  await restoreList();
  await part.getByRole('button', { name: visitor.m.layout.tryAgain }).click();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /Network error/);
  const items = part.getByRole('listitem');
  const ends = part.getByRole('button', { name: texts.endOn('Firefox, Windows') });
  await expect(items).toHaveCount(3);
  await expect(items.first()).toContainText(texts.thisOne);
  await expect(items.first().getByRole('button')).toHaveCount(0);
  await expect(items.nth(1)).toContainText(texts.method.password);
  await expect(items.nth(1)).toContainText(texts.lastUsed);

  const restore = await failRequests(page, `${AUTH_CALLS.sessions}/*`, 'DELETE');
  await ends.first().click();
  await expect(items.nth(1).getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  await ends.first().click();
  await expect(part.getByRole('status').filter({ hasText: texts.ended('Firefox, Windows') })).toBeVisible();
  await expect(items).toHaveCount(2);
  await expect(part.getByRole('heading')).toBeFocused();
  const left = [await refreshStatus(server, other), await refreshStatus(server, third)];
  expect(left.sort()).toEqual([200, 401]);
});

test('a session that has already ended is removed from the list when it is ended again', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await signInOn(page, server));
  const { refresh_token } = await otherDevice(server, author);
  const { sessions: texts } = visitor.m.account;
  await visitor.open('/account');
  const items = accountSection(visitor, 'sessions').getByRole('listitem');
  await expect(items).toHaveCount(2);
  expect((await callAuth(server, '/logout', { refresh_token })).status).toBe(200);
  await page.getByRole('button', { name: texts.endOn('Firefox, Windows') }).click();
  await expect(items).toHaveCount(1);
  expectConsoleErrors(consoleErrors, /status of 404/);
});

test('a session that was handed over ends another one, and all, with the password', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await openAccount(page, server));
  const other = await otherDevice(server, author);
  await replaceSession(page, await handedOver(server, author));
  const { sessions: texts, password: words } = visitor.m.account;
  await page.reload();
  const part = accountSection(visitor, 'sessions');
  const end = part.getByRole('button', { name: texts.endOn('Firefox, Windows') });
  await end.click();
  const password = part.getByLabel(words.old, { exact: true });
  await expect(password).toBeFocused();
  expect(await refreshStatus(server, other)).toBe(200);
  await expectAccessible(page);
  await password.fill(PASSWORD);
  await password.press('Enter');
  await expect(part.getByRole('status').filter({ hasText: texts.ended('Firefox, Windows') })).toBeVisible();
  await part.getByRole('button', { name: texts.everywhere.open }).click();
  const dialog = page.getByRole('alertdialog', { name: texts.everywhere.title });
  await dialog.getByRole('button', { name: texts.everywhere.confirm }).click();
  await dialog.getByLabel(words.old).fill(PASSWORD);
  await dialog.getByRole('button', { name: texts.everywhere.confirm }).click();
  await expect(page).toHaveURL(/\/gallery$/);
  expect(await refreshStatus(server, author.session)).toBe(401);
  expectConsoleErrors(consoleErrors, /status of 401/);
});

test('signing out everywhere asks first, ends all sessions and opens the gallery', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await openAccount(page, server));
  const other = await otherDevice(server, author);
  const { everywhere: texts } = visitor.m.account.sessions;
  const dialog = page.getByRole('alertdialog', { name: texts.title });
  const confirm = dialog.getByRole('button', { name: texts.confirm });
  const open = accountSection(visitor, 'sessions').getByRole('button', { name: texts.open });
  await open.click();
  await expect(dialog).toContainText(texts.question);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(open).toBeFocused();
  expect(await refreshStatus(server, other)).toBe(200);

  await open.click();
  const restore = await failRequests(page, AUTH_CALLS.sessions, 'DELETE');
  await confirm.click();
  await expect(dialog.getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
  await restore();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  const third = await otherDevice(server, author);
  await confirm.click();
  await expect(page).toHaveURL(/\/gallery$/);
  await expect(visitor.notice(texts.done)).toBeVisible();
  await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
  expect(await refreshStatus(server, third)).toBe(401);
  expect(await refreshStatus(server, author.session)).toBe(401);
});
