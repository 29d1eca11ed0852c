import { type Author, signIn } from '@fabrica/test-peers/author.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { signInOn } from '../people.ts';
import { PASSWORD, type Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';
import {
  accountSection,
  callAuth,
  codeOf,
  nextMail,
  openAccount,
  otherDevice,
  refreshStatus,
  waitForWelcome,
} from './account-page.ts';

let author: Author;
let visitor: Visitor;

const NEW_PASSWORD = 'another long passphrase';

test('an e-mail address is verified on the account page with the code of the mail', async ({
  page,
  journal,
  consoleErrors,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { email: texts } = visitor.m.account;
  const { code: words } = visitor.m.authMail;
  const part = accountSection(visitor, 'email');
  const code = part.getByLabel(words.label);
  const verify = part.getByRole('button', { name: texts.verify, exact: true });
  const before = await waitForWelcome(journal.server, author);
  await expect(part).toContainText(author.email);
  await expect(part).toContainText(texts.unverified);
  await expect(code).toHaveCount(0);
  await part.getByRole('button', { name: texts.send }).click();
  await expect(part.getByRole('status').filter({ hasText: texts.sent(author.email) })).toBeVisible();
  const sent = codeOf(await nextMail(journal.server, author, before));
  await expect(code).toHaveAttribute('autocomplete', 'one-time-code');

  await verify.click();
  await expect(code).toHaveAccessibleDescription(words.missing);
  await expect(code).toBeFocused();
  await code.fill(sent.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10)));
  await verify.click();
  await expect(code).toHaveAccessibleDescription(words.wrong(5));
  await expect(code).toBeFocused();
  await expectAccessible(page);
  expectConsoleErrors(consoleErrors, /status of 400/);

  await code.fill(`${sent.slice(0, 3)} ${sent.slice(3)}`);
  await code.press('Enter');
  await expect(part.getByRole('status').filter({ hasText: texts.nowVerified })).toBeVisible();
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
  await expect(code).toHaveCount(0);
  await expect(part.getByRole('heading')).toBeFocused();
  await page.reload();
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
});

test('the account page shows a verification by the mail’s link when its tab is visible again', async ({
  page,
  journal,
}) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { email: texts } = visitor.m.account;
  const part = accountSection(visitor, 'email');
  const before = await waitForWelcome(journal.server, author);
  await part.getByRole('button', { name: texts.send }).click();
  const { text } = await nextMail(journal.server, author, before);
  const token = /\/auth\/verify\?token=([^&\s]+)/.exec(text)?.[1];
  const headers = { authorization: `Bearer ${author.token}` };
  const response = await callAuth(journal.server, '/email/verify', { projectId: 'journal', token }, headers);
  expect(response.status).toBe(200);
  await expect(part).toContainText(texts.unverified);
  // Playwright keeps every page visible, so the test dispatches the event of a change of tabs.
  await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await expect(part.getByText(texts.verified, { exact: true })).toBeVisible();
});

test('a new password signs other devices out and replaces the old one', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const { server } = journal;
  ({ author, visitor } = await openAccount(page, server));
  const { password: texts, sessions } = visitor.m.account;
  const other = await otherDevice(server, author);
  const part = accountSection(visitor, 'password');
  const old = part.getByLabel(texts.old, { exact: true });
  const next = part.getByLabel(texts.new, { exact: true });
  const change = part.getByRole('button', { name: texts.change });
  await expect(old).toHaveAttribute('autocomplete', 'current-password');
  await expect(next).toHaveAttribute('autocomplete', 'new-password');
  await expect(part.locator('[autocomplete=username]')).toHaveValue(author.email);

  const tryWith = async (before: string, wanted: string) => {
    await old.fill(before);
    await next.fill(wanted);
    await change.click();
  };
  await tryWith('', NEW_PASSWORD);
  await expect(old).toHaveAccessibleDescription(visitor.m.signIn.passwordMissing);
  await expect(old).toBeFocused();
  await tryWith(PASSWORD, 'short');
  await expect(next).toHaveAccessibleDescription(visitor.m.signIn.errors.WEAK_PASSWORD);
  await expect(next).toBeFocused();
  await tryWith(PASSWORD, 'password1234');
  await expect(next).toHaveAccessibleDescription(visitor.m.signIn.errors.WEAK_PASSWORD);
  await tryWith('not the passphrase', NEW_PASSWORD);
  await expect(old).toHaveAccessibleDescription(texts.oldWrong);
  await expect(old).toBeFocused();
  await expect(next).toHaveValue(NEW_PASSWORD);
  await expectAccessible(page);
  expect(await refreshStatus(server, other)).toBe(200);
  expectConsoleErrors(consoleErrors, /status of 400/, /status of 401/);

  const third = await otherDevice(server, author);
  await page.reload();
  await expect(accountSection(visitor, 'sessions').getByText('Firefox, Windows')).toHaveCount(2);
  await tryWith(PASSWORD, NEW_PASSWORD);
  await expect(part.getByRole('status').filter({ hasText: texts.changed })).toBeVisible();
  await expect(old).toHaveValue('');
  await expect(next).toHaveValue('');
  await expect(accountSection(visitor, 'sessions').getByText('Firefox, Windows')).toHaveCount(0);
  await expect(accountSection(visitor, 'sessions').getByText(sessions.thisOne)).toBeVisible();
  expect(await refreshStatus(server, third)).toBe(401);
  expect((await signIn(server, author.email)).status).toBe(401);
  expect((await signIn(server, author.email, { password: NEW_PASSWORD })).status).toBe(200);
});

test('an account without its password can request a reset mail', async ({ page, journal }) => {
  ({ author, visitor } = await openAccount(page, journal.server));
  const { password: texts } = visitor.m.account;
  const before = await waitForWelcome(journal.server, author);
  const part = accountSection(visitor, 'password');
  await part.getByRole('button', { name: texts.sendReset }).click();
  await expect(part.getByRole('status').filter({ hasText: texts.resetSent(author.email) })).toBeVisible();
  expect((await nextMail(journal.server, author, before)).text).toMatch(/\/auth\/reset\?token=/);
});

test('without a mail server, the account page says how to get the code and the link', async ({ page }) => {
  const server = await startServer({ DEMO: 'off' });
  try {
    ({ author, visitor } = await signInOn(page, server));
    await page.goto(`${server.url}/account`);
    const { account, authMail } = visitor.m;
    const [email, password] = [accountSection(visitor, 'email'), accountSection(visitor, 'password')];
    await expect(email).toContainText(authMail.unsent.lead);
    await expect(password).toContainText(authMail.unsent.password);
    for (const promise of [account.email.send, account.password.sendReset])
      await expect(page.getByRole('button', { name: promise })).toHaveCount(0);
    await email.getByRole('button', { name: authMail.send.code }).click();
    await expect(email.getByText(authMail.unsent.requested)).toBeVisible();
    await expect(email.getByRole('button', { name: authMail.send.again })).toBeVisible();
    await password.getByRole('button', { name: authMail.unsent.link }).click();
    await expect(password.getByText(authMail.unsent.byLink)).toBeVisible();
  } finally {
    await page.close();
    await server.close();
  }
});
