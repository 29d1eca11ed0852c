import { buildTestBrowser, HOME } from '@fabrica/backend/testing/auth/build-test-browser.ts';
import { takeStep, ticketOf } from '@fabrica/backend/testing/auth/build-test-factors.ts';
import { personOf, proofCodeTo } from '@fabrica/backend/testing/auth/build-test-person.ts';
import {
  authorizeUrl,
  buildTestProviders,
  type TestProviders,
} from '@fabrica/backend/testing/auth/build-test-providers.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { listEvents } from '../audit.ts';
import { authReader } from '../queries.ts';

const SECOND = 1_000;
const ada = {
  login: 'ada',
  email: 'Ada@Example.org',
  emailVerified: true,
  name: 'Ada Lovelace',
  picture: 'https://pictures.example/ada.png',
};
const bob = { login: 'bob', email: 'bob@example.org', emailVerified: true, name: 'Bob' };

describe('signing in at an identity provider', () => {
  let all: TestProviders;
  beforeEach(async () => {
    all = await buildTestProviders({ accounts: [ada, bob] });
  });
  afterEach(async () => {
    vi.useRealTimers();
    await all.close();
  });

  const complete = async (code: unknown, browser = all.browser) => {
    const response = await browser.send('/api/auth/complete', { json: { code } });
    return { status: response.status, body: await response.json() };
  };
  const sessions = () => authReader(all.test.database).selectFrom('sessions').selectAll().execute();
  const events = async () =>
    (await listEvents(authReader(all.test.database), { limit: 50 })).map(({ event }) => event).reverse();
  /** Signs in as far as the way back, which is not gone yet. */
  const wayBack = async (login: string, browser = all.browser) => {
    const page = await browser.open(authorizeUrl());
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    let response = await browser.send(new URL(action, page.url), { form: { login } });
    for (;;) {
      const location = new URL(response.headers.get('location') ?? '', page.url);
      if (location.origin === HOME) return location;
      response = await browser.send(location);
    }
  };

  it('a sign-in at a provider ends with a ticket once the account has a second factor', async () => {
    const { url } = await all.comeBackAs('ada');
    const owner = personOf(all.test, (await complete(url.searchParams.get('code'))).body);
    await owner.call('POST', '/api/auth/proof/send');
    const proof = { code: proofCodeTo(all.test, owner.email) };
    const { setUp, secret } = (await owner.call('POST', '/api/auth/factors/totp/begin', { proof })).body;
    const added = await owner.call('POST', '/api/auth/factors/totp', { setUp, code: codeNow(secret) });
    expect(added.status).toBe(200);
    const back = (await all.comeBackAs('ada')).url;
    const asked = await complete(back.searchParams.get('code'));
    const ticket = ticketOf({ ...asked, headers: new Headers() });
    expect(await sessions()).toHaveLength(1);
    const done = await takeStep(all.test, ticket, { code: added.body.recoveryCodes[0] });
    expect(done.body.user.id).toBe(owner.id);
  });

  it('a sign-in at a provider ends in a session of a new account', async () => {
    const { url } = await all.comeBackAs('ada', { return_to: '/post/7?x=1' });
    expect(`${url.origin}${url.pathname}`).toBe(`${HOME}/auth/complete`);
    expect(url.searchParams.get('return_to')).toBe('/post/7?x=1');
    const { status, body } = await complete(url.searchParams.get('code'));
    expect(status).toBe(200);
    expect(body).toMatchObject({ token_type: 'Bearer', expires_in: 900, refresh_expires_in: 2_592_000 });
    expect(body.user).toMatchObject({
      email: 'ada@example.org',
      displayName: 'Ada Lovelace',
      photoURL: 'https://pictures.example/ada.png',
      emailVerified: true,
      role: 'author',
    });
    const headers = { authorization: `Bearer ${body.access_token}` };
    const { body: list } = await all.test.call('GET', '/api/auth/sessions', { headers });
    expect(list.sessions).toMatchObject([{ method: 'provider:hospital', current: true }]);
    expect(await events()).toEqual(['sign-up', 'sign-in']);
  });

  it('a second sign-in at a provider leads to the same account', async () => {
    const first = await all.signInAs('ada');
    const second = await all.signInAs('ada');
    expect(second.body.user.id).toBe(first.body.user.id);
    expect((await all.signInAs('bob')).body.user.id).not.toBe(first.body.user.id);
    expect(await events()).toEqual(['sign-up', 'sign-in', 'sign-in', 'sign-up', 'sign-in']);
  });

  it('a sign-in at a provider sends PKCE, state and nonce, and binds the browser with an HttpOnly cookie', async () => {
    const response = await all.browser.send(authorizeUrl());
    expect(response.status).toBe(303);
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    const away = new URL(response.headers.get('location') ?? '');
    expect(away.origin).toBe(all.issuer.issuer);
    expect(Object.fromEntries(away.searchParams)).toMatchObject({
      response_type: 'code',
      client_id: 'fabrica',
      redirect_uri: `${HOME}/api/auth/callback/hospital`,
      scope: 'openid email profile',
      code_challenge_method: 'S256',
      code_challenge: expect.stringMatching(/^[\w-]{43}$/),
      nonce: expect.stringMatching(/^[\w-]{43}$/),
      state: expect.stringMatching(/^journal\.[\w-]{43}$/),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^fabrica_flow_[\w-]+=[\w-]{43}; Max-Age=600; Path=\/api\/auth\/callback; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('the database stores nothing in the clear that the browser came back with', async () => {
    const back = await wayBack('ada');
    const rows = JSON.stringify(
      await authReader(all.test.database).selectFrom('one_time_tokens').selectAll().execute(),
    );
    expect(rows).toContain('hospital');
    expect(rows).not.toContain(back.searchParams.get('state')?.split('.')[1]);
  });

  it('a sign-in at a provider passes its target on unchanged, and the provider does not see it', async () => {
    const asked = {
      mode: 'popup',
      redirect_url: `${HOME}/elsewhere?a=1&b=ü`,
      state: 'of the app: <1>&2',
      opener_origin: HOME,
      session_id: 'abcdefghijklmnop',
    };
    const { url } = await all.comeBackAs('ada', asked);
    const { code, ...rest } = Object.fromEntries(url.searchParams);
    expect(rest).toEqual({ project_id: 'journal', ...asked });
    expect(code).toMatch(/^journal\.[\w-]{43}$/);
    const response = await all.browser.send(await wayBack('bob', buildTestBrowser(all.test)));
    expect(response.status).toBe(303);
    expect(response.headers.get('referrer-policy')).toBe('no-referrer');
    expect(response.headers.get('cache-control')).toBe('no-store');
  });

  it('two tabs of one browser sign in at a provider at the same time', async () => {
    const [one, other] = [await wayBack('ada'), await all.browser.open(authorizeUrl())];
    const first = await all.browser.open(one);
    const second = other.url;
    for (const url of [first.url, second]) {
      expect(url.pathname).toBe('/auth/complete');
      expect((await complete(url.searchParams.get('code'))).status).toBe(200);
    }
    // What stays is the mark of a browser that the account was used in.
    expect(all.browser.cookies().filter((name) => !name.startsWith('fabrica_device_'))).toEqual([]);
  });

  describe('refused sign-ins', () => {
    afterEach(async () => {
      expect(await sessions()).toEqual([]);
    });
    const expectRefused = async (back: URL, browser = all.browser) => {
      const { url } = await browser.open(back);
      expect(`${url.pathname}${url.search}`).toBe('/auth?error=VERIFICATION_FAILED');
    };

    it('a sign-in at a provider is refused with a changed state', async () => {
      const back = await wayBack('ada');
      const state = back.searchParams.get('state') ?? '';
      for (const tampered of [
        `${state.slice(0, -1)}${state.endsWith('A') ? 'B' : 'A'}`,
        state.replace('journal.', 'other.'),
        state.replace('journal.', '__proto__.'),
        state.replace('journal.', ''),
        'x',
        '',
      ]) {
        back.searchParams.set('state', tampered);
        await expectRefused(back);
      }
    });

    it('a sign-in at a provider is refused in a browser other than the one that began it', async () => {
      await expectRefused(await wayBack('ada', buildTestBrowser(all.test)));
    });

    it('a sign-in at a provider is refused with a cookie of the right name and another value', async () => {
      const back = await wayBack('ada');
      const [cookie] = all.browser.cookies();
      expect(cookie).toMatch(/^fabrica_flow_/);
      const headers = { cookie: `${cookie}=${'A'.repeat(43)}` };
      const response = await all.browser.send(back, { headers });
      expect(response.headers.get('location')).toBe('/auth?error=VERIFICATION_FAILED');
    });

    it('a sign-in at a provider is refused with a code of another sign-in', async () => {
      const [mine, theirs] = [await wayBack('ada'), await wayBack('bob', buildTestBrowser(all.test))];
      mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
      const { url } = await all.browser.open(mine);
      expect(url.pathname).toBe('/auth');
      expect(url.searchParams.get('error')).toBe('VERIFICATION_FAILED');
      expect(await events()).toEqual(['sign-in-failed']);
    });

    it('a sign-in at a provider is refused at the callback URL of another provider', async () => {
      const back = await wayBack('ada');
      back.pathname = '/api/auth/callback/clinic';
      await expectRefused(back);
    });

    it('a sign-in at a provider is refused when its callback is called a second time', async () => {
      const back = await wayBack('ada');
      expect((await all.browser.open(back)).url.pathname).toBe('/auth/complete');
      await expectRefused(back);
    });

    it('a sign-in at a provider is refused after more than ten minutes', async () => {
      const back = await wayBack('ada');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600 * SECOND });
      await expectRefused(back);
    });
  });

  it('a canceled sign-in at a provider returns with POPUP_CANCELED', async () => {
    const page = await all.browser.open(authorizeUrl({ return_to: '/gallery' }));
    const cancel = /href="([^"]+abort)"/.exec(page.text)?.[1] ?? '';
    const { url } = await all.browser.open(new URL(cancel, page.url));
    expect(`${url.pathname}${url.search}`).toBe(
      '/auth?error=POPUP_CANCELED&project_id=journal&return_to=%2Fgallery',
    );
    expect(await events()).toEqual([]);
  });

  it('a sign-in returns at once when the provider is down, and works when it is up again', async () => {
    await all.issuer.close();
    const { url } = await all.browser.open(authorizeUrl({ return_to: '/gallery' }));
    expect(`${url.pathname}${url.search}`).toBe(
      '/auth?error=NETWORK_ERROR&project_id=journal&return_to=%2Fgallery',
    );
    expect(await events()).toEqual(['sign-in-failed']);
  });

  it('a sign-in’s code works once, in the browser that began it, and within a minute', async () => {
    const code = (await all.comeBackAs('ada')).url.searchParams.get('code');
    const elsewhere = await complete(code, buildTestBrowser(all.test));
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'VERIFICATION_FAILED']);
    expect((await complete(code)).body.code).toBe('VERIFICATION_FAILED');

    const again = (await all.comeBackAs('ada')).url.searchParams.get('code');
    expect((await complete(again)).status).toBe(200);
    expect((await complete(again)).body.code).toBe('VERIFICATION_FAILED');

    const late = (await all.comeBackAs('ada')).url.searchParams.get('code');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * SECOND });
    expect((await complete(late)).body.code).toBe('VERIFICATION_FAILED');
    expect(await sessions()).toHaveLength(1);
  });

  it.each([null, undefined, 7, {}, '', 'x', 'journal.', `journal.${'A'.repeat(43)}`, 'ü'.repeat(3_000)])(
    'a sign-in cannot be completed with the code %j',
    async (code) => {
      const { status, body } = await complete(code);
      expect(status).toBe(400);
      expect(['VERIFICATION_FAILED', 'VALIDATION_FAILED']).toContain(body.code);
    },
  );

  it('a sign-in at a provider opens no session for an account that was disabled in the meantime', async () => {
    const code = (await all.comeBackAs('ada')).url.searchParams.get('code');
    await all.test.database.writer.updateTable('users').set({ disabled_at: 1 }).execute();
    const { status, body } = await complete(code);
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it('any POST to the callback of an unknown flow leads to the sign-in page and never fails', async () => {
    for (const form of [{}, { state: 'x' }, { state: '\0\uD800', code: '%' }]) {
      const { url } = await all.browser.open('/api/auth/callback/hospital', { form });
      expect(`${url.pathname}${url.search}`).toBe('/auth?error=VERIFICATION_FAILED');
    }
    const large = await all.browser.send('/api/auth/callback/hospital', {
      form: { state: 'x'.repeat(1024 ** 2) },
    });
    expect(large.status).toBe(413);
    expect((await large.json()).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('a provider is listed beside e-mail', async () => {
    const { body } = await all.test.call('GET', '/api/auth/providers?projectId=journal');
    expect(body).toEqual({ providers: ['email', 'clinic', 'hospital'] });
  });
});

describe('client authentication', () => {
  it.each(['client_secret_post', 'none'] as const)(
    'a client that authenticates by %s signs in',
    async (clientAuth) => {
      const all = await buildTestProviders({ accounts: [ada], clientAuth });
      expect((await all.signInAs('ada')).status).toBe(200);
      await all.close();
    },
  );

  it('the ID token is enough when there is no user info', async () => {
    const all = await buildTestProviders({ accounts: [ada], claimsInIdToken: true });
    expect((await all.signInAs('ada')).body.user).toMatchObject({
      email: 'ada@example.org',
      emailVerified: true,
      displayName: 'Ada Lovelace',
    });
    await all.close();
  });
});

describe('rate limit', () => {
  it('the number of sign-ins at providers is limited by IP url', async () => {
    const all = await buildTestProviders({ accounts: [ada], rateLimit: true });
    let response = await all.browser.send(authorizeUrl());
    for (let tries = 1; response.status === 303 && tries < 200; tries += 1) {
      response = await all.browser.send(authorizeUrl());
    }
    expect(response.status).toBe(429);
    expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await response.json()).code).toBe('RATE_LIMITED');
    expect((await buildTestBrowser(all.test, '203.0.113.2').send(authorizeUrl())).status).toBe(303);
    await all.close();
  });
});
