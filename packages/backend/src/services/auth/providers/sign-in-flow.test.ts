import { buildTestBrowser, HOME } from '@fabrica/backend/testing/auth/build-test-browser.ts';
import {
  authorizeAddress,
  buildTestProviders,
  type TestProviders,
} from '@fabrica/backend/testing/auth/build-test-providers.ts';
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
    const answer = await browser.send('/api/auth/complete', { json: { code } });
    return { status: answer.status, body: await answer.json() };
  };
  const sessions = () => authReader(all.test.database).selectFrom('sessions').selectAll().execute();
  const events = async () =>
    (await listEvents(authReader(all.test.database), { limit: 50 })).map(({ event }) => event).reverse();
  /** As far as the way back, which is not gone yet. */
  const wayBack = async (login: string, browser = all.browser) => {
    const page = await browser.open(authorizeAddress());
    const action = /action="([^"]+)"/.exec(page.text)?.[1] ?? '';
    let answer = await browser.send(new URL(action, page.address), { form: { login } });
    for (;;) {
      const location = new URL(answer.headers.get('location') ?? '', page.address);
      if (location.origin === HOME) return location;
      answer = await browser.send(location);
    }
  };

  it('leads there and back, and ends in a session of a new account', async () => {
    const { address } = await all.comeBackAs('ada', { return_to: '/post/7?x=1' });
    expect(`${address.origin}${address.pathname}`).toBe(`${HOME}/auth/complete`);
    expect(address.searchParams.get('return_to')).toBe('/post/7?x=1');
    const { status, body } = await complete(address.searchParams.get('code'));
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

  it('knows the person again, and makes no second account', async () => {
    const first = await all.signInAs('ada');
    const second = await all.signInAs('ada');
    expect(second.body.user.id).toBe(first.body.user.id);
    expect((await all.signInAs('bob')).body.user.id).not.toBe(first.body.user.id);
    expect(await events()).toEqual(['sign-up', 'sign-in', 'sign-in', 'sign-up', 'sign-in']);
  });

  it('sends the browser off with PKCE, state and nonce, and binds it with a cookie that scripts cannot read', async () => {
    const answer = await all.browser.send(authorizeAddress());
    expect(answer.status).toBe(303);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    const away = new URL(answer.headers.get('location') ?? '');
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
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(
        /^fabrica_flow_[\w-]+=[\w-]{43}; Max-Age=600; Path=\/api\/auth\/callback; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ]);
  });

  it('keeps nothing in the clear that came back with the browser', async () => {
    const back = await wayBack('ada');
    const rows = JSON.stringify(
      await authReader(all.test.database).selectFrom('one_time_tokens').selectAll().execute(),
    );
    expect(rows).toContain('hospital');
    expect(rows).not.toContain(back.searchParams.get('state')?.split('.')[1]);
  });

  it('hands on what was asked for, as it was, and keeps the address for itself on the way', async () => {
    const asked = {
      mode: 'popup',
      redirect_url: `${HOME}/elsewhere?a=1&b=ü`,
      state: 'of the app: <1>&2',
      opener_origin: HOME,
      session_id: 'abcdefghijklmnop',
    };
    const { address } = await all.comeBackAs('ada', asked);
    const { code, ...rest } = Object.fromEntries(address.searchParams);
    expect(rest).toEqual({ project_id: 'journal', ...asked });
    expect(code).toMatch(/^journal\.[\w-]{43}$/);
    const answer = await all.browser.send(await wayBack('bob', buildTestBrowser(all.test)));
    expect(answer.status).toBe(303);
    expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('goes on in two tabs of one browser at the same time', async () => {
    const [one, other] = [await wayBack('ada'), await all.browser.open(authorizeAddress())];
    const first = await all.browser.open(one);
    const second = other.address;
    for (const address of [first.address, second]) {
      expect(address.pathname).toBe('/auth/complete');
      expect((await complete(address.searchParams.get('code'))).status).toBe(200);
    }
    expect(all.browser.cookies()).toEqual([]);
  });

  describe('is refused', () => {
    afterEach(async () => {
      expect(await sessions()).toEqual([]);
    });
    const expectRefused = async (back: URL, browser = all.browser) => {
      const { address } = await browser.open(back);
      expect(`${address.pathname}${address.search}`).toBe('/auth?error=VERIFICATION_FAILED');
    };

    it('with a state that was changed', async () => {
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

    it('in a browser other than the one that began it', async () => {
      await expectRefused(await wayBack('ada', buildTestBrowser(all.test)));
    });

    it('with a cookie of the right name and another value', async () => {
      const back = await wayBack('ada');
      const [cookie] = all.browser.cookies();
      expect(cookie).toMatch(/^fabrica_flow_/);
      const headers = { cookie: `${cookie}=${'A'.repeat(43)}` };
      const answer = await all.browser.send(back, { headers });
      expect(answer.headers.get('location')).toBe('/auth?error=VERIFICATION_FAILED');
    });

    it('with a code of another sign-in', async () => {
      const [mine, theirs] = [await wayBack('ada'), await wayBack('bob', buildTestBrowser(all.test))];
      mine.searchParams.set('code', theirs.searchParams.get('code') ?? '');
      const { address } = await all.browser.open(mine);
      expect(address.pathname).toBe('/auth');
      expect(address.searchParams.get('error')).toBe('VERIFICATION_FAILED');
      expect(await events()).toEqual(['sign-in-failed']);
    });

    it('at the address of another provider', async () => {
      const back = await wayBack('ada');
      back.pathname = '/api/auth/callback/clinic';
      await expectRefused(back);
    });

    it('when the way back is gone a second time', async () => {
      const back = await wayBack('ada');
      expect((await all.browser.open(back)).address.pathname).toBe('/auth/complete');
      await expectRefused(back);
    });

    it('when it took more than ten minutes', async () => {
      const back = await wayBack('ada');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 600 * SECOND });
      await expectRefused(back);
    });
  });

  it('comes back with the code of the catalogue when the person turns back', async () => {
    const page = await all.browser.open(authorizeAddress({ return_to: '/gallery' }));
    const cancel = /href="([^"]+abort)"/.exec(page.text)?.[1] ?? '';
    const { address } = await all.browser.open(new URL(cancel, page.address));
    expect(`${address.pathname}${address.search}`).toBe(
      '/auth?error=POPUP_CANCELED&project_id=journal&return_to=%2Fgallery',
    );
    expect(await events()).toEqual([]);
  });

  it('comes back at once when the provider is down, and goes on when it is up again', async () => {
    await all.issuer.close();
    const { address } = await all.browser.open(authorizeAddress({ return_to: '/gallery' }));
    expect(`${address.pathname}${address.search}`).toBe(
      '/auth?error=NETWORK_ERROR&project_id=journal&return_to=%2Fgallery',
    );
    expect(await events()).toEqual(['sign-in-failed']);
  });

  it('ends once, in the browser that began it, and within a minute', async () => {
    const code = (await all.comeBackAs('ada')).address.searchParams.get('code');
    const elsewhere = await complete(code, buildTestBrowser(all.test));
    expect([elsewhere.status, elsewhere.body.code]).toEqual([400, 'VERIFICATION_FAILED']);
    expect((await complete(code)).body.code).toBe('VERIFICATION_FAILED');

    const again = (await all.comeBackAs('ada')).address.searchParams.get('code');
    expect((await complete(again)).status).toBe(200);
    expect((await complete(again)).body.code).toBe('VERIFICATION_FAILED');

    const late = (await all.comeBackAs('ada')).address.searchParams.get('code');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60 * SECOND });
    expect((await complete(late)).body.code).toBe('VERIFICATION_FAILED');
    expect(await sessions()).toHaveLength(1);
  });

  it.each([null, undefined, 7, {}, '', 'x', 'journal.', `journal.${'A'.repeat(43)}`, 'ü'.repeat(3_000)])(
    'does not take %j for the code of a sign-in',
    async (code) => {
      const { status, body } = await complete(code);
      expect(status).toBe(400);
      expect(['VERIFICATION_FAILED', 'VALIDATION_FAILED']).toContain(body.code);
    },
  );

  it('does not open a session for an account that was disabled on the way', async () => {
    const code = (await all.comeBackAs('ada')).address.searchParams.get('code');
    await all.test.database.writer.updateTable('users').set({ disabled_at: 1 }).execute();
    const { status, body } = await complete(code);
    expect([status, body.code]).toEqual([404, 'USER_NOT_FOUND']);
  });

  it('answers a POST of whatever kind to the way back like a stranger, never with a failure of ours', async () => {
    for (const form of [{}, { state: 'x' }, { state: '\0\uD800', code: '%' }]) {
      const { address } = await all.browser.open('/api/auth/callback/hospital', { form });
      expect(`${address.pathname}${address.search}`).toBe('/auth?error=VERIFICATION_FAILED');
    }
    const large = await all.browser.send('/api/auth/callback/hospital', {
      form: { state: 'x'.repeat(1024 ** 2) },
    });
    expect(large.status).toBe(413);
    expect((await large.json()).code).toBe('PAYLOAD_TOO_LARGE');
  });

  it('is listed beside the e-mail', async () => {
    const { body } = await all.test.call('GET', '/api/auth/providers?projectId=journal');
    expect(body).toEqual({ providers: ['email', 'clinic', 'hospital'] });
  });
});

describe('a client that the provider knows otherwise', () => {
  it.each(['client_secret_post', 'none'] as const)('signs in by %s', async (clientAuth) => {
    const all = await buildTestProviders({ accounts: [ada], clientAuth });
    expect((await all.signInAs('ada')).status).toBe(200);
    await all.close();
  });

  it('takes what the ID token says, when there is no user info', async () => {
    const all = await buildTestProviders({ accounts: [ada], claimsInIdToken: true });
    expect((await all.signInAs('ada')).body.user).toMatchObject({
      email: 'ada@example.org',
      emailVerified: true,
      displayName: 'Ada Lovelace',
    });
    await all.close();
  });
});

describe('the number of sign-ins that are begun', () => {
  it('is bounded by address', async () => {
    const all = await buildTestProviders({ accounts: [ada], rateLimit: true });
    let answer = await all.browser.send(authorizeAddress());
    for (let tries = 1; answer.status === 303 && tries < 200; tries += 1) {
      answer = await all.browser.send(authorizeAddress());
    }
    expect(answer.status).toBe(429);
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await answer.json()).code).toBe('RATE_LIMITED');
    expect((await buildTestBrowser(all.test, '203.0.113.2').send(authorizeAddress())).status).toBe(303);
    await all.close();
  });
});
