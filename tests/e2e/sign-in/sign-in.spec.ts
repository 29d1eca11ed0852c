import { signUp } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Locator, Page } from '@playwright/test';
import { expect, expectAccessible, test } from '../journal.ts';
import { type OtherOrigin, startOtherOrigin } from '../other-origin.ts';
import { signInOn } from '../people.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors, pauseRequests, recordRequests } from '../traffic.ts';

let accounts = 0;
function newEmail(): string {
  accounts += 1;
  return `newcomer-${accounts}-${Date.now()}@example.org`;
}

const fields = (page: Page) => ({
  name: page.locator('[name=name]'),
  email: page.locator('[name=email]'),
  password: page.locator('[name=password]'),
  submit: page.locator('main form button[type=submit]'),
});

const signedIn = ({ page, m }: Visitor) =>
  page.getByRole('button', { name: m.layout.signOut, includeHidden: true });

test('faults of the form are described beside their fields without a request, and so are a taken address and a common password', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const author = await signUp(journal.server);
  const visitor = new Visitor(page);
  const { errors, passwordMissing } = visitor.m.signIn;
  await visitor.open('/auth');
  const calls = recordRequests(page, (request) => request.method() !== 'GET');
  const { email, password, submit } = fields(page);
  await submit.click();
  await expect(email).toHaveAccessibleDescription('Please enter a valid email address.');
  await expect(password).toHaveAccessibleDescription(passwordMissing);
  await expect(email).toBeFocused();
  await expectAccessible(page);

  await visitor.open('/auth?view=sign-up');
  await email.fill('ada@example');
  await password.fill('short');
  await submit.click();
  await expect(email).toHaveAccessibleDescription(errors.INVALID_EMAIL);
  await expect(password).toHaveAccessibleDescription(errors.WEAK_PASSWORD);
  await expectAccessible(page);
  expect(calls).toEqual([]);

  await email.fill(author.email.toUpperCase());
  await password.fill(PASSWORD);
  await submit.click();
  await expect(email).toHaveAccessibleDescription('An account with this email already exists.');
  await expect(email).toBeFocused();
  await email.fill(newEmail());
  await password.fill('password1234');
  await submit.click();
  await expect(password).toHaveAccessibleDescription(new RegExp(errors.WEAK_PASSWORD));
  expectConsoleErrors(consoleErrors, /status of 4\d\d/);
});

test('a network failure is explained, a wrong password and an unknown address alike, and the next try signs in', async ({
  page,
  journal,
  consoleErrors,
}) => {
  const author = await signUp(journal.server);
  const visitor = new Visitor(page);
  await visitor.open('/auth');
  await page.route('**/api/auth/signin/email', (route) => route.abort('connectionfailed'), { times: 1 });
  const { email, password, submit } = fields(page);
  await email.fill(author.email);
  await password.fill(PASSWORD);
  await submit.click();
  await expect(page.locator('form').getByRole('alert')).toHaveText(
    'Network error. Please check your connection and try again.',
  );

  for (const typed of [author.email, newEmail()]) {
    await email.fill(typed);
    await password.fill('not the passphrase');
    await submit.click();
    await expect(page.locator('form').getByRole('alert')).toHaveText(
      'Invalid email or password. Please try again.',
    );
    await expect(email).toHaveValue(typed);
  }
  await expect(page).toHaveURL(/\/auth/);
  await expectAccessible(page);

  await email.fill(author.email);
  await password.fill(PASSWORD);
  await submit.click();
  await expect(page).toHaveURL(/\/gallery/);
  await expect(signedIn(visitor)).toBeVisible();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/, /status of 401/);
});

test('submitting twice is one sign-up, and the button shows its progress', async ({ page }) => {
  const visitor = new Visitor(page);
  await visitor.open('/auth?view=sign-up');
  const calls = recordRequests(page, (request) => request.url().endsWith('/api/auth/signup'));
  const signUps = await pauseRequests(page, '**/api/auth/signup', 'POST');
  const { email, password, submit } = fields(page);
  await email.fill(newEmail());
  await password.fill(PASSWORD);
  await page.locator('main form').evaluate((form: HTMLFormElement) => {
    form.requestSubmit();
    form.requestSubmit();
  });
  await signUps.paused;
  await expect(submit).toHaveText(visitor.m.signIn.signingUp);
  await expect(submit).toBeDisabled();
  signUps.release();
  await expect(page).toHaveURL(/\/gallery/);
  expect(calls).toHaveLength(1);
});

test('signing in leads to the requested page of this site and to no other site', async ({
  page,
  journal,
}) => {
  const { visitor } = await signInOn(page, journal.server);
  for (const [wanted, path] of [
    ['/contact', '/contact'],
    ['/about-me?x=1#vision', '/about-me?x=1#vision'],
    ['https://evil.example/', '/gallery'],
    ['//evil.example/', '/gallery'],
    ['/\\evil.example/', '/gallery'],
    ['/\t/evil.example/', '/gallery'],
    ['javascript:alert(1)', '/gallery'],
    ['/auth?return_to=/auth', '/gallery'],
  ] as const) {
    // A signed-in reader is redirected at once.
    await page.goto(`/auth?${new URLSearchParams({ return_to: wanted })}`);
    await expect(page, wanted).toHaveURL(`${journal.server.url}${path}`);
  }
  await expect(signedIn(visitor)).toBeVisible();
});

/** Presses Tab until an element has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let presses = 0; presses < 25; presses += 1) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press('Tab');
  }
  throw new Error('Tab does not reach the element.');
}

test('signing up from the gallery works with the keyboard alone', async ({ page }) => {
  const visitor = new Visitor(page);
  const { layout, signIn } = visitor.m;
  await visitor.open('/gallery');
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: layout.skipToContent })).toBeFocused();
  await tabTo(page, page.getByRole('button', { name: layout.signIn }));
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/auth/);
  await visitor.hydrated();
  await tabTo(page, page.getByRole('link', { name: signIn.signUpTab, exact: true }));
  await page.keyboard.press('Enter');
  const { name, email, password } = fields(page);
  await tabTo(page, name);
  await page.keyboard.type('Grace Hopper');
  await tabTo(page, email);
  await page.keyboard.type(newEmail());
  await tabTo(page, password);
  await page.keyboard.type(PASSWORD);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/gallery/);
  await expect(signedIn(visitor)).toBeVisible();
});

test.describe('for a page of another origin', () => {
  let server: RunningServer;
  let app: OtherOrigin;
  let origin: string;

  test.beforeAll(async () => {
    app = await startOtherOrigin();
    ({ origin } = app);
    server = await startServer({ DEMO: 'off', ...BEHIND_PROXY, ALLOWED_ORIGINS: origin });
  });
  test.afterAll(async () => {
    app.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
  });

  const request = (redirectUrl: string, more: Record<string, string> = {}) =>
    `${server.url}/auth?${new URLSearchParams({ redirect_url: redirectUrl, project_id: 'journal', mode: 'redirect', lang: 'en', ...more })}`;

  test('a page of an allowed origin gets tokens, which are not stored on this site', async ({ page }) => {
    const author = await signUp(server);
    const visitor = new Visitor(page);
    await page.goto(request(`${origin}/landing?own=1`, { state: 'st4te' }));
    await visitor.hydrated();
    await expect(page.getByText(visitor.m.signIn.continueTo(new URL(origin).host))).toBeVisible();
    const { email, password, submit } = fields(page);
    await email.fill(author.email);
    await password.fill(PASSWORD);
    await submit.click();
    await page.waitForURL((url) => url.origin === origin);
    const query = Object.fromEntries(new URL(page.url()).searchParams);
    expect(query).toMatchObject({
      own: '1',
      state: 'st4te',
      project_id: 'journal',
      token_type: 'Bearer',
      expires_in: '900',
      refresh_expires_in: '2592000',
    });
    const me = await fetch(`${server.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${query.access_token}` },
    });
    expect(await me.json()).toMatchObject({ user: { email: author.email } });
    await page.goto(`${server.url}/gallery`);
    await visitor.hydrated();
    await expect(page.getByRole('button', { name: visitor.m.layout.signIn })).toBeVisible();
  });

  test('a signed-in reader hands no tokens over without signing in again', async ({ page }) => {
    await signInOn(page, server);
    await page.goto(request(`${origin}/landing`));
    const visitor = new Visitor(page);
    await visitor.hydrated();
    await expect(signedIn(visitor)).toBeVisible();
    await expect(fields(page).password).toBeVisible();
    expect(new URL(page.url()).origin).toBe(server.url);
  });
});
