import { signIn, signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from '../journal.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';
import {
  isVerified,
  mailFields,
  mailFor,
  mainButton,
  mainHeading,
  NEW_PASSWORD,
  newEmail,
  otherBrowser,
  otherThan,
  requestMail,
} from './auth-mails.ts';

test('a link without its token is explained', async ({ page }) => {
  for (const language of ['en', 'es', 'fr', 'de'] as const) {
    const visitor = new Visitor(page, language);
    for (const path of ['/auth/reset', '/auth/verify']) {
      await visitor.open(path);
      await expect(mainHeading(page, visitor.m.authMail.link.incompleteTitle)).toBeVisible();
      await expect(page.locator('meta[name=robots]')).toHaveAttribute('content', 'noindex');
    }
  }
});

test('the pages of mails fit on a small phone in languages with long words', async ({ page, journal }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  const author = await signUp(journal.server);
  const verify = await mailFor(journal.server, author.email, 'verify');
  for (const language of ['de', 'fr'] as const) {
    const visitor = new Visitor(page, language);
    for (const path of ['/auth/magic', '/auth/forgot']) {
      await visitor.open(path);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
      await requestMail(visitor, path, newEmail());
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
    for (const path of ['/auth/reset?token=x', '/auth/magic?token=x', verify.link, '/auth/verify']) {
      await visitor.open(path);
      await expectNoSidewaysScroll(page);
      await expectAccessible(page);
    }
  }
});

test.describe('without JavaScript', () => {
  test('a password is reset by code without JavaScript, after its faults were described', async ({
    browser,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const page = await otherBrowser(browser, { javaScriptEnabled: false });
    const { m } = new Visitor(page, 'de');
    const { email, code, password } = mailFields(page);
    await page.goto(`${journal.server.url}/auth/forgot?lang=de`);
    await email.fill('ada@example');
    await mainButton(page, m.authMail.forgot.send).click();
    await expect(email).toHaveAccessibleDescription(m.signIn.errors.INVALID_EMAIL);
    await expect(email).toHaveValue('ada@example');
    await email.fill(author.email);
    await mainButton(page, m.authMail.forgot.send).click();
    await expect(page.getByText(m.authMail.forgot.sent(author.email))).toBeVisible();
    const { code: right } = await mailFor(journal.server, author.email, 'reset');
    await code.fill(otherThan(right));
    await password.fill(NEW_PASSWORD);
    await mainButton(page, m.authMail.reset.save).click();
    await expect(code).toHaveAccessibleDescription(m.authMail.code.wrong(5));
    await expect(code).toHaveValue(otherThan(right));
    await expect(password).toHaveValue('');
    await code.fill(right);
    await password.fill(NEW_PASSWORD);
    await mainButton(page, m.authMail.reset.save).click();
    await expect(mainHeading(page, m.authMail.reset.doneTitle)).toBeVisible();
    expect((await signIn(journal.server, author.email, { password: NEW_PASSWORD })).status).toBe(200);
    expectConsoleErrors(consoleErrors, /status of 400/);
    await page.context().close();
  });

  test('links reset a password and verify an e-mail address without JavaScript', async ({
    browser,
    journal,
  }) => {
    const author = await signUp(journal.server);
    const page = await otherBrowser(browser, { javaScriptEnabled: false });
    const { m } = new Visitor(page);
    const verify = await mailFor(journal.server, author.email, 'verify');
    await page.goto(verify.link);
    await mainButton(page, m.authMail.verify.confirm).click();
    await expect(mainHeading(page, m.authMail.claim.title)).toBeVisible();
    await page.locator('input[name=ownPassword]').fill(PASSWORD);
    await mainButton(page, m.authMail.verify.confirm).click();
    await expect(mainHeading(page, m.authMail.verify.doneTitle)).toBeVisible();
    expect(await isVerified(journal.server, author)).toBe(true);
    await page.goto(`${journal.server.url}/auth/forgot`);
    await mailFields(page).email.fill(author.email);
    await mainButton(page, m.authMail.forgot.send).click();
    const reset = await mailFor(journal.server, author.email, 'reset');
    await page.goto(reset.link);
    await mailFields(page).password.fill(NEW_PASSWORD);
    await mainButton(page, m.authMail.reset.save).click();
    await expect(mainHeading(page, m.authMail.reset.doneTitle)).toBeVisible();
    expect((await signIn(journal.server, author.email, { password: NEW_PASSWORD })).status).toBe(200);
    await page.context().close();
  });

  test('a sign-in link for this site signs in without JavaScript, once', async ({
    browser,
    journal,
    consoleErrors,
  }) => {
    const email = newEmail();
    const page = await otherBrowser(browser, { javaScriptEnabled: false });
    const { m } = new Visitor(page);
    const { magic, link: links } = m.authMail;
    await page.goto(`${journal.server.url}/auth/magic?return_to=/about-me`);
    await mailFields(page).email.fill(email);
    await mainButton(page, magic.send).click();
    await expect(mainHeading(page, magic.sentTitle)).toBeVisible();
    const { link } = await mailFor(journal.server, email, 'magic');
    await page.goto(link);
    await mainButton(page, magic.signIn).click();
    await page.waitForURL('**/about-me');
    await expect(page.getByRole('button', { name: m.layout.signOut })).toBeVisible();
    await page.goto(link);
    await mainButton(page, magic.signIn).click();
    await expect(mainHeading(page, links.usedTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /400/);
    await page.context().close();
  });

  test('the code of a mail signs in to this site without JavaScript', async ({
    browser,
    journal,
    consoleErrors,
  }) => {
    const email = newEmail();
    const page = await otherBrowser(browser, { javaScriptEnabled: false });
    const { m } = new Visitor(page);
    const { magic } = m.authMail;
    await page.goto(`${journal.server.url}/auth/magic`);
    await mailFields(page).email.fill(email);
    await mainButton(page, magic.send).click();
    const { code } = await mailFor(journal.server, email, 'magic');
    await mailFields(page).code.fill(otherThan(code));
    await mainButton(page, magic.signIn).click();
    await expect(page.getByText(m.authMail.code.wrong(5))).toBeVisible();
    await mailFields(page).code.fill(code);
    await mainButton(page, magic.signIn).click();
    await page.waitForURL('**/gallery');
    await expect(page.getByRole('button', { name: m.layout.signOut })).toBeVisible();
    expectConsoleErrors(consoleErrors, /400/);
    await page.context().close();
  });
});
