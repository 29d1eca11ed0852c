import { randomBytes } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { signUp } from '@fabrica/test-peers/author.ts';
import { startIdentityProvider, type TestIdentityProvider } from '@fabrica/test-peers/identity-provider.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Locator, Page } from '@playwright/test';
import { readStoredMails, type StoredMail } from '../../packages/backend/src/mail/file-transport.ts';
import { CODE_TRIES, type SignInResponse } from '../../packages/contract/src/auth.ts';
import { expect, expectAccessible, expectNoSidewaysScroll, test } from './journal.ts';
import { PASSWORD, Visitor } from './steps.ts';
import { expectConsoleErrors } from './traffic.ts';

/** Sign-ins that another page, a popup's opener or an app asked for, and those that wait for an address. */

let server: RunningServer;
/** Lets nobody in whose address is not confirmed. */
let strict: RunningServer;
let museum: TestIdentityProvider;
let stranger: Server;
let origin: string;

test.beforeAll(async () => {
  const [strangerPort, issuerPort] = [await freePort(), await freePort()];
  origin = `http://localhost:${strangerPort}`;
  stranger = createServer((_, response) =>
    response.setHeader('content-type', 'text/html').end('<!doctype html><title>App</title><h1>App</h1>'),
  );
  await new Promise<void>((resolve) => stranger.listen(strangerPort, '127.0.0.1', resolve));
  const settings = { DEMO: 'off', RATE_LIMIT: 'off', ALLOWED_ORIGINS: origin };
  server = await startServer({
    ...settings,
    OAUTH_MUSEUM_ISSUER: `http://127.0.0.1:${issuerPort}`,
    OAUTH_MUSEUM_CLIENT_ID: 'journal',
  });
  strict = await startServer({ ...settings, REQUIRE_VERIFIED_EMAIL: 'on' });
  museum = await startIdentityProvider({
    clientId: 'journal',
    redirectUris: [`${server.url}/api/auth/callback/museum`],
    accounts: [{ login: 'ada', email: 'ada@museum.example', emailVerified: true, name: 'Ada Byron' }],
    clientAuth: 'none',
    port: issuerPort,
  });
});
test.afterAll(async () => {
  stranger.closeAllConnections();
  stranger.close();
  await museum.close();
  await server.close();
  await strict.close();
});

function asked(path: string, query: Record<string, string>, on = server): string {
  return `${on.url}${path}?${new URLSearchParams({ project_id: 'journal', lang: 'en', ...query })}`;
}

const fields = (page: Page): Record<'email' | 'password' | 'code' | 'submit', Locator> => ({
  email: page.locator('[name=email]'),
  password: page.locator('[name=password]'),
  code: page.locator('[name=code]'),
  submit: page.locator('main form button[type=submit]'),
});

const newSession = () => randomBytes(16).toString('base64url');
const poll = (id: string) => fetch(`${server.url}/api/auth/mobile-session/${id}`);

async function methodsOf({ access_token }: Pick<SignInResponse, 'access_token'>): Promise<string[]> {
  const answer = await fetch(`${server.url}/api/auth/sessions`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  const { sessions } = (await answer.json()) as { sessions: { method: string }[] };
  return sessions.map(({ method }) => method).sort();
}

test.describe('for an app that polls', () => {
  test('the reader is asked whether they asked, and the app is given a session of its own', async ({
    page,
  }) => {
    const author = await signUp(server);
    const visitor = new Visitor(page);
    const { forApp, results } = visitor.m.signIn;
    const id = newSession();
    await page.goto(asked('/auth', { mode: 'mobile-session', session_id: id }));
    await visitor.hydrated();
    await expect(page.getByText(forApp)).toBeVisible();
    await expectAccessible(page);
    expect((await poll(id)).status).toBe(202);
    const { email, password, submit } = fields(page);
    await email.fill(author.email);
    await password.fill(PASSWORD);
    await submit.click();
    await expect(page.getByText(results.app.text)).toBeVisible();
    const session = (await (await poll(id)).json()) as SignInResponse;
    expect(session.user.email).toBe(author.email);
    // The sign-up's own and the app's: nothing is left of the one in between, and nobody is signed in here.
    expect(await methodsOf(session)).toEqual(['hand-over', 'password']);
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
  });

  test('a provider that lets its reader through without a word does not sign in the app', async ({
    browser,
  }) => {
    // A page whose console nobody listens to: the issuer has no icon, which a browser asks for when it finds the time.
    const page = await (await browser.newContext()).newPage();
    const visitor = new Visitor(page);
    const { forApp, complete, results } = visitor.m.signIn;
    const id = newSession();
    await page.goto(asked('/auth', { mode: 'mobile-session', session_id: id, provider: 'museum' }));
    await expect(page).toHaveURL((url) => url.origin === museum.issuer);
    await page.getByLabel('Login').fill('ada');
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL(/\/auth\/complete/);
    await visitor.hydrated();
    await expect(page.getByText(forApp)).toBeVisible();
    await expectAccessible(page);
    expect((await poll(id)).status).toBe(202);
    await page.getByRole('button', { name: complete.appGoOn }).click();
    await expect(page.getByText(results.app.text)).toBeVisible();
    const session = (await (await poll(id)).json()) as SignInResponse;
    expect(session.user.email).toBe('ada@museum.example');
    await page.context().close();
  });
});

test.describe('for the opener of a popup', () => {
  test('that is gone meanwhile nobody is signed in, and the reader is told', async ({ page, context }) => {
    const author = await signUp(server);
    await page.goto(origin);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(
        (address) => void window.open(address, 'sign-in', 'width=500,height=700'),
        asked('/auth', { mode: 'popup', opener_origin: origin, state: 's' }),
      ),
    ]);
    const visitor = new Visitor(popup);
    await visitor.hydrated();
    await expect(popup.getByText(visitor.m.signIn.continueTo(new URL(origin).host))).toBeVisible();
    await page.close();
    const { email, password, submit } = fields(popup);
    await email.fill(author.email);
    await password.fill(PASSWORD);
    await submit.click();
    await expect(popup.getByText(visitor.m.signIn.results['opener-gone'].text)).toBeVisible();
    expect(await methodsOf(author.session)).toEqual(['password']);
    expect(context.pages()).toEqual([popup]);
  });
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the form goes on to the page that asked, with the tokens', async ({ page, consoleErrors }) => {
    const author = await signUp(server);
    await page.goto(asked('/auth', { redirect_url: `${origin}/landing?own=1`, state: 'st4te' }));
    const { email, password, submit } = fields(page);
    await email.fill(author.email);
    await password.fill('not the passphrase');
    await submit.click();
    await expect(page.getByRole('alert')).toHaveText('Invalid email or password. Please try again.');
    await expect(email).toHaveValue(author.email);
    await expect(password).toHaveValue('');
    await password.fill(PASSWORD);
    await submit.click();
    await expect(page).toHaveURL((url) => url.origin === origin && url.pathname === '/landing');
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toMatchObject({
      own: '1',
      state: 'st4te',
      access_token: expect.any(String),
    });
    expectConsoleErrors(consoleErrors, /status of 401/);
  });
});

test.describe('while the address is not confirmed', () => {
  test('the six digits of the mail confirm it and sign in', async ({ page, consoleErrors }) => {
    const visitor = new Visitor(page, 'de');
    const { signIn, authMail, layout } = visitor.m;
    const address = `newcomer-${Date.now()}@example.org`;
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${strict.url}/auth?view=sign-up&return_to=/contact&lang=de`);
    await visitor.hydrated();
    const { email, password, code, submit } = fields(page);
    await email.fill(address);
    await password.fill(PASSWORD);
    await submit.click();
    await expect(page.getByText(signIn.verify.lead(address))).toBeVisible();
    await expect(code).toBeFocused();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await submit.click();
    await expect(code).toHaveAccessibleDescription(authMail.code.missing);
    const first = await codeTo(address);
    await code.fill(first === '111111' ? '222222' : '111111');
    await submit.click();
    await expect(code).toHaveAccessibleDescription(authMail.code.wrong(CODE_TRIES));
    await expect(code).toBeFocused();
    await page.getByRole('button', { name: signIn.verify.again }).click();
    await expect(page.getByText(signIn.verify.sentAgain)).toBeVisible();
    const newest = await codeTo(address, 2);
    await code.fill(`${newest.slice(0, 3)} ${newest.slice(3)}`);
    await submit.click();
    await expect(page).toHaveURL(`${strict.url}/contact`);
    await visitor.unfoldMenu();
    await expect(page.getByRole('button', { name: layout.signOut })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 40[03]/);
  });

  test('a reader who mistyped the address goes back to what was typed', async ({ page, consoleErrors }) => {
    const visitor = new Visitor(page);
    const address = `mistyped-${Date.now()}@example.org`;
    await page.goto(`${strict.url}/auth?view=sign-up&lang=en`);
    await visitor.hydrated();
    const { email, password, submit } = fields(page);
    await email.fill(address);
    await password.fill(PASSWORD);
    await submit.click();
    await page.getByRole('link', { name: visitor.m.authMail.send.otherEmail }).click();
    await expect(email).toHaveValue(address);
    await expect(password).toHaveValue('');
    expectConsoleErrors(consoleErrors, /status of 403/);
  });

  /** The six digits of the newest of this many mails. */
  async function codeTo(address: string, count = 1): Promise<string> {
    let mails: StoredMail[] = [];
    await expect
      .poll(async () => {
        mails = (await readStoredMails(join(strict.dataDir, 'outbox'))).filter(({ to }) => to === address);
        return mails.length;
      })
      .toBe(count);
    return /\b\d{3} ?\d{3}\b/.exec(mails[0]?.text ?? '')?.[0].replace(' ', '') ?? '';
  }
});
