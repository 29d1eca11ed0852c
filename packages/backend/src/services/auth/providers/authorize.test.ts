import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  buildTestBrowser,
  HOME,
  type TestBrowser,
} from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { authorizeUrl, buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { type OpenIdStandIn, startOpenIdStandIn } from '@fabrica/backend/testing/auth/openid-stand-in.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

describe('targets of a sign-in at a provider', () => {
  let standIn: OpenIdStandIn;
  let test: TestAuth;
  let browser: TestBrowser;
  beforeAll(async () => {
    standIn = await startOpenIdStandIn();
    const providers = buildProviders({
      OAUTH_HOSPITAL_ISSUER: standIn.issuer,
      OAUTH_HOSPITAL_CLIENT_ID: 'fabrica',
    });
    test = await buildTestAuth({ providers });
    browser = buildTestBrowser(test);
  });
  afterAll(async () => {
    await standIn.close();
    await test.close();
  });

  const ask = async (query: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await browser.send(authorizeUrl(query), { headers });
    const leadsTo = response.headers.get('location') ?? '';
    return { status: response.status, leadsTo, code: leadsTo ? undefined : (await response.json()).code };
  };

  it.each([
    {},
    { redirect_url: `${HOME}/app` },
    { redirect_url: `${HOME}/app`, mode: 'redirect', state: 'x'.repeat(1_000) },
    { mode: 'popup', opener_origin: HOME },
    { mode: 'mobile-session', session_id: 'A'.repeat(16) },
    { return_to: '/' },
    { return_to: '/post/1?comment=2#c3' },
    { redirect_url: '', mode: '', return_to: '' },
  ])('a sign-in may redirect to the allowed target %j', async (query) => {
    const { status, leadsTo } = await ask(query as Record<string, string>);
    expect(status).toBe(303);
    expect(leadsTo).toContain(`${standIn.issuer}/authorize?`);
  });

  it.each([
    'https://evil.example/',
    'https://journal.example.evil.example/',
    'https://journal.example@evil.example/',
    'https://journal.example\\@evil.example/',
    'https://evil.example@journal.example/',
    'https:/journal.example/',
    'https://journal.example\n/',
    'http://journal.example/',
    'https://journal.example:8443/',
    '//journal.example/',
    'javascript:alert(1)',
    'data:text/html,x',
    'blob:https://journal.example/1',
    'null',
    'about:blank',
    '\0',
  ])('a sign-in may not redirect to the URL %j', async (url) => {
    expect(await ask({ redirect_url: url })).toMatchObject({ status: 400, code: 'REDIRECT_FAILED' });
    expect(await ask({ redirect_url: `${HOME}/app`, opener_origin: url })).toMatchObject({
      status: 400,
      code: 'REDIRECT_FAILED',
    });
    expect(await ask({ mode: 'popup', opener_origin: url })).toMatchObject({
      status: 400,
      code: 'REDIRECT_FAILED',
    });
  });

  it.each([
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '/\n\\evil.example',
    'evil.example',
    'https://evil.example/',
    'javascript:alert(1)',
  ])('a sign-in may not return to the path %j', async (path) => {
    expect(await ask({ return_to: path })).toMatchObject({ status: 400, code: 'REDIRECT_FAILED' });
  });

  it.each<[Record<string, string>, number, string]>([
    [{ mode: 'redirect' }, 400, 'REDIRECT_FAILED'],
    [{ mode: 'popup' }, 400, 'REDIRECT_FAILED'],
    [{ mode: 'mobile-session' }, 400, 'VALIDATION_FAILED'],
    [{ mode: 'mobile-session', session_id: 'short' }, 400, 'VALIDATION_FAILED'],
    [{ mode: 'mobile-session', session_id: `${'A'.repeat(20)}/` }, 400, 'VALIDATION_FAILED'],
    [{ mode: 'implicit' }, 400, 'VALIDATION_FAILED'],
    [{ state: 'x'.repeat(1_001) }, 400, 'VALIDATION_FAILED'],
    [{ redirect_url: `${HOME}/${'x'.repeat(2_000)}` }, 400, 'VALIDATION_FAILED'],
    [{ provider: '' }, 400, 'VALIDATION_FAILED'],
    [{ provider: 'clinic' }, 404, 'NOT_FOUND'],
    [{ provider: '__proto__' }, 404, 'NOT_FOUND'],
    [{ project_id: '' }, 400, 'VALIDATION_FAILED'],
    [{ project_id: 'nowhere' }, 404, 'PROJECT_NOT_FOUND'],
  ])('a sign-in without a full target is refused: %j', async (query, status, code) => {
    expect(await ask(query)).toMatchObject({ status, code });
  });

  it('a sign-in for an app that another site’s page begins goes through our own page first', async () => {
    const query = { mode: 'mobile-session', session_id: 'A'.repeat(16), state: 's' };
    for (const site of ['cross-site', 'same-site']) {
      const { status, leadsTo } = await ask(query, { 'sec-fetch-site': site });
      expect([status, leadsTo]).toEqual([
        303,
        `/auth?project_id=journal&mode=mobile-session&state=s&session_id=${'A'.repeat(16)}`,
      ]);
    }
    for (const site of ['same-origin', 'none']) {
      expect((await ask(query, { 'sec-fetch-site': site })).leadsTo).toContain(standIn.issuer);
    }
  });
});
