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
    await code.fill(otherThan(right));
    await password.fill(NEW_PASSWORD);
    await mainButton(page, authMail.reset.save).click();
    await expect(code).toHaveAccessibleDescription(authMail.code.wrong(5));
    await expect(code).toBeFocused();
    await code.fill(`${right.slice(0, 3)} ${right.slice(-3)}`);
    await password.fill('password1234');
    await mainButton(page, authMail.reset.save).click();
    await expect(password).toHaveAccessibleDescription(signIn.errors.WEAK_PASSWORD);
    await expect(password).toBeFocused();
    await expect(code).toHaveValue(new RegExp(`^${right.slice(0, 3)} ?${right.slice(-3)}$`));
    await password.fill(NEW_PASSWORD);
    await mainButton(page, authMail.reset.save).click();
    await expect(mainHeading(page, authMail.reset.doneTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 400/);
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
