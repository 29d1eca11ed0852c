import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { buildTestBrowser, type TestBrowser } from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { authorizeAddress, buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '@fabrica/backend/testing/auth/openid-stand-in.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('signing in with Apple, which has the browser post', () => {
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

  const address = authorizeAddress({ provider: 'apple', return_to: '/gallery' });
  const handleCallback = async (own: TestBrowser, changes: Record<string, string> = {}) => {
    const form = { ...JSON.parse((await browser.open(address)).text), ...changes };
    return (await own.open('/api/auth/callback/apple', { form, fromElsewhere: true })).address;
  };

  it('ends in a session, under the name that is posted beside the code', async () => {
    const { pathname, searchParams } = await handleCallback(browser);
    expect([pathname, searchParams.get('return_to')]).toEqual(['/auth/complete', '/gallery']);
    const json = { code: searchParams.get('code') };
    const answer = await browser.send('/api/auth/complete', { json });
    expect((await answer.json()).user).toMatchObject({
      email: 'ada@example.org',
      emailVerified: true,
      displayName: 'Ada Lovelace',
    });
  });

  it('binds the browser with a cookie that comes along with the post', async () => {
    const [cookie] = (await browser.send(address)).headers.getSetCookie();
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=None$/);
    const { pathname, search } = await handleCallback(buildTestBrowser(test));
    expect(`${pathname}${search}`).toBe('/auth?error=VERIFICATION_FAILED');
  });

  it('comes back with the code of the catalogue when the person turns back', async () => {
    standIn.script.refusal = 'user_cancelled_authorize';
    const { pathname, search } = await handleCallback(browser);
    expect(`${pathname}${search}`).toBe('/auth?error=POPUP_CANCELED&project_id=journal&return_to=%2Fgallery');
  });

  it('does not mind what else is posted, nor a name that is none', async () => {
    const { pathname } = await handleCallback(browser, { id_token: 'a.b.c', token: 'x', user: '{"name":' });
    expect(pathname).toBe('/auth/complete');
  });
});
