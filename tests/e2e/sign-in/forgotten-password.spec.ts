import { signIn, signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { signInOn } from '../people.ts';
import { Visitor } from '../steps.ts';
import { expectConsoleErrors, failRequests } from '../traffic.ts';
import {
  expectSignedIn,
  mailFields,
  mailFor,
  mainButton,
  mainHeading,
  NEW_PASSWORD,
  newEmail,
  otherThan,
  requestMail,
} from './auth-mails.ts';

test.describe('a forgotten password', () => {
  test('a forgotten password is reset by the link of a mail, which signs other devices out', async ({
    page,
    journal,
  }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page);
    const { forgot, reset } = visitor.m.authMail;
    await visitor.open('/auth?return_to=/about-me');
    await page.getByRole('link', { name: visitor.m.signIn.forgotten }).click();
    await expect(mainHeading(page, forgot.title)).toBeVisible();
    await mailFields(page).email.fill(author.email);
    await mainButton(page, forgot.send).click();
    await expect(page.getByRole('status').filter({ hasText: author.email })).toHaveText(
      forgot.sent(author.email),
    );
    await expect(mailFields(page).code).toBeFocused();
    await expectAccessible(page);

    const { link } = await mailFor(journal.server, author.email, 'reset');
    await page.goto(link);
    await visitor.hydrated();
    const { password } = mailFields(page);
    await expect(password).toHaveAttribute('autocomplete', 'new-password');
    await password.fill(NEW_PASSWORD);
    await mainButton(page, reset.save).click();
    await expect(mainHeading(page, reset.doneTitle)).toBeFocused();
    expect(page.url()).not.toContain('token');
    await expectAccessible(page);

    await page.getByRole('main').getByRole('link', { name: reset.signIn }).click();
    await mailFields(page).email.fill(author.email);
    await password.fill(NEW_PASSWORD);
    await mainButton(page, visitor.m.signIn.signIn).click();
    await expect(page).toHaveURL(/\/about-me$/);
    await expectSignedIn(visitor);

    expect((await signIn(journal.server, author.email)).status).toBe(401);
    const refresh = await fetch(`${journal.server.url}/api/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refresh_token: author.session.refresh_token }),
    });
    expect(refresh.status).toBe(401);
  });

  test('a reset password ends the session of the same browser too', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const { author, visitor } = await signInOn(page, journal.server);
    const { reset } = visitor.m.authMail;
    await visitor.open('/gallery');
    await expectSignedIn(visitor);
    await requestMail(visitor, '/auth/forgot', author.email);
    const { link } = await mailFor(journal.server, author.email, 'reset');
    await page.goto(link);
    await visitor.hydrated();
    await mailFields(page).password.fill(NEW_PASSWORD);
    await mainButton(page, reset.save).click();
    await page.getByRole('main').getByRole('link', { name: reset.signIn }).click();
    await expect(mailFields(page).password).toHaveAttribute('autocomplete', 'current-password');
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  test('a forgotten password is reset in German by a code that is pasted with its space', async ({
    page,
    journal,
  }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page, 'de');
    const { reset } = visitor.m.authMail;
    await requestMail(visitor, '/auth/forgot', author.email);
    const { code: typed } = await mailFor(journal.server, author.email, 'reset');
    const { code, password } = mailFields(page);
    await code.fill(`${typed.slice(0, 3)} ${typed.slice(-3)}`);
    await password.fill(NEW_PASSWORD);
    await mainButton(page, reset.save).click();
    await expect(mainHeading(page, reset.doneTitle)).toBeVisible();
    expect((await signIn(journal.server, author.email, { password: NEW_PASSWORD })).status).toBe(200);
  });

  test('a reset for an unknown e-mail address looks the same and sends no mail', async ({
    page,
    journal,
  }) => {
    const unknown = newEmail();
    const visitor = new Visitor(page);
    await requestMail(visitor, '/auth/forgot', unknown);
    await expect(page.getByText(visitor.m.authMail.forgot.sent(unknown))).toBeVisible();
    const author = await signUp(journal.server);
    await requestMail(visitor, '/auth/forgot', author.email);
    await mailFor(journal.server, author.email, 'reset');
    expect(await journal.server.mailsTo(unknown)).toEqual([]);
  });

  test('faults of a reset are described beside their fields, and all values stay', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page);
    const { authMail, signIn } = visitor.m;
    const { email, code, password } = mailFields(page);
    await visitor.open('/auth/forgot');
    await email.fill('ada@example');
    await mainButton(page, authMail.forgot.send).click();
    await expect(email).toHaveAccessibleDescription(signIn.errors.INVALID_EMAIL);
    await expect(email).toBeFocused();
    await email.fill(author.email);
    const restore = await failRequests(page, '**/api/auth/password/reset', 'POST');
    await mainButton(page, authMail.forgot.send).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(signIn.errors.NETWORK_ERROR);
    await expect(email).toHaveValue(author.email);
    await restore();
    await mainButton(page, authMail.forgot.send).click();
    const { code: right } = await mailFor(journal.server, author.email, 'reset');

    await mainButton(page, authMail.reset.save).click();
    await expect(code).toHaveAccessibleDescription(authMail.code.missing);
    await expect(password).toHaveAccessibleDescription(authMail.reset.passwordMissing);
    await expect(code).toBeFocused();
    await expectAccessible(page);
    await code.fill(right);
    await password.fill('password1234');
    await mainButton(page, authMail.reset.save).click();
    await expect(password).toHaveAccessibleDescription(signIn.errors.WEAK_PASSWORD);
    await expect(password).toBeFocused();
    await expect(code).toHaveValue(right);
    await password.fill(NEW_PASSWORD);
    await mainButton(page, authMail.reset.save).click();
    await expect(mainHeading(page, authMail.reset.doneTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 400/);
  });

  test('after five wrong codes a reset needs a new mail', async ({ page, journal, consoleErrors }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page);
    const { authMail } = visitor.m;
    await requestMail(visitor, '/auth/forgot', author.email);
    const first = await mailFor(journal.server, author.email, 'reset');
    const { code, password } = mailFields(page);
    await password.fill(NEW_PASSWORD);
    const tryCode = async (typed: string) => {
      await code.fill(typed);
      const response = page.waitForResponse('**/api/auth/password/reset/confirm');
      await mainButton(page, authMail.reset.save).click();
      return (await response).status();
    };
    for (let tries = 0; tries < 5; tries += 1) expect(await tryCode(otherThan(first.code))).toBe(400);
    await expect(code).toHaveAccessibleDescription(authMail.code.wrong(5));
    await expect(code).toBeFocused();
    expect(await tryCode(first.code), 'the right one comes too late').toBe(400);
    await mainButton(page, authMail.send.again).click();
    await expect(page.getByText(authMail.send.sentAgain)).toBeVisible();
    const second = await mailFor(journal.server, author.email, 'reset', 2);
    expect(await tryCode(second.code)).toBe(200);
    await expect(mainHeading(page, authMail.reset.doneTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 400/);
  });

  test('a used reset link says so and leads to a new one', async ({ page, journal, consoleErrors }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page);
    const { reset, link: texts } = visitor.m.authMail;
    await requestMail(visitor, '/auth/forgot', author.email);
    const { link } = await mailFor(journal.server, author.email, 'reset');
    for (const outcome of ['set', 'refused']) {
      await page.goto(link);
      await visitor.hydrated();
      await mailFields(page).password.fill(NEW_PASSWORD);
      await mainButton(page, reset.save).click();
      if (outcome === 'set') await expect(mainHeading(page, reset.doneTitle)).toBeVisible();
    }
    await expect(mainHeading(page, texts.usedTitle)).toBeFocused();
    await page.getByRole('link', { name: reset.requestAgain }).click();
    await expect(page).toHaveURL(/\/auth\/forgot$/);
    expectConsoleErrors(consoleErrors, /status of 400/);
  });
});
