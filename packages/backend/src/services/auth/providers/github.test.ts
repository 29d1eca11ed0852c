import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  buildTestBrowser,
  HOME,
  type TestBrowser,
} from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { authorizeAddress, buildProviders } from '@fabrica/backend/testing/auth/build-test-providers.ts';
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
  const address = authorizeAddress({ provider: 'github' });
  const handleCallback = async () => (await browser.open(address)).address;
  const signIn = async () => {
    const json = { code: (await handleCallback()).searchParams.get('code') };
    const answer = await browser.send('/api/auth/complete', { json });
    return { status: answer.status, body: await answer.json() };
  };
  const refusal = async () => (await handleCallback()).searchParams.get('error');

  it('ends in a session, under the address that the account has as its first', async () => {
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

  it('sends the browser off with PKCE and a state', async () => {
    const away = new URL((await browser.send(address)).headers.get('location') ?? '');
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

  it('knows the account by its number, whatever it is called by then', async () => {
    const first = await signIn();
    github.account = { ...github.account, login: 'countess', name: null, emails: [] };
    const second = await signIn();
    expect(second.body.user.id).toBe(first.body.user.id);
    github.account = { ...github.account, id: 2 };
    expect(await refusal()).toBe('VERIFICATION_FAILED');
  });

  it('takes the account’s own name where there is no other', async () => {
    github.account = { ...github.account, name: null };
    expect((await signIn()).body.user.displayName).toBe('ada');
  });

  it('does not take an address for the person’s own that GitHub did not verify', async () => {
    await signIn();
    const emails = [
      { email: 'other@example.org', primary: false, verified: true },
      { email: 'ada@example.org', primary: true, verified: false },
    ];
    github.account = { ...github.account, id: 2, emails };
    expect(await refusal()).toBe('EMAIL_ALREADY_EXISTS');
  });

  it('is refused with a code of another sign-in', async () => {
    const [mine, theirs] = await Promise.all([wayBack(), wayBack()]);
    mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
    const { address } = await browser.open(mine);
    expect(address.searchParams.get('error')).toBe('VERIFICATION_FAILED');
  });

  const wayBack = async () => {
    const away = (await browser.send(address)).headers.get('location') ?? '';
    return new URL((await browser.send(away)).headers.get('location') ?? '');
  };

  it('comes back with the code of the catalogue when the person turns back', async () => {
    github.refusal = 'access_denied';
    expect(await refusal()).toBe('POPUP_CANCELED');
  });

  it('comes back with NETWORK_ERROR when GitHub answers with a failure, or not at all', async () => {
    github.failure = 503;
    expect(await refusal()).toBe('NETWORK_ERROR');
    const back = await wayBack();
    await github.close();
    const { address } = await browser.open(back);
    expect(address.searchParams.get('error')).toBe('NETWORK_ERROR');
  });

  it('comes back with NETWORK_ERROR when our own secret is wrong', async () => {
    await test.close();
    test = await buildTestAuth({ providers: build('wrong') });
    browser = buildTestBrowser(test);
    expect(await refusal()).toBe('NETWORK_ERROR');
  });

  it('comes back with NETWORK_ERROR when the answer is not one of GitHub’s', async () => {
    github.account = { ...github.account, id: 'seven' as unknown as number };
    expect(await refusal()).toBe('NETWORK_ERROR');
  });
});
