import { randomBytes } from 'node:crypto';
import type { SignInResponse } from '@fabrica/contract';
import { CODE_TRIES } from '@fabrica/contract';
import { signUp } from '@fabrica/test-peers/author.ts';
import { startIdentityProvider, type TestIdentityProvider } from '@fabrica/test-peers/identity-provider.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, expectNoSidewaysScroll, startMailingServer, test } from '../journal.ts';
import { type OtherOrigin, startOtherOrigin } from '../other-origin.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

/** Sign-ins for another page, a popup's opener or an app, and those that wait for a verified e-mail address. */

let server: RunningServer;
/** A server that requires a verified e-mail address. */
let strict: RunningServer;
let museum: TestIdentityProvider;
let app: OtherOrigin;
let origin: string;

test.beforeAll(async () => {
  const issuerPort = await freePort();
  app = await startOtherOrigin();
  ({ origin } = app);
  const settings = { DEMO: 'off', ...BEHIND_PROXY, ALLOWED_ORIGINS: origin };
  server = await startServer({
    ...settings,
    OAUTH_MUSEUM_ISSUER: `http://127.0.0.1:${issuerPort}`,
    OAUTH_MUSEUM_CLIENT_ID: 'journal',
  });
  strict = await startMailingServer({ ...settings, REQUIRE_VERIFIED_EMAIL: 'on' });
  museum = await startIdentityProvider({
    clientId: 'journal',
    redirectUris: [`${server.url}/api/auth/callback/museum`],
    accounts: [{ login: 'ada', email: 'ada@museum.example', emailVerified: true, name: 'Ada Byron' }],
    clientAuth: 'none',
    port: issuerPort,
  });
});
test.afterAll(async () => {
  app.close();
  await museum.close();
  await server.close();
  expect(limitedRequests(server)).toEqual([]);
  await strict.close();
  expect(limitedRequests(strict)).toEqual([]);
});

function urlWith(path: string, query: Record<string, string>, on = server): string {
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
  const response = await fetch(`${server.url}/api/auth/sessions`, {
    headers: { authorization: `Bearer ${access_token}` },
  });
  const { sessions } = (await response.json()) as { sessions: { method: string }[] };
  return sessions.map(({ method }) => method).sort();
}

test.describe('for an app that polls', () => {
  test('a reader confirms a sign-in for an app, and the app gets a session of its own', async ({ page }) => {
    const author = await signUp(server);
    const visitor = new Visitor(page);
    const { forApp, results } = visitor.m.signIn;
    const id = newSession();
    await page.goto(urlWith('/auth', { mode: 'mobile-session', session_id: id }));
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
    // The sessions of the sign-up and of the app: the one in between has ended, and this page is not signed in.
    expect(await methodsOf(session)).toEqual(['hand-over', 'password']);
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
  });

  test('a sign-in at a provider signs an app in only after the reader’s confirmation', async ({
    browser,
  }) => {
    const page = await (await browser.newContext()).newPage();
    const visitor = new Visitor(page);
    const { forApp, complete, results } = visitor.m.signIn;
    const id = newSession();
    await page.goto(urlWith('/auth', { mode: 'mobile-session', session_id: id, provider: 'museum' }));
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
  test('a sign-in for a popup’s opener that was closed is ended and explained', async ({ page, context }) => {
    const author = await signUp(server);
    await page.goto(origin);
    const [popup] = await Promise.all([
      page.waitForEvent('popup'),
      page.evaluate(
        (url) => void window.open(url, 'sign-in', 'width=500,height=700'),
        urlWith('/auth', { mode: 'popup', opener_origin: origin, state: 's' }),
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

test.describe('in a frame of another page', () => {
  /** Shows the gallery in a frame of the page. The page gives tokens to a frame that requests them; returns what it was sent. */
  async function embed(
    page: Page,
    parent: string,
    tokens: SignInResponse,
  ): Promise<() => Promise<unknown[]>> {
    await page.goto(parent);
    await page.evaluate(
      ({ src, given }) => {
        const received: unknown[] = [];
        Object.assign(window, { received });
        window.addEventListener('message', ({ data, source, origin: from }) => {
          received.push(data);
          source?.postMessage({ type: 'BLINK_AUTH_TOKENS', tokens: given }, { targetOrigin: from });
        });
        const frame = document.createElement('iframe');
        Object.assign(frame, { src, width: 1200, height: 700 });
        document.body.append(frame);
      },
      { src: `${server.url}/gallery?lang=en`, given: tokens },
    );
    return () => page.evaluate(() => (window as unknown as { received: unknown[] }).received);
  }

  test('a page of an allowed origin signs its reader in and out in the frame', async ({ page }) => {
    const { session } = await signUp(server);
    const received = await embed(page, origin, session);
    const { layout } = new Visitor(page).m;
    const frame = page.frameLocator('iframe');
    await expect(frame.getByRole('button', { name: layout.signOut, exact: true })).toBeVisible();
    expect(await received()).toEqual([{ type: 'BLINK_REQUEST_AUTH_TOKENS', projectId: 'journal' }]);
    // The tokens stay in this frame: the browser's other tabs are not signed in.
    const stored = await page.frames()[1]?.evaluate(() => JSON.stringify(localStorage));
    expect(stored).not.toContain(session.refresh_token);
    await page.evaluate(
      (target) => window.frames[0]?.postMessage({ type: 'BLINK_AUTH_LOGOUT' }, { targetOrigin: target }),
      server.url,
    );
    await expect(frame.getByRole('button', { name: layout.signIn, exact: true })).toBeVisible();
  });

  test('a page of any other origin can neither show the journal nor hand it tokens', async ({
    page,
    consoleErrors,
  }) => {
    const stranger = await startOtherOrigin();
    const { session } = await signUp(server);
    const blocked = page.waitForEvent('console', (message) => message.text().includes('frame-ancestors'));
    const received = await embed(page, stranger.origin, session);
    await blocked;
    await expect(page.frameLocator('iframe').locator('main')).toHaveCount(0);
    expect(await received()).toEqual([]);
    stranger.close();
    expectConsoleErrors(consoleErrors, /frame-ancestors/);
    // Where a browser shows it all the same, the page knows the allowed origins alone.
    const html = await (await fetch(`${server.url}/gallery`)).text();
    expect(html).toContain(`data-parent-origins="${origin}"`);
  });
});

test.describe('an unverified e-mail address', () => {
  test('the six digits of the mail verify an e-mail address and sign in', async ({ page, consoleErrors }) => {
    const visitor = new Visitor(page, 'de');
    const { signIn, authMail, layout } = visitor.m;
    const newcomer = `newcomer-${Date.now()}@example.org`;
    await page.setViewportSize({ width: 360, height: 780 });
    await page.goto(`${strict.url}/auth?view=sign-up&return_to=/contact&lang=de`);
    await visitor.hydrated();
    const { email, password, code, submit } = fields(page);
    await email.fill(newcomer);
    await password.fill(PASSWORD);
    await submit.click();
    await expect(page.getByText(signIn.verify.lead(newcomer))).toBeVisible();
    await expect(code).toBeFocused();
    await expectAccessible(page);
    await expectNoSidewaysScroll(page);

    await submit.click();
    await expect(code).toHaveAccessibleDescription(authMail.code.missing);
    const first = await codeTo(newcomer);
    await code.fill(first === '111111' ? '222222' : '111111');
    await submit.click();
    await expect(code).toHaveAccessibleDescription(authMail.code.wrong(CODE_TRIES));
    await expect(code).toBeFocused();
    await page.getByRole('button', { name: authMail.send.again }).click();
    await expect(page.getByText(signIn.verify.sentAgain)).toBeVisible();
    const newest = await codeTo(newcomer, 2);
    await code.fill(`${newest.slice(0, 3)} ${newest.slice(3)}`);
    await submit.click();
    await expect(page).toHaveURL(`${strict.url}/contact`);
    await visitor.unfoldMenu();
    await expect(page.getByRole('button', { name: layout.signOut })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 40[03]/);
  });

  test('a reader can go back and correct a mistyped e-mail address', async ({ page, consoleErrors }) => {
    const visitor = new Visitor(page);
    const newcomer = `mistyped-${Date.now()}@example.org`;
    await page.goto(`${strict.url}/auth?view=sign-up&lang=en`);
    await visitor.hydrated();
    const { email, password, submit } = fields(page);
    await email.fill(newcomer);
    await password.fill(PASSWORD);
    await submit.click();
    await page.getByRole('link', { name: visitor.m.authMail.send.otherEmail }).click();
    await expect(email).toHaveValue(newcomer);
    await expect(password).toHaveValue('');
    expectConsoleErrors(consoleErrors, /status of 403/);
  });

  /** Waits for the `count`th mail and returns its six digits. */
  async function codeTo(email: string, count = 1): Promise<string> {
    await expect.poll(() => strict.mailsTo(email)).toHaveLength(count);
    const mail = (await strict.mailsTo(email)).at(-1);
    return /\b\d{3} ?\d{3}\b/.exec(mail?.text ?? '')?.[0].replace(' ', '') ?? '';
  }
});
