import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { addApp, takeStep, ticketOf } from '@fabrica/backend/testing/auth/build-test-factors.ts';
import {
  mailTo,
  noticesTo,
  PASSWORD,
  personOf,
  proofCodeTo,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { listEvents } from '../audit.ts';
import { authReader } from '../queries.ts';

const MINUTE = 60_000;
const NEW_PASSWORD = 'Hearts beat 70 times';
const projectId = 'journal';

/** Every call that a finder of an access token must not be able to make: with its body, and what the owner is told. */
const CALLS = [
  ['PATCH', '/me', { password: NEW_PASSWORD }, ['password-changed']],
  ['POST', '/password/change', { newPassword: NEW_PASSWORD }, ['password-changed']],
  ['DELETE', '/account', {}, ['account-deleted']],
  ['POST', '/export', {}, ['data-exported']],
  ['DELETE', '/sessions', {}, []],
] as const;

describe('fresh proofs', () => {
  let test: TestAuth;
  let ada: TestPerson;
  let people = 0;
  beforeAll(async () => {
    test = await buildTestAuth({ settings: { accessTokenSeconds: 3_600 } });
  });
  beforeEach(async () => {
    people += 1;
    ada = await signUpPerson(test, `ada-${people}@example.org`);
  });
  afterEach(() => {
    vi.useRealTimers();
  });
  afterAll(() => test.close());

  const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const sendCode = async (person: TestPerson) => {
    expect((await person.call('POST', '/api/auth/proof/send')).body).toEqual({ success: true });
    return proofCodeTo(test, person.email);
  };
  const otherThan = (code: string) => code.replace(/\d$/, (digit) => String((Number(digit) + 1) % 10));

  describe.each(CALLS)('%s %s', (method, path, body, notices) => {
    const send = (proof: unknown, person = ada) =>
      person.call(method, `/api/auth${path}`, { ...body, proof });

    it(`${method} ${path} is done with the current password, and the owner is told by mail`, async () => {
      wait(11 * MINUTE);
      expect((await send({ password: PASSWORD })).status).toBe(200);
      expect(noticesTo(test, ada.email)).toEqual(notices);
    });

    it(`${method} ${path} is done with a mailed code, once`, async () => {
      wait(11 * MINUTE);
      const code = await sendCode(ada);
      expect((await send({ code: `${code.slice(0, 3)} ${code.slice(3)}` })).status).toBe(200);
      expect(noticesTo(test, ada.email)).toEqual(notices);
      expect((await send({ code })).status).toBe(401);
    });

    it.each([
      ['no proof', () => undefined],
      ['a wrong password', () => ({ password: 'not the password' })],
      ['a wrong code', async () => ({ code: otherThan(await sendCode(ada)) })],
      [
        'the code of another account',
        async () => ({ code: await sendCode(await signUpPerson(test, `eve-${people}@example.org`)) }),
      ],
      ['the code of a sign-up', () => ({ code: mailTo(test, ada.email, 'verify-email').code })],
      [
        'a code that was sent eleven minutes ago',
        async () => {
          const code = await sendCode(ada);
          wait(11 * MINUTE);
          return { code };
        },
      ],
    ])(`${method} ${path} is refused with %s, and says which proofs there are`, async (_, proofOf) => {
      wait(11 * MINUTE);
      const refused = await send(await proofOf());
      // A body without the old password and without a proof is not valid in the first place.
      const isInvalid = path === '/password/change' && refused.status === 400;
      if (!isInvalid) {
        expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
        expect(refused.body.details).toEqual({ proofs: ['password', 'code'] });
      }
      expect(noticesTo(test, ada.email)).toEqual([]);
      expect((await signInWith(test, ada.email)).status).toBe(200);
    });
  });

  it('a new password asks for a proof also right after signing in', async () => {
    for (const [method, path, body] of CALLS.slice(0, 1)) {
      expect((await ada.call(method, `/api/auth${path}`, body)).body.code).toBe('INVALID_CREDENTIALS');
    }
    expect((await signInWith(test, ada.email)).status).toBe(200);
  });

  it.each([
    ['DELETE', '/account'],
    ['GET', '/export'],
    ['DELETE', '/sessions'],
  ])('%s %s is done without a proof within ten minutes of signing in', async (method, path) => {
    wait(9 * MINUTE);
    expect((await ada.call(method, `/api/auth${path}`)).status).toBe(200);
  });

  it.each([
    ['DELETE', '/account', ''],
    ['POST', '/export', ''],
    ['DELETE', '/sessions', ''],
    ['DELETE', '/sessions', '/:other'],
  ])(
    '%s %s%s asks an account with a second factor for it, also right after signing in',
    async (method, path, id) => {
      const { recoveryCodes } = await addApp(ada);
      const ticket = ticketOf(await signInWith(test, ada.email));
      const other = personOf(test, (await takeStep(test, ticket, { code: recoveryCodes[0] })).body);
      const { sessions } = (await ada.call('GET', '/api/auth/sessions')).body;
      const session = sessions.find(({ current }: { current: boolean }) => !current);
      const url = `/api/auth${path}${id && `/${session.id}`}`;
      for (const proof of [undefined, { password: PASSWORD }]) {
        const refused = await ada.call(method, url, { proof });
        expect([refused.status, refused.body.details]).toEqual([401, { proofs: ['factor'] }]);
      }
      expect((await other.call('GET', '/api/auth/me')).status).toBe(200);
      expect((await ada.call(method, url, { proof: { factor: recoveryCodes[1] } })).status).toBe(200);
    },
  );

  it('another session is ended with a proof ten minutes after signing in, and the own one without', async () => {
    await signInWith(test, ada.email);
    wait(11 * MINUTE);
    const { sessions } = (await ada.call('GET', '/api/auth/sessions')).body;
    const idOf = (isOwn: boolean) =>
      sessions.find(({ current }: { current: boolean }) => current === isOwn).id;
    const end = (id: string, proof?: object) => ada.call('DELETE', `/api/auth/sessions/${id}`, { proof });
    expect((await end(idOf(false))).body).toMatchObject({ details: { proofs: ['password', 'code'] } });
    expect((await end(idOf(false), { password: PASSWORD })).status).toBe(200);
    expect((await end(idOf(true))).status).toBe(200);
  });

  it('a session that was handed over, or refreshed, does not count as a sign-in', async () => {
    await ada.call('POST', '/api/auth/mobile-session/an-app-session-of-the-thief');
    const handed = await test.call('GET', '/api/auth/mobile-session/an-app-session-of-the-thief');
    wait(11 * MINUTE);
    const refreshed = await test.call('POST', '/api/auth/refresh', {
      body: { refresh_token: ada.refreshToken },
    });
    for (const { status, body } of [refreshed, handed]) {
      expect(status).toBe(200);
      expect((await personOf(test, body).call('DELETE', '/api/auth/account')).status).toBe(401);
    }
  });

  it('an account without a password sets its first one with a mailed code', async () => {
    await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: 'new@example.org' } });
    const { token } = mailTo(test, 'new@example.org', 'magic-link');
    const signedIn = await test.call('POST', '/api/auth/signin/magic/verify', { body: { projectId, token } });
    const person = personOf(test, signedIn.body);
    const set = (proof?: unknown) => person.call('PATCH', '/api/auth/me', { password: NEW_PASSWORD, proof });
    expect((await set()).body.details).toEqual({ proofs: ['code'] });
    expect((await set({ password: '' })).status).toBe(400);
    expect((await set({ password: 'anything at all' })).status).toBe(401);
    const code = await sendCode(person);
    expect((await set({ code })).status).toBe(200);
    expect((await signInWith(test, 'new@example.org', NEW_PASSWORD)).status).toBe(200);
  });

  it('an account with a second factor and no password is not asked for one', async () => {
    const { recoveryCodes } = await addApp(ada);
    await test.database.writer
      .updateTable('users')
      .set({ password_hash: null })
      .where('id', '=', ada.id)
      .execute();
    expect((await ada.call('GET', '/api/auth/factors')).body.hasPassword).toBe(false);
    const body = { oldPassword: PASSWORD, newPassword: NEW_PASSWORD };
    const refused = await ada.call('POST', '/api/auth/password/change', body);
    expect([refused.status, refused.body.details]).toEqual([401, { proofs: ['factor'] }]);
    const proof = { factor: recoveryCodes[0] };
    expect((await ada.call('PATCH', '/api/auth/me', { password: NEW_PASSWORD, proof })).status).toBe(200);
  });

  it('a code is not spent on a password that is refused', async () => {
    const code = await sendCode(ada);
    const set = (password: string) => ada.call('PATCH', '/api/auth/me', { password, proof: { code } });
    expect((await set('password12')).body.code).toBe('WEAK_PASSWORD');
    expect((await set(NEW_PASSWORD)).status).toBe(200);
  });

  it('a reset password tells the owner, and a wrong proof is in the audit log', async () => {
    await ada.call('DELETE', '/api/auth/account', { proof: { password: 'not the password' } });
    await test.call('POST', '/api/auth/password/reset', { body: { projectId, email: ada.email } });
    const { token } = mailTo(test, ada.email, 'reset-password');
    const body = { projectId, token, password: NEW_PASSWORD };
    expect((await test.call('POST', '/api/auth/password/reset/confirm', { body })).status).toBe(200);
    expect(noticesTo(test, ada.email)).toEqual(['password-changed']);
    const events = await listEvents(authReader(test.database), {
      userId: ada.id,
      event: 'proof-failed',
      limit: 10,
    });
    expect(events).toHaveLength(1);
  });

  it('a code needs a session', async () => {
    expect((await test.call('POST', '/api/auth/proof/send')).status).toBe(401);
  });
});

it('a password and a code are guessed ten times in a quarter of an hour, whatever call takes them', async () => {
  const test = await buildTestAuth({ rateLimit: true });
  const ada = await signUpPerson(test);
  const statuses = [];
  for (let index = 0; index < 12; index += 1) {
    const [method, path, body] = CALLS[index % CALLS.length] ?? CALLS[0];
    const proof = { password: `guess number ${index}` };
    const response = await ada.call(method, `/api/auth${path}`, { ...body, proof });
    statuses.push(response.status);
    if (response.status === 429) expect(Number(response.headers.get('retry-after'))).toBeGreaterThan(0);
  }
  expect(statuses).toEqual([...Array(10).fill(401), 429, 429]);
  await test.close();
});
