import { type Author, signUp } from '@fabrica/test-peers/author.ts';
import { type OutboxMail, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Browser, Page } from '@playwright/test';
import type { Language } from '../../apps/journal/app/language/languages.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journal.ts';
import { type OtherOrigin, startOtherOrigin } from './other-origin.ts';
import { signInOn } from './people.ts';
import { PASSWORD, Visitor } from './steps.ts';
import { expectConsoleErrors, failRequests, recordRequests } from './traffic.ts';

const NEW_PASSWORD = 'a passphrase that is newer';
/** Time of the page's clock in which it might do something by itself. */
const A_WHILE_MS = 60_000;
const TOKENS_KEY = 'fabrica_tokens_journal';

interface Delivery {
  mail: OutboxMail;
  /** The URL of the page with the button. */
  link: string;
  /** The code as it is written in the mail. */
  code: string;
}

let people = 0;
function newEmail(): string {
  people += 1;
  return `reader-${people}-${Date.now()}@example.org`;
}

/** Waits for the `count`th mail to an e-mail address that links to a page, and returns it. */
async function mailFor(
  server: RunningServer,
  email: string,
  page: 'verify' | 'magic' | 'reset',
  count = 1,
): Promise<Delivery> {
  const find = async () =>
    (await server.mailsTo(email)).filter(({ text }) => text.includes(`/auth/${page}?`));
  await expect.poll(async () => (await find()).length, { message: `mails to ${email}` }).toBe(count);
  const mail = (await find()).at(-1) as OutboxMail;
  const link = /https?:\/\/\S+\/auth\/\S+/.exec(mail.text)?.[0] ?? '';
  const code = /^\s*(\d{3}\s?\d{3})\s*$/m.exec(mail.text)?.[1] ?? '';
  expect(link, 'the link of the mail').toContain('token=');
  expect(code, 'the code of the mail').not.toBe('');
  return { mail, link, code };
}

/** Returns a code of six digits other than this one. */
function otherThan(code: string): string {
  return String((Number(code.replace(/\D/g, '')) + 1) % 1_000_000).padStart(6, '0');
}

const fields = (page: Page) => ({
  email: page.locator('main [name=email]:visible'),
  code: page.locator('[name=code]'),
  password: page.locator('[name=password]'),
});

const button = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true });

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true });

async function expectSignedIn({ page, m }: Visitor): Promise<void> {
  await expect(
    page.getByRole('button', { name: m.layout.signOut, exact: true, includeHidden: true }),
  ).toBeVisible();
}

async function signInByPassword(server: RunningServer, email: string, password: string): Promise<number> {
  const response = await fetch(`${server.url}/api/auth/signin/email`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ projectId: 'journal', email, password }),
  });
  await response.arrayBuffer();
  return response.status;
}

async function isVerified(server: RunningServer, { token }: Author): Promise<boolean> {
  const response = await fetch(`${server.url}/api/auth/me`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { user: { emailVerified: boolean } }).user.emailVerified;
}

/** Opens a page in another browser context. */
async function otherBrowser(browser: Browser, options: { javaScriptEnabled?: boolean } = {}): Promise<Page> {
  const context = await browser.newContext(options);
  return context.newPage();
}

/** Requests the mail of a page and waits for the field for its code. */
async function requestMail(visitor: Visitor, path: string, email: string): Promise<void> {
  const { page, m } = visitor;
  const texts = path.startsWith('/auth/forgot') ? m.authMail.forgot : m.authMail.magic;
  await visitor.open(path);
  await fields(page).email.fill(email);
  await button(page, texts.send).click();
  await expect(heading(page, texts.sentTitle)).toBeVisible();
}

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
    await expect(heading(page, forgot.title)).toBeVisible();
    await fields(page).email.fill(author.email);
    await button(page, forgot.send).click();
    await expect(page.getByRole('status').filter({ hasText: author.email })).toHaveText(
      forgot.sent(author.email),
    );
    await expect(fields(page).code).toBeFocused();
    await expectAccessible(page);

    const { link } = await mailFor(journal.server, author.email, 'reset');
    await page.goto(link);
    await visitor.hydrated();
    const { password } = fields(page);
    await expect(password).toHaveAttribute('autocomplete', 'new-password');
    await password.fill(NEW_PASSWORD);
    await button(page, reset.save).click();
    await expect(heading(page, reset.doneTitle)).toBeFocused();
    expect(page.url()).not.toContain('token');
    await expectAccessible(page);

    await page.getByRole('main').getByRole('link', { name: reset.signIn }).click();
    await fields(page).email.fill(author.email);
    await password.fill(NEW_PASSWORD);
    await button(page, visitor.m.signIn.signIn).click();
    await expect(page).toHaveURL(/\/about-me$/);
    await expectSignedIn(visitor);

    expect(await signInByPassword(journal.server, author.email, PASSWORD)).toBe(401);
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
    await fields(page).password.fill(NEW_PASSWORD);
    await button(page, reset.save).click();
    await page.getByRole('main').getByRole('link', { name: reset.signIn }).click();
    await expect(fields(page).password).toHaveAttribute('autocomplete', 'current-password');
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
    const { code, password } = fields(page);
    await code.fill(`${typed.slice(0, 3)} ${typed.slice(-3)}`);
    await password.fill(NEW_PASSWORD);
    await button(page, reset.save).click();
    await expect(heading(page, reset.doneTitle)).toBeVisible();
    expect(await signInByPassword(journal.server, author.email, NEW_PASSWORD)).toBe(200);
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
    const { email, code, password } = fields(page);
    await visitor.open('/auth/forgot');
    await email.fill('ada@example');
    await button(page, authMail.forgot.send).click();
    await expect(email).toHaveAccessibleDescription(signIn.errors.INVALID_EMAIL);
    await expect(email).toBeFocused();
    await email.fill(author.email);
    const restore = await failRequests(page, '**/api/auth/password/reset', 'POST');
    await button(page, authMail.forgot.send).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(signIn.errors.NETWORK_ERROR);
    await expect(email).toHaveValue(author.email);
    await restore();
    await button(page, authMail.forgot.send).click();
    const { code: right } = await mailFor(journal.server, author.email, 'reset');

    await button(page, authMail.reset.save).click();
    await expect(code).toHaveAccessibleDescription(authMail.code.missing);
    await expect(password).toHaveAccessibleDescription(authMail.reset.passwordMissing);
    await expect(code).toBeFocused();
    await expectAccessible(page);
    await code.fill(right);
    await password.fill('password1234');
    await button(page, authMail.reset.save).click();
    await expect(password).toHaveAccessibleDescription(signIn.errors.WEAK_PASSWORD);
    await expect(password).toBeFocused();
    await expect(code).toHaveValue(right);
    await password.fill(NEW_PASSWORD);
    await button(page, authMail.reset.save).click();
    await expect(heading(page, authMail.reset.doneTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 400/);
  });

  test('after five wrong codes a reset needs a new mail', async ({ page, journal, consoleErrors }) => {
    const author = await signUp(journal.server);
    const visitor = new Visitor(page);
    const { authMail } = visitor.m;
    await requestMail(visitor, '/auth/forgot', author.email);
    const first = await mailFor(journal.server, author.email, 'reset');
    const { code, password } = fields(page);
    await password.fill(NEW_PASSWORD);
    const tryCode = async (typed: string) => {
      await code.fill(typed);
      const response = page.waitForResponse('**/api/auth/password/reset/confirm');
      await button(page, authMail.reset.save).click();
      return (await response).status();
    };
    for (let tries = 0; tries < 5; tries += 1) expect(await tryCode(otherThan(first.code))).toBe(400);
    await expect(code).toHaveAccessibleDescription(authMail.code.wrong(5));
    await expect(code).toBeFocused();
    expect(await tryCode(first.code), 'the right one comes too late').toBe(400);
    await button(page, authMail.send.again).click();
    await expect(page.getByText(authMail.send.sentAgain)).toBeVisible();
    const second = await mailFor(journal.server, author.email, 'reset', 2);
    expect(await tryCode(second.code)).toBe(200);
    await expect(heading(page, authMail.reset.doneTitle)).toBeVisible();
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
      await fields(page).password.fill(NEW_PASSWORD);
      await button(page, reset.save).click();
      if (outcome === 'set') await expect(heading(page, reset.doneTitle)).toBeVisible();
    }
    await expect(heading(page, texts.usedTitle)).toBeFocused();
    await page.getByRole('link', { name: reset.requestAgain }).click();
    await expect(page).toHaveURL(/\/auth\/forgot$/);
    expectConsoleErrors(consoleErrors, /status of 400/);
  });
});

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
    await expect(heading(page, magic.title)).toBeVisible();
    await fields(page).email.fill(email);
    await button(page, magic.send).click();
    await expect(page.getByRole('status').filter({ hasText: email })).toHaveText(magic.sent(email));
    const { link } = await mailFor(journal.server, email, 'magic');
    await page.goto(link);
    await visitor.hydrated();
    await expectAccessible(page);
    await button(page, magic.signIn).click();
    await expect(page).toHaveURL(`${journal.server.url}/contact`);
    await expectSignedIn(visitor);
    // The used link is not in the history either.
    await page.goBack();
    await expect(page).not.toHaveURL(/token=/);
  });

  for (const language of ['en', 'de'] satisfies Language[]) {
    test(`the code of a sign-in mail signs a known e-mail address in, in ${language}`, async ({
      page,
      journal,
    }) => {
      const author = await signUp(journal.server);
      const visitor = new Visitor(page, language);
      await requestMail(visitor, '/auth/magic?return_to=/about-me', author.email);
      const { code } = fields(page);
      await expect(code).toBeFocused();
      await expect(code).toHaveAttribute('autocomplete', 'one-time-code');
      await expect(code).toHaveAttribute('inputmode', 'numeric');
      const { code: typed } = await mailFor(journal.server, author.email, 'magic');
      await page.keyboard.type(typed);
      await page.keyboard.press('Enter');
      await expect(page).toHaveURL(`${journal.server.url}/about-me`);
      await expectSignedIn(visitor);
    });
  }

  test('a sign-in mail is in the reader’s language', async ({ page, journal }) => {
    const email = newEmail();
    const visitor = new Visitor(page, 'de');
    await requestMail(visitor, '/auth/magic', email);
    const { mail } = await mailFor(journal.server, email, 'magic');
    expect(mail.html).toContain('lang="de"');
  });

  test('a sign-in mail can be requested again and for another e-mail address', async ({ page, journal }) => {
    const [first, second] = [newEmail(), newEmail()];
    const visitor = new Visitor(page);
    const { authMail } = visitor.m;
    await requestMail(visitor, '/auth/magic', first);
    await mailFor(journal.server, first, 'magic');
    await button(page, authMail.send.again).click();
    await expect(page.getByRole('status').filter({ hasText: authMail.send.sentAgain })).toBeVisible();
    await mailFor(journal.server, first, 'magic', 2);
    await page.getByRole('link', { name: authMail.send.otherEmail }).click();
    await expect(fields(page).email).toHaveValue(first);
    await fields(page).email.fill(second);
    await button(page, authMail.magic.send).click();
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
    await fields(page).code.fill(code);
    await button(page, authMail.magic.signIn).click();
    await expect(heading(page, signIn.results.app.title)).toBeVisible();
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
      expect(response.headers.get('cache-control')).toBe('no-store');
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
    await button(page, magic.signIn).click();
    await expectSignedIn(visitor);

    await button(scanner, magic.signIn).click();
    await expect(heading(scanner, texts.usedTitle)).toBeVisible();
    await scanner.getByRole('link', { name: magic.requestAgain }).click();
    await expect(scanner).toHaveURL(/\/auth\/magic\?return_to=/);
    await expect(fields(scanner).email).toBeVisible();
    await expect(scanner.getByRole('button', { name: late.m.layout.signIn })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 400/);
    await scanner.context().close();
  });
});

test.describe('an e-mail address', () => {
  test('an e-mail address is verified by the button, not by opening the link', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const { link } = await mailFor(journal.server, author.email, 'verify');
    const visitor = new Visitor(page);
    const { verify } = visitor.m.authMail;
    await page.clock.install();
    await page.goto(link);
    await visitor.hydrated();
    await page.clock.runFor(A_WHILE_MS);
    expect(await isVerified(journal.server, author)).toBe(false);
    await expectAccessible(page);
    await button(page, verify.confirm).click();
    await expect(heading(page, verify.doneTitle)).toBeFocused();
    expect(page.url()).not.toContain('token');
    expect(await isVerified(journal.server, author)).toBe(true);

    await page.goto(link);
    await visitor.hydrated();
    await button(page, verify.confirm).click();
    await expect(heading(page, verify.failedTitle)).toBeVisible();
    await expect(page.getByText(verify.failed)).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 400/);
  });

  test('an e-mail address can be verified with another try after a network failure', async ({
    page,
    journal,
    consoleErrors,
  }) => {
    const author = await signUp(journal.server);
    const { link } = await mailFor(journal.server, author.email, 'verify');
    const visitor = new Visitor(page);
    const { verify } = visitor.m.authMail;
    await page.goto(link);
    await visitor.hydrated();
    const restore = await failRequests(page, '**/api/auth/email/verify', 'POST');
    await button(page, verify.confirm).click();
    await expect(page.getByRole('main').getByRole('alert')).toHaveText(visitor.m.signIn.errors.NETWORK_ERROR);
    await restore();
    await button(page, verify.confirm).click();
    await expect(heading(page, verify.doneTitle)).toBeVisible();
    expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
  });
});

test('a link without its token is explained', async ({ page }) => {
  for (const language of ['en', 'es', 'fr', 'de'] as const) {
    const visitor = new Visitor(page, language);
    for (const path of ['/auth/reset', '/auth/verify']) {
      await visitor.open(path);
      await expect(heading(page, visitor.m.authMail.link.incompleteTitle)).toBeVisible();
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
    const { email, code, password } = fields(page);
    await page.goto(`${journal.server.url}/auth/forgot?lang=de`);
    await email.fill('ada@example');
    await button(page, m.authMail.forgot.send).click();
    await expect(email).toHaveAccessibleDescription(m.signIn.errors.INVALID_EMAIL);
    await expect(email).toHaveValue('ada@example');
    await email.fill(author.email);
    await button(page, m.authMail.forgot.send).click();
    await expect(page.getByText(m.authMail.forgot.sent(author.email))).toBeVisible();
    const { code: right } = await mailFor(journal.server, author.email, 'reset');
    await code.fill(otherThan(right));
    await password.fill(NEW_PASSWORD);
    await button(page, m.authMail.reset.save).click();
    await expect(code).toHaveAccessibleDescription(m.authMail.code.wrong(5));
    await expect(code).toHaveValue(otherThan(right));
    await expect(password).toHaveValue('');
    await code.fill(right);
    await password.fill(NEW_PASSWORD);
    await button(page, m.authMail.reset.save).click();
    await expect(heading(page, m.authMail.reset.doneTitle)).toBeVisible();
    expect(await signInByPassword(journal.server, author.email, NEW_PASSWORD)).toBe(200);
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
    await button(page, m.authMail.verify.confirm).click();
    await expect(heading(page, m.authMail.verify.doneTitle)).toBeVisible();
    expect(await isVerified(journal.server, author)).toBe(true);
    await page.goto(`${journal.server.url}/auth/forgot`);
    await fields(page).email.fill(author.email);
    await button(page, m.authMail.forgot.send).click();
    const reset = await mailFor(journal.server, author.email, 'reset');
    await page.goto(reset.link);
    await fields(page).password.fill(NEW_PASSWORD);
    await button(page, m.authMail.reset.save).click();
    await expect(heading(page, m.authMail.reset.doneTitle)).toBeVisible();
    expect(await signInByPassword(journal.server, author.email, NEW_PASSWORD)).toBe(200);
    await page.context().close();
  });

  test('a sign-in link for this site says without JavaScript that it needs it', async ({
    browser,
    journal,
  }) => {
    const email = newEmail();
    const page = await otherBrowser(browser, { javaScriptEnabled: false });
    const { magic } = new Visitor(page).m.authMail;
    await page.goto(`${journal.server.url}/auth/magic`);
    await fields(page).email.fill(email);
    await button(page, magic.send).click();
    await expect(heading(page, magic.sentTitle)).toBeVisible();
    expect(await page.content()).toContain(magic.codeNeedsScript);
    const { link } = await mailFor(journal.server, email, 'magic');
    await page.goto(link);
    await expect(heading(page, magic.linkTitle)).toBeVisible();
    expect(await page.content()).toContain(magic.needsScript);
    await expect(button(page, magic.signIn)).toBeHidden();
    await page.context().close();
  });
});

test.describe('for a page of another origin', () => {
  let server: RunningServer;
  let app: OtherOrigin;
  let origin: string;

  test.beforeAll(async () => {
    app = await startOtherOrigin();
    ({ origin } = app);
    server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', ALLOWED_ORIGINS: origin });
  });
  test.afterAll(async () => {
    app.close();
    await server.close();
  });

  const call = (path: string, body: Record<string, unknown>) =>
    fetch(`${server.url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ projectId: 'journal', ...body }),
    });

  for (const javaScriptEnabled of [true, false]) {
    const how = javaScriptEnabled ? 'with' : 'without';

    test(`a sign-in link hands its unused token to a page of another origin ${how} JavaScript`, async ({
      browser,
    }) => {
      const email = newEmail();
      await call('signin/magic', { email, redirectUrl: `${origin}/landing?own=1` });
      const { link } = await mailFor(server, email, 'magic');
      const page = await otherBrowser(browser, { javaScriptEnabled });
      const { m } = new Visitor(page);
      await page.goto(link);
      await button(page, m.authMail.link.continueTo(new URL(origin).host)).click();
      await page.waitForURL((url) => url.origin === origin);
      const query = new URL(page.url()).searchParams;
      expect(query.get('own')).toBe('1');
      const spend = () => call('signin/magic/verify', { token: query.get('magic_token') });
      expect(await (await spend()).json()).toMatchObject({ user: { email } });
      expect((await spend()).status, 'a second time').toBe(400);
      await page.context().close();
    });

    test(`the code of a mail hands the session to a page of another origin ${how} JavaScript`, async ({
      browser,
    }) => {
      const email = newEmail();
      const page = await otherBrowser(browser, { javaScriptEnabled });
      const visitor = new Visitor(page);
      const { magic } = visitor.m.authMail;
      const query = new URLSearchParams({
        redirect_url: `${origin}/landing`,
        mode: 'redirect',
        state: 's&=',
      });
      await page.goto(`${server.url}/auth/magic?${query}`);
      if (javaScriptEnabled) await visitor.hydrated();
      await fields(page).email.fill(email);
      await button(page, magic.send).click();
      await expect(page.getByText(magic.sentForCode(email))).toBeVisible();
      const { code } = await mailFor(server, email, 'magic');
      await fields(page).code.fill(code);
      await button(page, magic.signIn).click();
      await page.waitForURL((url) => url.origin === origin);
      const returned = Object.fromEntries(new URL(page.url()).searchParams);
      expect(returned).toMatchObject({ state: 's&=', project_id: 'journal', token_type: 'Bearer' });
      const me = await fetch(`${server.url}/api/auth/me`, {
        headers: { authorization: `Bearer ${returned.access_token}` },
      });
      expect(await me.json()).toMatchObject({ user: { email, emailVerified: true } });
      await page.context().close();
    });
  }

  test('a reset link hands its unused token to a page of another origin', async ({ page }) => {
    const author = await signUp(server);
    await call('password/reset', { email: author.email, redirectUrl: `${origin}/reset` });
    const { link } = await mailFor(server, author.email, 'reset');
    await page.goto(link);
    const { m } = new Visitor(page);
    await expect(fields(page).password).toHaveCount(0);
    await button(page, m.authMail.link.continueTo(new URL(origin).host)).click();
    await page.waitForURL((url) => url.origin === origin);
    const token = new URL(page.url()).searchParams.get('token');
    expect((await call('password/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(200);
  });

  test('a link to an origin that is not allowed is refused', async ({ page, consoleErrors }) => {
    const { refused } = new Visitor(page).m.signIn;
    for (const path of ['/auth/magic', '/auth/reset']) {
      for (const redirect_url of [
        'https://evil.example/',
        `${origin}.evil.example/`,
        `blob:${origin}/x`,
        'javascript:alert(1)',
        '',
      ]) {
        const url = `${server.url}${path}?${new URLSearchParams({ token: 'x', redirect_url })}`;
        const opened = await page.goto(url);
        expect(opened?.status(), url).toBe(400);
        await expect(page.getByText(refused.origin)).toBeVisible();
        const posted = await fetch(url, {
          method: 'POST',
          redirect: 'manual',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body: 'intent=onward',
        });
        expect(posted.status, url).toBe(400);
      }
    }
    expectConsoleErrors(consoleErrors, /status of 400/);
  });
});
