import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { startIdentityProvider, type TestIdentityProvider } from '@fabrica/test-peers/identity-provider.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { expect, type Page } from '@playwright/test';
import { expectAccessible, test as journalTest } from '../journal.ts';
import { catalogues, Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

/** Sign-in at a real OpenID Connect issuer, for the journal itself and for the public client on another origin. */

const PUBLIC_CLIENT = fileURLToPath(
  new URL('../../../node_modules/@blinkdotnew/sdk/dist/index.mjs', import.meta.url),
);
const { signIn: texts, layout } = catalogues.en;
const ACCOUNTS = [
  { login: 'ada', email: 'ada@museum.example', emailVerified: true, name: 'Ada Byron' },
  { login: 'ines', email: 'ines@museum.example', emailVerified: true, name: 'Ines Roth' },
  { login: 'eve', email: 'eve@museum.example', emailVerified: true, name: 'Eve' },
];

interface Stage {
  server: RunningServer;
  museum: TestIdentityProvider;
  /** An origin that is allowed, and one that is not. */
  app: string;
  stranger: string;
}

let running: Stage;
let pages: Server[];

const test = journalTest.extend<{ stage: Stage }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of what a fixture needs from this
  stage: async ({}, use) => use(running),
  // There is none yet before all tests.
  baseURL: async ({ stage }, use) => use(stage?.server.url),
});

test.beforeAll(async () => {
  const [issuerPort, appPort, strangerPort] = [await freePort(), await freePort(), await freePort()];
  const app = `http://127.0.0.1:${appPort}`;
  const server = await startServer({
    OAUTH_MUSEUM_ISSUER: `http://127.0.0.1:${issuerPort}`,
    OAUTH_MUSEUM_CLIENT_ID: 'journal',
    OAUTH_MUSEUM_LABEL: 'The Museum',
    ALLOWED_ORIGINS: app,
    DEMO: 'off',
    ...BEHIND_PROXY,
  });
  const museum = await startIdentityProvider({
    clientId: 'journal',
    redirectUris: [`${server.url}/api/auth/callback/museum`],
    accounts: ACCOUNTS,
    clientAuth: 'none',
    port: issuerPort,
  });
  pages = [await servePage(appPort, server.url), await servePage(strangerPort, server.url)];
  running = { server, museum, app, stranger: `http://127.0.0.1:${strangerPort}` };
});
test.afterAll(async () => {
  for (const page of pages) {
    page.closeAllConnections();
    page.close();
  }
  await running.museum.close();
  await running.server.close();
  expect(limitedRequests(running.server)).toEqual([]);
});

/** Serves a page with the public client that shows the outcome of its sign-in. */
function servePage(port: number, origin: string): Promise<Server> {
  const html = `<!doctype html>
<title>App</title>
<button id="popup">Sign in by popup</button> <button id="redirect">Sign in by redirect</button>
<p id="outcome"></p>
<script type="module">
import { createClient } from '/client.mjs';
const redirecting = new URL(location.href).pathname === '/managed';
const client = createClient({
  projectId: 'journal',
  authRequired: false,
  auth: { mode: redirecting ? 'managed' : 'headless', authUrl: '${origin}', coreUrl: '${origin}' },
});
// Its events would go to the vendor's own server, three seconds after the page was opened.
client.analytics.disable();
const show = (text) => { document.querySelector('#outcome').textContent = text; };
client.auth.onAuthStateChanged(({ user }) => user && show('Signed in: ' + user.email));
document.querySelector('#popup').onclick = () =>
  client.auth.signInWithProvider('museum').then(
    () => client.auth.me().then((user) => show('Signed in: ' + user.email)),
    (error) => show('Refused: ' + error.code),
  );
document.querySelector('#redirect').onclick = () => client.auth.login();
</script>`;
  const server = createServer((request, response) => {
    const script = request.url === '/client.mjs';
    response.setHeader('content-type', script ? 'text/javascript' : 'text/html; charset=utf-8');
    response.end(script ? readFileSync(PUBLIC_CLIENT) : html);
  });
  return new Promise((resolve) => server.listen(port, '127.0.0.1', () => resolve(server)));
}

async function signInAtMuseum(page: Page, login: string): Promise<void> {
  await page.getByLabel('Login').fill(login);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

/** Clicks and returns the popup that the click opens. */
async function popupOf(page: Page, click: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent('popup'), click()]);
  return popup;
}

test.describe('sign-in at an identity provider', () => {
  test('signing in at a provider returns the reader to the same page', async ({ page, stage }) => {
    const visitor = new Visitor(page);
    await visitor.open('/contact');
    await page.getByRole('button', { name: layout.signIn, exact: true }).click();
    await page.getByRole('link', { name: texts.providers.continueWith('The Museum') }).click();
    await expect(page).toHaveURL((url) => url.origin === stage.museum.issuer);
    await signInAtMuseum(page, 'ada');
    await expect(page).toHaveURL(/\/contact/);
    await expect(page.getByRole('link', { name: texts.welcome.firstPost })).toBeVisible();
    await expect(page.getByRole('button', { name: layout.signOut, exact: true })).toBeVisible();
    // No parameter of the sign-in is left in the URL.
    expect(new URL(page.url()).search).not.toMatch(/code|token|state/);
  });

  test('the first sign-in at a provider to an account of before asks for a mailed code', async ({
    page,
    stage,
    consoleErrors,
  }) => {
    const email = 'ines@museum.example';
    const post = (path: string, body: object) =>
      page.request.post(`/api/auth${path}`, { data: { projectId: 'journal', ...body } });
    const findInMails = async (pattern: RegExp) => {
      const texts = (await stage.server.mailsTo(email)).map(({ text }) => pattern.exec(text)?.[1]);
      return texts.findLast((found) => found !== undefined);
    };
    await post('/signup', { email, password: 'a long enough passphrase' });
    await expect.poll(() => findInMails(/token=(\S+)/)).toBeDefined();
    const token = decodeURIComponent((await findInMails(/token=([^\s&]+)/)) ?? '');
    expect((await post('/email/verify', { token })).status()).toBe(200);

    const visitor = new Visitor(page, 'de');
    const { m } = visitor;
    await visitor.open('/auth?return=/contact');
    await page.getByRole('link', { name: m.signIn.providers.continueWith('The Museum') }).click();
    await signInAtMuseum(page, 'ines');
    await expect(page.getByRole('heading', { name: m.factors.link.title })).toBeVisible();
    await expectAccessible(page);
    await expect.poll(() => findInMails(/^(\d{6})$/m)).toBeDefined();
    await page.getByLabel(m.factors.link.code).fill('000');
    await page.getByRole('button', { name: m.factors.step.signIn }).click();
    await expect(page.getByText(m.factors.codeWrong)).toBeVisible();
    await page.getByLabel(m.factors.link.code).fill((await findInMails(/^(\d{6})$/m)) ?? '');
    await page.getByRole('button', { name: m.factors.step.signIn }).click();
    await expect(page.getByRole('button', { name: m.layout.signOut, exact: true })).toBeVisible();
    expectConsoleErrors(consoleErrors, /status of 401/);
  });

  test('a cancelled sign-in at a provider is explained, and it can be tried again', async ({ page }) => {
    await new Visitor(page).open('/auth');
    await page.getByRole('link', { name: texts.providers.continueWith('The Museum') }).click();
    await page.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.getByText(texts.errors.POPUP_CANCELED)).toBeVisible();
    await expect(page.getByRole('link', { name: texts.providers.continueWith('The Museum') })).toBeVisible();
  });

  test('the public client signs in at a provider by popup from an allowed origin', async ({
    page,
    stage,
  }) => {
    await page.goto(stage.app);
    const popup = await popupOf(page, () => page.getByRole('button', { name: 'Sign in by popup' }).click());
    await signInAtMuseum(popup, 'ada');
    await expect(page.locator('#outcome')).toHaveText('Signed in: ada@museum.example');
    await expect.poll(() => popup.isClosed()).toBe(true);
  });

  test('the public client gets POPUP_CANCELED for a cancelled popup', async ({ page, stage }) => {
    await page.goto(stage.app);
    const popup = await popupOf(page, () => page.getByRole('button', { name: 'Sign in by popup' }).click());
    await popup.getByRole('link', { name: 'Cancel' }).click();
    await expect(page.locator('#outcome')).toHaveText('Refused: POPUP_CANCELED');
  });

  test('the public client signs in at a provider by redirect from an allowed origin', async ({
    page,
    stage,
  }) => {
    await page.goto(`${stage.app}/managed`);
    await page.getByRole('button', { name: 'Sign in by redirect' }).click();
    await page.getByRole('link', { name: texts.providers.continueWith('The Museum') }).click();
    await signInAtMuseum(page, 'eve');
    await expect(page.locator('#outcome')).toHaveText('Signed in: eve@museum.example');
    await expect(page).toHaveURL((url) => url.origin === stage.app && !url.searchParams.has('access_token'));
  });

  test('a sign-in by popup or redirect from an origin that is not allowed is refused', async ({
    page,
    stage,
    consoleErrors,
  }) => {
    await page.goto(stage.stranger);
    const popup = await popupOf(page, () => page.getByRole('button', { name: 'Sign in by popup' }).click());
    await expect(popup.getByRole('heading', { name: texts.refused.title })).toBeVisible();
    await popup.close();
    await page.goto(`${stage.stranger}/managed`);
    await page.getByRole('button', { name: 'Sign in by redirect' }).click();
    await expect(page.getByRole('heading', { name: texts.refused.title })).toBeVisible();
    expect(new URL(page.url()).origin).toBe(stage.server.url);
    expectConsoleErrors(consoleErrors, /status of 400/);
  });

  test('a sign-in at a provider cannot be completed in another browser', async ({ page, browser, stage }) => {
    await new Visitor(page).open('/auth');
    await page.getByRole('link', { name: texts.providers.continueWith('The Museum') }).click();
    // An attacker starts a sign-in and makes a victim open its last step.
    const lastStep = page.waitForRequest(/\/api\/auth\/callback\/museum/);
    await page.route(/\/api\/auth\/callback\/museum/, (route) => route.abort());
    await signInAtMuseum(page, 'eve');
    const link = (await lastStep).url();
    const victim = await (await browser.newContext({ baseURL: stage.server.url })).newPage();
    await victim.goto(link);
    await expect(victim.getByText(texts.complete.failed)).toBeVisible();
    await expect(victim.getByRole('button', { name: layout.signIn, exact: true })).toBeVisible();
    await victim.context().close();
  });

  test('a sign-in with a password in a popup hands its tokens to the opener', async ({ page, stage }) => {
    const email = `popup-${Date.now()}@example.org`;
    await page.goto(stage.app);
    const popup = await popupOf(page, () =>
      page.evaluate((serverUrl) => {
        window.addEventListener('message', ({ data, origin }) => {
          if (data?.type === 'BLINK_AUTH_TOKENS' && origin === serverUrl) {
            (document.querySelector('#outcome') as HTMLElement).textContent =
              `${data.projectId} ${data.state} ${opened?.closed ? 'closed' : 'open'}`;
          }
        });
        const query = new URLSearchParams({
          project_id: 'journal',
          mode: 'popup',
          state: 'the-state',
          opener_origin: window.location.origin,
          view: 'sign-up',
        });
        const opened = window.open(`${serverUrl}/auth?${query}`, 'sign-in', 'width=500,height=700');
      }, stage.server.url),
    );
    await new Visitor(popup).hydrated();
    await popup.getByLabel(texts.email, { exact: true }).fill(email);
    await popup.getByLabel(texts.password, { exact: true }).fill('a long enough passphrase');
    await popup.getByRole('button', { name: texts.signUp, exact: true }).click();
    // A client that found the popup closed before its message would count the sign-in as cancelled.
    await expect(page.locator('#outcome')).toHaveText('journal the-state open');
    await expect.poll(() => popup.isClosed()).toBe(true);
  });
});
