import { signIn, signUp } from '@fabrica/test-peers/author.ts';
import { expect, expectAccessible, test } from '../journal.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors, recordRequests } from '../traffic.ts';
import {
  expectSignedIn,
  isVerified,
  mailFields,
  mailFor,
  mainButton,
  mainHeading,
  NEW_PASSWORD,
  newEmail,
  otherBrowser,
  requestMail,
} from './auth-mails.ts';

/** Time of the page's clock in which it might do something by itself. */
const A_WHILE_MS = 60_000;
const TOKENS_KEY = 'fabrica_tokens_journal';

test.describe('a sign-in by mail', () => {
  test('the button of a sign-in link creates an account for a new e-mail address', async ({
    page,
    journal,
  }) => {
    const email = newEmail();
    const visitor = new Visitor(page);
    const { magic } = visitor.m.authMail;
    await visitor.open('/auth?return_to=/contact');
    await page.getByRole('link', { name: visitor.m.signIn.magicLink }).click();
    await expect(mainHeading(page, magic.title)).toBeVisible();
    await mailFields(page).email.fill(email);
    await mainButton(page, magic.send).click();
    await expect(page.getByRole('status').filter({ hasText: email })).toHaveText(magic.sent(email));
    const { link } = await mailFor(journal.server, email, 'magic');
    await page.goto(link);
    await visitor.hydrated();
    await expectAccessible(page);
    await mainButton(page, magic.signIn).click();
    await expect(page).toHaveURL(`${journal.server.url}/contact`);
    await expect(page.getByRole('link', { name: visitor.m.signIn.welcome.firstPost })).toBeVisible();
    await expectSignedIn(visitor);
    // An account without a password is not asked for it.
    await visitor.open('/account');
    const { password } = visitor.m.account;
    await expect(page.getByRole('button', { name: password.sendReset })).toBeVisible();
    await expect(page.getByLabel(password.old, { exact: true })).toHaveCount(0);
    await page.goBack();
    // The used link is not in the history either.
    await page.goBack();
    await expect(page).not.toHaveURL(/token=/);
  });

  test('the code of a sign-in mail signs a known e-mail address in', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page, 'de');
    const { claim, magic, verify } = visitor.m.authMail;
    await requestMail(visitor, '/auth/magic?return_to=/about-me', author.email);
    const { code } = mailFields(page);
    await expect(code).toBeFocused();
    await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
    await expect(code).toHaveAttribute('inputmode', 'numeric');
    const { code: typed } = await mailFor(journal.server, author.email, 'magic');
    await page.keyboard.type(typed);
    await page.keyboard.press('Enter');
    // The address was never verified: the page asks for the password before it ends.
    await expect(mainHeading(page, claim.title)).toBeFocused();
    await page.getByLabel(verify.password, { exact: true }).fill(PASSWORD);
    await mainButton(page, magic.signIn).click();
    await expect(page).toHaveURL(`${journal.server.url}/about-me`);
    await expectSignedIn(visitor);
    expect((await signIn(journal.server, author.email)).status).toBe(200);
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  for (const javaScriptEnabled of [true, false]) {
    test(`a sign-in link says that a password would end before it does, and sets a new one, ${javaScriptEnabled ? 'with' : 'without'} JavaScript`, async ({
      browser,
      journal,
      consoleErrors,
    }) => {
      const author = await signUp(journal.server);
      const page = await otherBrowser(browser, { javaScriptEnabled });
      const visitor = new Visitor(page);
      const { claim, magic } = visitor.m.authMail;
      await page.goto(`${journal.server.url}/auth/magic?return_to=/about-me`);
      await mailFields(page).email.fill(author.email);
      await mainButton(page, magic.send).click();
      const { link } = await mailFor(journal.server, author.email, 'magic');
      await page.goto(link);
      if (javaScriptEnabled) await visitor.hydrated();
      await mainButton(page, magic.signIn).click();
      await expect(mainHeading(page, claim.title)).toBeVisible();
      await expect(page.getByText(claim.lead)).toBeVisible();
      await expect(mailFields(page).password).toHaveAccessibleDescription(new RegExp(claim.newPasswordHint));
      expect(await isVerified(journal.server, author)).toBe(false);
      expect((await signIn(journal.server, author.email)).status).toBe(200);
      await mailFields(page).password.fill(NEW_PASSWORD);
      await mainButton(page, magic.signIn).click();
      await page.waitForURL('**/about-me');
      expect((await signIn(journal.server, author.email)).status).toBe(401);
      const signedIn = await signIn(journal.server, author.email, { password: NEW_PASSWORD });
      expect(signedIn.status).toBe(200);
      if (javaScriptEnabled) expectConsoleErrors(consoleErrors, /status of 401/);
      await page.context().close();
    });
  }

  test('a sign-in link keeps the password in a browser that is signed in to the account', async ({
    page,
    journal,
  }) => {
    const visitor = new Visitor(page);
    const { magic } = visitor.m.authMail;
    await visitor.open('/gallery');
    const email = await visitor.signUp('Ada');
    await fetch(`${journal.server.url}/api/auth/signin/magic`, {
      method: 'POST',
      body: JSON.stringify({ projectId: 'journal', email }),
    });
    const { link } = await mailFor(journal.server, email, 'magic');
    await page.goto(link);
    await visitor.hydrated();
    await mainButton(page, magic.signIn).click();
    await expect(page).toHaveURL(`${journal.server.url}/gallery`);
    expect((await signIn(journal.server, email)).status).toBe(200);
  });

  test('a sign-in mail can be requested again and for another e-mail address', async ({ page, journal }) => {
    const [first, second] = [newEmail(), newEmail()];
    const visitor = new Visitor(page);
    const { authMail } = visitor.m;
    await requestMail(visitor, '/auth/magic', first);
    await mailFor(journal.server, first, 'magic');
    await mainButton(page, authMail.send.again).click();
    await expect(page.getByRole('status').filter({ hasText: authMail.send.sentAgain })).toBeVisible();
    await mailFor(journal.server, first, 'magic', 2);
    await page.getByRole('link', { name: authMail.send.otherEmail }).click();
    await expect(mailFields(page).email).toHaveValue(first);
    await mailFields(page).email.fill(second);
    await mainButton(page, authMail.magic.send).click();
    await expect(page.getByText(authMail.magic.sent(second))).toBeVisible();
    await mailFor(journal.server, second, 'magic');
  });

  test('the code of a sign-in mail signs an app in after a warning', async ({ page, journal }) => {
    const email = newEmail();
    const sessionId = `app-session-${Date.now()}`;
    const visitor = new Visitor(page);
    const { authMail, signIn } = visitor.m;
    await requestMail(visitor, `/auth/magic?mode=mobile-session&session_id=${sessionId}`, email);
    await expect(page.getByText(signIn.forApp)).toBeVisible();
    const poll = () => fetch(`${journal.server.url}/api/auth/mobile-session/${sessionId}`);
    expect((await poll()).status).toBe(202);
    const { code, link } = await mailFor(journal.server, email, 'magic');
    expect(link, 'a link in a mail does not know the app').not.toContain(sessionId);
    await mailFields(page).code.fill(code);
    await mainButton(page, authMail.magic.signIn).click();
    await expect(mainHeading(page, signIn.results.app.title)).toBeVisible();
    expect(await (await poll()).json()).toMatchObject({ user: { email } });
    await visitor.open('/gallery');
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn, exact: true })).toBeVisible();
  });

  test('opening a sign-in link does not sign in, and its button does so once', async ({
    page,
    browser,
    journal,
    consoleErrors,
  }) => {
    const email = newEmail();
    const visitor = new Visitor(page);
    const { magic, link: texts } = visitor.m.authMail;
    await requestMail(visitor, '/auth/magic', email);
    const { link } = await mailFor(journal.server, email, 'magic');

    for (const method of ['GET', 'HEAD', 'GET']) {
      const response = await fetch(link, { method });
      await response.arrayBuffer();
      expect(response.status, method).toBe(200);
      expect(response.headers.get('cache-control')).toBe('private, no-store');
    }
    const scanner = await otherBrowser(browser);
    const sent = recordRequests(scanner, (request) => request.method() !== 'GET');
    await scanner.clock.install();
    await scanner.goto(link);
    const late = new Visitor(scanner);
    await late.hydrated();
    await scanner.mouse.move(200, 300);
    await scanner.clock.runFor(A_WHILE_MS);
    expect(sent).toEqual([]);
    expect(await scanner.evaluate((key) => localStorage.getItem(key), TOKENS_KEY)).toBeNull();

    await page.goto(link);
    await visitor.hydrated();
    await mainButton(page, magic.signIn).click();
    await expectSignedIn(visitor);

    await mainButton(scanner, magic.signIn).click();
    await expect(mainHeading(scanner, texts.usedTitle)).toBeVisible();
    await scanner.getByRole('link', { name: magic.requestAgain }).click();
    await expect(scanner).toHaveURL(/\/auth\/magic\?return_to=/);
    await expect(mailFields(scanner).email).toBeVisible();
    await expect(scanner.getByRole('button', { name: late.m.layout.signIn })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 400/);
    await scanner.context().close();
  });
});
