import { expect, test } from '../journal.ts';
import { PASSWORD, Visitor } from '../steps.ts';
import { expectConsoleErrors } from '../traffic.ts';

/** Signing in without a script, and what becomes of that session where a script runs. */

test('a reader without JavaScript signs up, signs out, errs, signs in and comes back', async ({
  browser,
  journal,
  consoleErrors,
}) => {
  const context = await browser.newContext({ baseURL: journal.server.url, javaScriptEnabled: false });
  const page = await context.newPage();
  const { m } = new Visitor(page);
  const email = `unscripted.${Date.now()}@example.org`;
  const field = (label: string) => page.getByLabel(label, { exact: true });
  const header = page.getByRole('banner');

  await page.goto('/about-me?lang=en');
  await header.getByRole('button', { name: m.layout.signIn }).click();
  await page.getByRole('link', { name: m.signIn.signUpTab, exact: true }).click();
  await field(m.signIn.name).fill('Ada Byron');
  await field(m.signIn.email).fill(email);
  await field(m.signIn.password).fill('short');
  await page.getByRole('main').getByRole('button', { name: m.signIn.signUp, exact: true }).click();
  await expect(page.getByText(m.signIn.errors.WEAK_PASSWORD)).toBeVisible();
  await expect(field(m.signIn.name)).toHaveValue('Ada Byron');
  await expect(field(m.signIn.email)).toHaveValue(email);
  await expect(field(m.signIn.password)).toHaveValue('');
  await field(m.signIn.password).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: m.signIn.signUp, exact: true }).click();
  await page.waitForURL('**/about-me');

  await header.getByRole('link', { name: m.layout.createPost }).click();
  expect(await page.content()).toContain(m.layout.needsScript);
  await page.goto('/auth');
  await page.waitForURL('**/gallery');
  await page.goto('/about-me');
  await header.getByRole('button', { name: m.layout.signOut, exact: true }).click();
  await page.waitForURL('**/about-me');
  await expect(header.getByRole('link', { name: m.layout.createPost })).toBeHidden();

  await header.getByRole('button', { name: m.layout.signIn }).click();
  await field(m.signIn.email).fill(email);
  await field(m.signIn.password).fill('not the password');
  await page.getByRole('main').getByRole('button', { name: m.signIn.signIn, exact: true }).click();
  await expect(page.getByRole('alert')).toHaveText(m.signIn.errors.INVALID_CREDENTIALS);
  await expect(field(m.signIn.email)).toHaveValue(email);
  await field(m.signIn.password).fill(PASSWORD);
  await page.getByRole('main').getByRole('button', { name: m.signIn.signIn, exact: true }).click();
  await page.waitForURL('**/about-me');
  await expect(header.getByRole('button', { name: m.layout.signOut, exact: true })).toBeVisible();
  await context.close();
  expectConsoleErrors(consoleErrors, /400/, /401/);
});

test('a form that is sent before the script runs signs in, and the script takes that one session over', async ({
  page,
  context,
  journal,
  consoleErrors,
}) => {
  const visitor = new Visitor(page);
  const { m } = visitor;
  await visitor.open('/about-me');
  const email = await visitor.signUp('Clara Haskil');
  await visitor.hydrated();
  await page.getByRole('button', { name: m.layout.signOut, exact: true }).click();
  await expect(page.getByRole('button', { name: m.layout.signIn })).toBeVisible();

  await page.route('**/assets/*.js', (route) => route.abort('connectionfailed'));
  const failed = page.waitForEvent('requestfailed');
  await page.goto('/auth?return_to=/account');
  await failed;
  await page.getByLabel(m.signIn.email, { exact: true }).fill(email);
  await page.getByLabel(m.signIn.password, { exact: true }).fill(PASSWORD);
  await page.unroute('**/assets/*.js');
  await page.getByRole('main').getByRole('button', { name: m.signIn.signIn, exact: true }).click();
  await page.waitForURL('**/account');
  await expect(page.getByRole('heading', { name: m.account.sessions.title })).toBeVisible();
  await expect(page.getByText(m.account.sessions.thisOne)).toHaveCount(1);
  await expect
    .poll(async () => (await context.cookies()).map(({ name }) => name))
    .not.toContain('fabrica_session');

  await page.reload();
  await expect(page.getByRole('button', { name: m.layout.signOut, exact: true })).toBeVisible();
  await page.getByRole('button', { name: m.layout.signOut, exact: true }).click();
  await expect(page.getByRole('button', { name: m.layout.signOut, exact: true })).toHaveCount(0);
  await page.goto(`${journal.server.url}/about-me`);
  await visitor.hydrated();
  await expect(page.getByRole('button', { name: m.layout.signIn })).toBeVisible();
  expectConsoleErrors(consoleErrors, /ERR_CONNECTION_FAILED/);
});
