import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  mailTo,
  PASSWORD,
  personOf,
  signInWith,
  signUpPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LinkMailKind } from '../../../mail/index.ts';
import { authReader } from '../queries.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'Hearts beat 70 times';
const projectId = 'journal';

describe('mailed links and codes', () => {
  let test: TestAuth;
  beforeEach(async () => {
    test = await buildTestAuth();
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const post = (path: string, body: unknown, headers = {}) =>
    test.call('POST', `/api/auth${path}`, { body, headers });
  const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

  describe.each([
    ['a link', (email: string, kind: LinkMailKind) => ({ token: mailTo(test, email, kind).token })],
    ['a code', (email: string, kind: LinkMailKind) => ({ email, code: mailTo(test, email, kind).code })],
  ])('%s', (_, proofOf) => {
    it('a mailed proof verifies an e-mail once', async () => {
      const ada = await signUpPerson(test);
      const proof = proofOf(ada.email, 'verify-email');
      const verified = await post('/email/verify', { projectId, ...proof }, ada.headers);
      expect(verified.body).toEqual({ success: true });
      expect((await ada.call('GET', '/api/auth/me')).body.user.emailVerified).toBe(true);
      const again = await post('/email/verify', { projectId, ...proof });
      expect([again.status, again.body.code]).toEqual([400, 'VERIFICATION_FAILED']);
    });

    it('a mailed proof sets a new password once, ends every session and verifies the e-mail', async () => {
      const ada = await signUpPerson(test);
      expect((await post('/password/reset', { projectId, email: ' ADA@example.org' })).body).toEqual({
        success: true,
      });
      const proof = proofOf(ada.email, 'reset-password');
      const change = { projectId, ...proof, password: NEW_PASSWORD };
      expect((await post('/password/reset/confirm', { ...change, password: 'short' })).body.code).toBe(
        'WEAK_PASSWORD',
      );
      expect((await post('/password/reset/confirm', { ...change, password: ada.email })).body.code).toBe(
        'WEAK_PASSWORD',
      );
      expect((await post('/password/reset/confirm', change)).body).toEqual({ success: true });
      expect((await ada.call('GET', '/api/auth/me')).status).toBe(401);
      expect((await post('/refresh', { refresh_token: ada.refreshToken })).status).toBe(401);
      expect((await signInWith(test, ada.email)).status).toBe(401);
      expect((await signInWith(test, ada.email, NEW_PASSWORD)).body.user.emailVerified).toBe(true);
      const again = await post('/password/reset/confirm', change);
      expect([again.status, again.body.code]).toEqual([400, 'VERIFICATION_FAILED']);
      expect(again.body.error).toBe(
        'This link or code has been used already, or its time is up. Please request a new email.',
      );
    });

    it('a mailed proof signs in once, and creates the account when there is none', async () => {
      await post('/signin/magic', { projectId, email: 'new@example.org' });
      const proof = proofOf('new@example.org', 'magic-link');
      const { status, body } = await post('/signin/magic/verify', { projectId, ...proof });
      expect(status).toBe(200);
      expect(body.user).toMatchObject({ email: 'new@example.org', emailVerified: true, role: 'author' });
      expect((await personOf(test, body).call('GET', '/api/auth/me')).status).toBe(200);
      const again = await post('/signin/magic/verify', { projectId, ...proof });
      expect([again.status, again.body.code]).toEqual([400, 'MAGIC_LINK_EXPIRED']);
    });

    it('a mailed proof expires', async () => {
      await post('/signin/magic', { projectId, email: 'new@example.org' });
      const proof = proofOf('new@example.org', 'magic-link');
      wait(15 * MINUTE);
      expect((await post('/signin/magic/verify', { projectId, ...proof })).body.code).toBe(
        'MAGIC_LINK_EXPIRED',
      );
    });

    it('a mailed proof is valid for its own purpose and project only', async () => {
      const ada = await signUpPerson(test);
      await post('/signin/magic', { projectId, email: ada.email });
      const verification = proofOf(ada.email, 'verify-email');
      const magic = proofOf(ada.email, 'magic-link');
      expect((await post('/signin/magic/verify', { projectId, ...verification })).status).toBe(400);
      expect((await post('/email/verify', { projectId, ...magic })).status).toBe(400);
      const reset = { projectId, ...magic, password: NEW_PASSWORD };
      expect((await post('/password/reset/confirm', reset)).status).toBe(400);
      expect((await post('/signin/magic/verify', { projectId: 'other', ...magic })).status).toBe(400);
      expect((await post('/signin/magic/verify', { projectId, ...magic })).status).toBe(200);
    });

    it('a mailed proof that is used twenty times at once works once', async () => {
      await post('/signin/magic', { projectId, email: 'new@example.org' });
      const proof = proofOf('new@example.org', 'magic-link');
      const responses = await Promise.all(
        Array.from({ length: 20 }, () => post('/signin/magic/verify', { projectId, ...proof })),
      );
      expect(responses.filter(({ status }) => status === 200)).toHaveLength(1);
    });
  });

  it('a mailed code expires after ten minutes, while its link is still valid', async () => {
    const ada = await signUpPerson(test);
    const { token, code } = mailTo(test, ada.email, 'verify-email');
    expect(code).toMatch(/^\d{6}$/);
    wait(10 * MINUTE);
    expect((await post('/email/verify', { projectId, email: ada.email, code })).status).toBe(400);
    expect((await post('/email/verify', { projectId, token })).status).toBe(200);
  });

  it('a mailed code may be tried five times, typed with spaces or not', async () => {
    await post('/signin/magic', { projectId, email: 'new@example.org' });
    const { code } = mailTo(test, 'new@example.org', 'magic-link');
    const wrong = code === '000000' ? '111111' : '000000';
    const attempt = (typed: string) =>
      post('/signin/magic/verify', { projectId, email: 'new@example.org', code: typed });
    for (let turn = 0; turn < 4; turn += 1) expect((await attempt(wrong)).status).toBe(400);
    expect((await attempt(`${code.slice(0, 3)} ${code.slice(3)}`)).status).toBe(200);

    await post('/signin/magic', { projectId, email: 'new@example.org' });
    const { code: next, token } = mailTo(test, 'new@example.org', 'magic-link');
    for (let turn = 0; turn < 5; turn += 1) await attempt(next === '000000' ? '111111' : '000000');
    expect((await attempt(next)).body.code).toBe('MAGIC_LINK_EXPIRED');
    expect((await post('/signin/magic/verify', { projectId, token })).status).toBe(200);
  });

  it('only the code of the newest mail is accepted', async () => {
    await post('/signin/magic', { projectId, email: 'new@example.org' });
    const { code: first } = mailTo(test, 'new@example.org', 'magic-link');
    wait(1_000);
    await post('/signin/magic', { projectId, email: 'new@example.org' });
    const { code: second } = mailTo(test, 'new@example.org', 'magic-link');
    const attempt = (code: string) =>
      post('/signin/magic/verify', { projectId, email: 'new@example.org', code });
    if (first !== second) expect((await attempt(first)).status).toBe(400);
    expect((await attempt(second)).status).toBe(200);
  });

  it('the database stores hashes of mailed tokens, and of codes with the server’s key', async () => {
    const ada = await signUpPerson(test);
    const { token, code } = mailTo(test, ada.email, 'verify-email');
    const rows = JSON.stringify(
      await authReader(test.database).selectFrom('one_time_tokens').selectAll().execute(),
    );
    expect(rows).not.toContain(token);
    expect(rows).not.toContain(token.split('.')[1]);
    expect(rows).not.toContain(code);
  });

  it('a mail request gets the same response for known and unknown e-mails, and sends no reset without an account', async () => {
    await signUpPerson(test);
    const known = await post('/password/reset', { projectId, email: 'ada@example.org' });
    const unknown = await post('/password/reset', { projectId, email: 'nobody@example.org' });
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    mailTo(test, 'ada@example.org', 'reset-password');
    expect(test.mails.filter(({ to }) => to === 'nobody@example.org')).toEqual([]);
    // The work is done for both: how long the server is busy afterwards tells nobody apart.
    const made = authReader(test.database).selectFrom('one_time_tokens').select('email');
    expect(await made.where('kind', '=', 'reset-password').orderBy('email').execute()).toEqual([
      { email: 'ada@example.org' },
      { email: 'nobody@example.org' },
    ]);
  });

  it('a mailed link opens a page of this site, and redirects to allowed origins only', async () => {
    await post('/signin/magic', {
      projectId,
      email: 'new@example.org',
      redirectUrl: 'https://journal.example/app?x=1',
    });
    const mail = mailTo(test, 'new@example.org', 'magic-link');
    expect(mail.link).toMatch(/^https:\/\/journal\.example\/auth\/magic\?token=journal\./);
    expect(mail.query.get('redirect_url')).toBe('https://journal.example/app?x=1');
    for (const path of ['/signin/magic', '/password/reset']) {
      for (const redirectUrl of [
        'https://evil.example/',
        'https://journal.example.evil.example',
        'http://journal.example/',
      ]) {
        const refused = await post(path, { projectId, email: 'new@example.org', redirectUrl });
        expect([refused.status, refused.body.code]).toEqual([400, 'REDIRECT_FAILED']);
      }
      for (const returnTo of ['//evil.example', '/\\evil.example', 'https://evil.example']) {
        expect((await post(path, { projectId, email: 'new@example.org', returnTo })).status).toBe(400);
      }
    }
  });

  it('a mail has the language of the account, else of the request, else of the project', async () => {
    const ada = await signUpPerson(test);
    expect(mailTo(test, ada.email, 'verify-email').language).toBe('de');
    await post('/password/reset', { projectId, email: ada.email }, { 'accept-language': 'en' });
    expect(mailTo(test, ada.email, 'reset-password').language).toBe('de');
    await post(
      '/signin/magic',
      { projectId, email: 'new@example.org' },
      { 'accept-language': 'fr, de;q=0.8, en;q=0.9' },
    );
    expect(mailTo(test, 'new@example.org', 'magic-link').language).toBe('en');
    await post(
      '/signin/magic',
      { projectId, email: 'other@example.org' },
      { 'accept-language': 'x'.repeat(5_000) },
    );
    expect(mailTo(test, 'other@example.org', 'magic-link').language).toBe('en');
  });

  it('a proof of the e-mail ends the password and sessions of the person who created the account before', async () => {
    const squatter = await signUpPerson(test, 'victim@example.org');
    await post('/signin/magic', { projectId, email: 'victim@example.org' });
    const { token } = mailTo(test, 'victim@example.org', 'magic-link');
    const { body } = await post('/signin/magic/verify', { projectId, token });
    expect(body.user.id).toBe(squatter.id);
    expect((await squatter.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await signInWith(test, 'victim@example.org')).status).toBe(401);
    expect((await personOf(test, body).call('GET', '/api/auth/me')).status).toBe(200);
  });

  it('a proof of an e-mail that was verified before keeps password and sessions', async () => {
    const ada = await signUpPerson(test);
    const { token } = mailTo(test, ada.email, 'verify-email');
    await post('/email/verify', { projectId, token }, ada.headers);
    await post('/signin/magic', { projectId, email: ada.email });
    await post('/signin/magic/verify', { projectId, token: mailTo(test, ada.email, 'magic-link').token });
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(200);
    expect((await signInWith(test, ada.email)).status).toBe(200);
  });

  describe('tokens for the operator’s own servers', () => {
    const secret = () => ({ authorization: `Bearer ${test.projects.get('journal')?.secretKey}` });

    it.each([
      ['/password/reset/generate', 'resetUrl', '/auth/reset'],
      ['/signin/magic/generate', 'magicUrl', '/auth/magic'],
      ['/email/verify/generate', 'verifyUrl', '/auth/verify'],
    ])('the secret key gets a token from %s', async (path, name, page) => {
      await signUpPerson(test);
      const before = test.mails.length;
      const { status, body } = await post(path, { projectId, email: 'ada@example.org' }, secret());
      expect(status).toBe(200);
      const url = new URL(body[name]);
      expect([url.origin, url.pathname, url.searchParams.get('token')]).toEqual([
        'https://journal.example',
        page,
        body.token,
      ]);
      expect(Date.parse(body.expiresAt)).toBeGreaterThan(Date.now());
      expect(test.mails.length).toBe(before);
    });

    it.each(['/password/reset/generate', '/signin/magic/generate'])(
      'a caller without the secret key gets no token from %s',
      async (path) => {
        const ada = await signUpPerson(test);
        const body = { projectId, email: 'ada@example.org' };
        expect((await post(path, body)).status).toBe(401);
        expect((await post(path, body, ada.headers)).status).toBe(403);
        const foreign = { authorization: `Bearer ${test.projects.get('other')?.secretKey}` };
        expect((await post(path, body, foreign)).status).toBe(401);
      },
    );

    it('a signed-in user’s verification token is mailed and never returned', async () => {
      const ada = await signUpPerson(test);
      const before = mailTo(test, ada.email, 'verify-email').token;
      const { body } = await ada.call('POST', '/api/auth/email/verify/generate');
      expect(body).toEqual({ success: true });
      expect(mailTo(test, ada.email, 'verify-email').token).not.toBe(before);
      expect((await post('/email/verify/send', undefined)).status).toBe(401);
    });
  });

  it('a change of password requires the old one', async () => {
    const ada = await signUpPerson(test);
    const elsewhere = personOf(test, (await signInWith(test, ada.email)).body);
    const change = (oldPassword: string, newPassword = NEW_PASSWORD) =>
      ada.call('POST', '/api/auth/password/change', { oldPassword, newPassword });
    expect((await change('not the password')).body.code).toBe('INVALID_CREDENTIALS');
    expect((await change(PASSWORD, 'password12')).body.code).toBe('WEAK_PASSWORD');
    expect((await change(PASSWORD)).body).toEqual({ success: true });
    expect((await ada.call('GET', '/api/auth/me')).status).toBe(200);
    expect((await elsewhere.call('GET', '/api/auth/me')).status).toBe(401);
    expect((await signInWith(test, ada.email, NEW_PASSWORD)).status).toBe(200);
  });

  it.each([
    ['PATCH', '/api/auth/me', { password: 'Thieves love 9 locks', proof: { password: PASSWORD } }],
    ['POST', '/api/auth/password/change', { oldPassword: PASSWORD, newPassword: 'Thieves love 9 locks' }],
  ])('a password stays as it was when the session ends during %s %s', async (method, path, body) => {
    const ada = await signUpPerson(test);
    const thief = personOf(test, (await signInWith(test, ada.email)).body);
    test.whileHashing(() => ada.call('DELETE', '/api/auth/sessions'));
    expect((await thief.call(method, path, body)).body.code).toBe('UNAUTHENTICATED');
    expect((await signInWith(test, ada.email)).status).toBe(200);
  });

  it('a sign-in with the old password gets no session while a new one is set', async () => {
    const ada = await signUpPerson(test);
    await post('/password/reset', { projectId, email: ada.email });
    const { token } = mailTo(test, ada.email, 'reset-password');
    const signIns: ReturnType<typeof signInWith>[] = [];
    test.whileHashing(async () => {
      signIns.push(...[1, 2, 3, 4].map(() => signInWith(test, ada.email)));
      await Promise.all(signIns.slice(2));
    });
    const reset = await post('/password/reset/confirm', { projectId, token, password: NEW_PASSWORD });
    expect(reset.status).toBe(200);
    for (const { status, body } of await Promise.all(signIns)) {
      if (status !== 200) expect(body.code).toBe('INVALID_CREDENTIALS');
      else expect((await personOf(test, body).call('GET', '/api/auth/me')).status).toBe(401);
    }
    expect((await signInWith(test, ada.email, NEW_PASSWORD)).status).toBe(200);
  });
});

describe('REQUIRE_VERIFIED_EMAIL', () => {
  it('a sign-up creates the account and mails a link, and nobody signs in before the e-mail is verified', async () => {
    const test = await buildTestAuth({ settings: { requireVerifiedEmail: true } });
    const body = { projectId, email: 'ada@example.org', password: PASSWORD };
    const signUp = await test.call('POST', '/api/auth/signup', { body });
    expect([signUp.status, signUp.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
    expect((await signInWith(test, body.email)).body.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await signInWith(test, body.email, 'not the password')).body.code).toBe('INVALID_CREDENTIALS');
    const { code } = mailTo(test, body.email, 'verify-email');
    await test.call('POST', '/api/auth/email/verify', {
      body: { projectId, email: body.email, code, password: PASSWORD },
    });
    expect((await signInWith(test, body.email)).status).toBe(200);
    await test.close();
  });
});
