import { signUp } from '@fabrica/test-peers/author.ts';
import { BEHIND_PROXY, limitedRequests } from '@fabrica/test-peers/ip-addresses.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import { expect, startMailingServer, test } from '../journal.ts';
import { type OtherOrigin, startOtherOrigin } from '../other-origin.ts';
import { Visitor } from '../steps.ts';
import { mailFields, mailFor, mainButton, NEW_PASSWORD, newEmail, otherBrowser } from './auth-mails.ts';

test.describe('for a page of another origin', () => {
  let server: RunningServer;
  let app: OtherOrigin;
  let origin: string;

  test.beforeAll(async () => {
    app = await startOtherOrigin();
    ({ origin } = app);
    server = await startMailingServer({ DEMO: 'off', ...BEHIND_PROXY, ALLOWED_ORIGINS: origin });
  });
  test.afterAll(async () => {
    app.close();
    await server.close();
    expect(limitedRequests(server)).toEqual([]);
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
      await mainButton(page, m.authMail.link.continueTo(new URL(origin).host)).click();
      await page.waitForURL((url) => url.origin === origin);
      const query = new URL(page.url()).searchParams;
      expect(query.get('own')).toBe('1');
      const spend = () => call('signin/magic/verify', { token: query.get('magic_token') });
      expect(await (await spend()).json()).toMatchObject({ user: { email } });
      expect((await spend()).status, 'a second time').toBe(400);
      await page.context().close();
    });
  }

  test('the code of a mail hands the session to a page of another origin', async ({ page }) => {
    const email = newEmail();
    const visitor = new Visitor(page);
    const { magic } = visitor.m.authMail;
    const query = new URLSearchParams({
      redirect_url: `${origin}/landing`,
      mode: 'redirect',
      state: 's&=',
    });
    await page.goto(`${server.url}/auth/magic?${query}`);
    await visitor.hydrated();
    await mailFields(page).email.fill(email);
    await mainButton(page, magic.send).click();
    await expect(page.getByText(magic.sentForCode(email))).toBeVisible();
    const { code } = await mailFor(server, email, 'magic');
    await mailFields(page).code.fill(code);
    await mainButton(page, magic.signIn).click();
    await page.waitForURL((url) => url.origin === origin);
    const returned = Object.fromEntries(new URL(page.url()).searchParams);
    expect(returned).toMatchObject({ state: 's&=', project_id: 'journal', token_type: 'Bearer' });
    const me = await fetch(`${server.url}/api/auth/me`, {
      headers: { authorization: `Bearer ${returned.access_token}` },
    });
    expect(await me.json()).toMatchObject({ user: { email, emailVerified: true } });
  });

  test('a reset link hands its unused token to a page of another origin', async ({ page }) => {
    const author = await signUp(server);
    await call('password/reset', { email: author.email, redirectUrl: `${origin}/reset` });
    const { link } = await mailFor(server, author.email, 'reset');
    await page.goto(link);
    const { m } = new Visitor(page);
    await expect(mailFields(page).password).toHaveCount(0);
    await mainButton(page, m.authMail.link.continueTo(new URL(origin).host)).click();
    await page.waitForURL((url) => url.origin === origin);
    const token = new URL(page.url()).searchParams.get('token');
    expect((await call('password/reset/confirm', { token, password: NEW_PASSWORD })).status).toBe(200);
  });
});
