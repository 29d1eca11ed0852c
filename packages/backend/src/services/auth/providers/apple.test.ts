import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { buildTestBrowser, type TestBrowser } from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { authorizeUrl, buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '@fabrica/backend/testing/auth/openid-stand-in.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('signing in with Apple', () => {
  let standIn: OpenIdStandIn;
  let test: TestAuth;
  let browser: TestBrowser;
  beforeEach(async () => {
    standIn = await startOpenIdStandIn();
    const providers = buildProviders({
      OAUTH_APPLE_ISSUER: standIn.issuer,
      OAUTH_APPLE_CLIENT_ID: 'org.example.journal',
      OAUTH_APPLE_CLIENT_SECRET: 'secret',
    });
    test = await buildTestAuth({ providers });
    browser = buildTestBrowser(test);
    standIn.script.claims = { email: 'ada@example.org', email_verified: 'true' };
    standIn.script.form = { user: '{"name":{"firstName":"Ada","lastName":"Lovelace"}}' };
  });
  afterEach(async () => {
    await standIn.close();
    await test.close();
  });

  const url = authorizeUrl({ provider: 'apple', return_to: '/gallery' });
  const comeBack = async (own: TestBrowser, changes: Record<string, string> = {}) => {
    const form = { ...JSON.parse((await browser.open(url)).text), ...changes };
    return (await own.open('/api/auth/callback/apple', { form, crossSite: true })).url;
  };

  it('a sign-in with Apple opens a session under the name that is posted beside the code', async () => {
    const { pathname, searchParams } = await comeBack(browser);
    expect([pathname, searchParams.get('return_to')]).toEqual(['/auth/complete', '/gallery']);
    const json = { code: searchParams.get('code') };
    const response = await browser.send('/api/auth/complete', { json });
    expect((await response.json()).user).toMatchObject({
      email: 'ada@example.org',
      emailVerified: true,
      displayName: 'Ada Lovelace',
    });
  });

  it('a sign-in with Apple binds the browser with a cookie that is sent with the cross-site POST', async () => {
    const [cookie] = (await browser.send(url)).headers.getSetCookie();
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    const { pathname, search } = await comeBack(buildTestBrowser(test));
    expect(`${pathname}${search}`).toBe('/auth?error=VERIFICATION_FAILED');
  });

  it('a canceled sign-in with Apple returns with POPUP_CANCELED', async () => {
    standIn.script.error = 'user_cancelled_authorize';
    const { pathname, search } = await comeBack(browser);
    expect(`${pathname}${search}`).toBe('/auth?error=POPUP_CANCELED&project_id=journal&return_to=%2Fgallery');
  });

  it('a sign-in with Apple ignores other posted fields and a malformed name', async () => {
    const { pathname } = await comeBack(browser, { id_token: 'a.b.c', token: 'x', user: '{"name":' });
    expect(pathname).toBe('/auth/complete');
  });
});
