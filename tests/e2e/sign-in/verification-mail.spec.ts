import { signIn, signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests } from '../traffic.ts';
import { isVerified, mailFor, mainButton, mainHeading } from './auth-mails.ts';

/** Time of the page's clock in which it might do something by itself. */
const A_WHILE_MS = 60_000;

test.describe('an e-mail address', () => {
  test('an e-mail address is verified by the button, not by opening the link', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const { link } = await mailFor(journal.server, author.email, 'verify');
    const visitor = new Visitor(page);
    const { claim, verify } = visitor.m.authMail;
    await page.clock.install();
    await page.goto(link);
    await visitor.hydrated();
    await page.clock.runFor(A_WHILE_MS);
    expect(await isVerified(journal.server, author)).toBe(false);
    await expectAccessible(page);
    await mainButton(page, verify.confirm).click();
    // Its password would end, so the page asks first.
    await expect(mainHeading(page, claim.title)).toBeFocused();
    await expect(page.getByText(claim.lead)).toBeVisible();
    await expectAccessible(page);
    const password = page.getByLabel(verify.password, { exact: true });
    await password.fill('not the passphrase');
    await mainButton(page, verify.confirm).click();
    await expect(password).toHaveAccessibleDescription(new RegExp(verify.passwordWrong));
    await expect(password).toBeFocused();
    expect(await isVerified(journal.server, author)).toBe(false);
    await password.fill(PASSWORD);
    await mainButton(page, verify.confirm).click();
    await expect(mainHeading(page, verify.doneTitle)).toBeFocused();
    await expect(page.getByText(verify.done, { exact: true })).toBeVisible();
    expect(page.url()).not.toContain('token');
    expect(await isVerified(journal.server, author)).toBe(true);

    await page.goto(link);
    await visitor.hydrated();
    await mainButton(page, verify.confirm).click();
    await expect(mainHeading(page, verify.failedTitle)).toBeVisible();
    await expect(page.getByText(verify.failed)).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 400/, /status of 401/);
  });

  test('an e-mail address can be verified with another try after a network failure', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const { link } = await mailFor(journal.server, author.email, 'verify');
    const visitor = new Visitor(page);
    const { claim, verify } = visitor.m.authMail;
    await page.goto(link);
    await visitor.hydrated();
    const restore = await failRequests(page, '**/api/auth/email/verify', 'POST');
    await mainButton(page, verify.confirm).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
    await restore();
    await mainButton(page, verify.confirm).click();
    await expect(mainHeading(page, claim.title)).toBeVisible();
    expect((await signIn(journal.server, author.email)).status).toBe(200);
    await mainButton(page, verify.confirm).click();
    await expect(mainHeading(page, verify.doneTitle)).toBeVisible();
    // Nobody has shown that the account is theirs, so nothing of the person who made it is left.
    await expect(page.getByText(verify.doneWithoutPassword)).toBeVisible();
    expect((await signIn(journal.server, author.email)).status).toBe(401);
    expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 401/);
  });
});
