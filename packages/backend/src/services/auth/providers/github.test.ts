import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  buildTestBrowser,
  HOME,
  type TestBrowser,
} from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { authorizeUrl, buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { type GitHubStandIn, startGitHubStandIn } from '@fabrica/backend/testing/auth/github-stand-in.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

describe('signing in with GitHub', () => {
  let github: GitHubStandIn;
  let test: TestAuth;
  let browser: TestBrowser;
  beforeEach(async () => {
    github = await startGitHubStandIn();
    test = await buildTestAuth({ providers: build(github.clientSecret) });
    browser = buildTestBrowser(test);
  });
  afterEach(async () => {
    await github.close();
    await test.close();
  });

  const build = (secret: string) =>
    buildProviders({
      OAUTH_GITHUB_ISSUER: github.issuer,
      OAUTH_GITHUB_CLIENT_ID: github.clientId,
      OAUTH_GITHUB_CLIENT_SECRET: secret,
    });
  const url = authorizeUrl({ provider: 'github' });
  const comeBack = async () => (await browser.open(url)).url;
  const signIn = async () => {
    const json = { code: (await comeBack()).searchParams.get('code') };
    const response = await browser.send('/api/auth/complete', { json });
    return { status: response.status, body: await response.json() };
  };
  const errorCode = async () => (await comeBack()).searchParams.get('error');

  it('a sign-in with GitHub opens a session under the account’s primary e-mail', async () => {
    const { status, body } = await signIn();
    expect(status).toBe(200);
    expect(body.user).toMatchObject({
      email: 'ada@example.org',
      emailVerified: true,
      displayName: 'Ada Lovelace',
      photoURL: 'https://avatars.example/ada.png',
    });
    const headers = { authorization: `Bearer ${body.access_token}` };
    const { body: list } = await test.call('GET', '/api/auth/sessions', { headers });
    expect(list.sessions).toMatchObject([{ method: 'provider:github' }]);
  });

  it('a sign-in with GitHub sends PKCE and a state', async () => {
    const away = new URL((await browser.send(url)).headers.get('location') ?? '');
    expect(`${away.origin}${away.pathname}`).toBe(`${github.issuer}/login/oauth/authorize`);
    expect(Object.fromEntries(away.searchParams)).toMatchObject({
      client_id: github.clientId,
      redirect_uri: `${HOME}/api/auth/callback/github`,
      scope: 'read:user user:email',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^journal\.[\w-]{43}$/),
    });
  });

  it('a GitHub account is recognised by its number after it was renamed', async () => {
    const first = await signIn();
    github.account = { ...github.account, login: 'countess', name: null, emails: [] };
    const second = await signIn();
    expect(second.body.user.id).toBe(first.body.user.id);
    github.account = { ...github.account, id: 2 };
    expect(await errorCode()).toBe('VERIFICATION_FAILED');
  });

  it('a GitHub account without a display name gets its login as name', async () => {
    github.account = { ...github.account, name: null };
    expect((await signIn()).body.user.displayName).toBe('ada');
  });

  it('an e-mail that GitHub did not verify counts as not verified', async () => {
    await signIn();
    const emails = [
      { email: 'other@example.org', primary: false, verified: true },
      { email: 'ada@example.org', primary: true, verified: false },
    ];
    github.account = { ...github.account, id: 2, emails };
    expect(await errorCode()).toBe('EMAIL_ALREADY_EXISTS');
  });

  it('a sign-in with GitHub is refused with a code of another sign-in', async () => {
    const [mine, theirs] = await Promise.all([wayBack(), wayBack()]);
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const { url } = await browser.open(mine);
    expect(url.searchParams.get('error')).toBe('VERIFICATION_FAILED');
  });

  const wayBack = async () => {
    const away = (await browser.send(url)).headers.get('location') ?? '';
    return new URL((await browser.send(away)).headers.get('location') ?? '');
  };

  it('a canceled sign-in with GitHub returns with POPUP_CANCELED', async () => {
    github.error = 'access_denied';
    expect(await errorCode()).toBe('POPUP_CANCELED');
  });

  it('a sign-in with GitHub returns with NETWORK_ERROR when GitHub fails or cannot be reached', async () => {
    github.failure = 503;
    expect(await errorCode()).toBe('NETWORK_ERROR');
    const back = await wayBack();
    await github.close();
    const { url } = await browser.open(back);
    expect(url.searchParams.get('error')).toBe('NETWORK_ERROR');
  });

  it('a sign-in with GitHub returns with NETWORK_ERROR when our own secret is wrong', async () => {
    await test.close();
    test = await buildTestAuth({ providers: build('wrong') });
    browser = buildTestBrowser(test);
    expect(await errorCode()).toBe('NETWORK_ERROR');
  });

  it('a sign-in with GitHub returns with NETWORK_ERROR when the response has another shape', async () => {
    github.account = { ...github.account, id: 'seven' as unknown as number };
    expect(await errorCode()).toBe('NETWORK_ERROR');
  });
});
