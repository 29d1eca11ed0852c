import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import { addApp } from '@fabrica/backend/testing/auth/build-test-factors.ts';
import {
  mailTo,
  PASSWORD,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { authReader, findUserByEmail } from '../queries.ts';

const projectId = 'journal';
const NEW_PASSWORD = 'Hearts beat 70 times';

/** Signs up with an e-mail address, which the owner of the mailbox then proves, by verifying it or by signing in. */
describe('proving an e-mail that was never verified', () => {
  let test: TestAuth;
  let signedUp: TestPerson;
  let people = 0;
  beforeAll(async () => {
    test = await buildTestAuth();
  });
  beforeEach(async () => {
    people += 1;
    signedUp = await signUpPerson(test, `ada-${people}@example.org`);
    await requestMails();
  });
  afterAll(() => test.close());

  const requestMails = async () => {
    await signedUp.call('POST', '/api/auth/email/verify/send');
    await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: signedUp.email } });
  };
  const eve = () => signUpPerson(test, `eve-${people}@example.org`);
  const survives = async () => ({
    session: (await signedUp.call('GET', '/api/auth/me')).status === 200,
    refresh:
      (await test.call('POST', '/api/auth/refresh', { body: { refresh_token: signedUp.refreshToken } }))
        .status === 200,
    password: (await signInWith(test, signedUp.email)).status === 200,
  });
  const ALL = { session: true, refresh: true, password: true };
  const NOTHING = { session: false, refresh: false, password: false };
  const isVerified = async () =>
    (await findUserByEmail(authReader(test.database), signedUp.email))?.email_verified === 1;

  describe.each([
    ['the link of a verification', 'verify-email', '/api/auth/email/verify', 'link'],
    ['the code of a verification', 'verify-email', '/api/auth/email/verify', 'code'],
    ['a sign-in link', 'magic-link', '/api/auth/signin/magic/verify', 'link'],
    ['the code of a sign-in mail', 'magic-link', '/api/auth/signin/magic/verify', 'code'],
  ] as const)('%s', (proofName, kind, path, by) => {
    const proof = () => {
      const { token, code } = mailTo(test, signedUp.email, kind);
      return by === 'link' ? { token } : { email: signedUp.email, code };
    };
    // The network of the sign-up is that of the call: it is no proof of a person.
    const prove = (given: object = {}, headers = {}) =>
      test.call('POST', path, { body: { projectId, ...proof(), ...given }, headers });

    it.each([
      ['a session of the account', () => [{ askFirst: true }, signedUp.headers]],
      ['the account’s password', () => [{ password: PASSWORD, askFirst: true }, {}]],
    ])(`${proofName} and %s keep sessions and password`, async (_, givenWith) => {
      const [given = {}, headers = {}] = givenWith();
      expect((await prove(given, headers)).status).toBe(200);
      expect(await isVerified()).toBe(true);
      expect(await survives()).toEqual(ALL);
    });

    it.each([
      ['nothing', () => ({})],
      ['a session of another account', async () => (await eve()).headers],
      ['a token that is none', () => ({ authorization: 'Bearer none' })],
      ['the secret key', () => ({ authorization: `Bearer ${test.projects.get('journal')?.secretKey}` })],
    ])(
      `${proofName} with %s ends the sessions, the password and the factors of the person who signed up`,
      async (_, headersOf) => {
        await addApp(signedUp);
        // The first factor ends the mails of before.
        await requestMails();
        expect((await prove({}, await headersOf())).status).toBe(200);
        expect(await isVerified()).toBe(true);
        expect(await survives()).toEqual(NOTHING);
        await requestMails();
        const { token } = mailTo(test, signedUp.email, 'magic-link');
        const body = { projectId, token };
        const owner = await test.call('POST', '/api/auth/signin/magic/verify', { body });
        expect(owner.body.user).toMatchObject({ id: signedUp.id, emailVerified: true });
      },
    );

    it(`${proofName} that asks first is refused where the password would end, ends nothing and stays good`, async () => {
      const refused = await prove({ askFirst: true });
      expect([refused.status, refused.body.code, refused.body.details]).toEqual([
        401,
        'INVALID_CREDENTIALS',
        { endsPassword: true },
      ]);
      expect(await survives()).toEqual(ALL);
      expect(await isVerified()).toBe(false);
      expect((await prove({ password: PASSWORD })).status).toBe(200);
      expect(await survives()).toEqual(ALL);
    });

    it(`${proofName} with a new password sets it in place of the one that ends`, async () => {
      expect((await prove({ newPassword: 'short' })).body.code).toBe('WEAK_PASSWORD');
      expect((await prove({ newPassword: signedUp.email })).body.code).toBe('WEAK_PASSWORD');
      expect((await prove({ newPassword: NEW_PASSWORD, askFirst: true })).status).toBe(200);
      expect(await survives()).toEqual(NOTHING);
      expect((await signInWith(test, signedUp.email, NEW_PASSWORD)).body.user.emailVerified).toBe(true);
    });

    it(`${proofName} changes nothing of an account that is verified already, whatever the call says`, async () => {
      const verification = { projectId, token: mailTo(test, signedUp.email, 'verify-email').token };
      await test.call('POST', '/api/auth/email/verify', { body: { ...verification, password: PASSWORD } });
      if (kind === 'verify-email') return expect((await prove()).status).toBe(400);
      expect((await prove({ newPassword: NEW_PASSWORD, askFirst: true })).status).toBe(200);
      expect(await survives()).toEqual(ALL);
    });

    it(`${proofName} with a wrong password is refused, and may be used again`, async () => {
      const refused = await prove({ password: 'not the password' });
      expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
      expect((await prove({ password: PASSWORD })).status).toBe(200);
      expect((await survives()).password).toBe(true);
    });

    it(`${proofName} with the password of another account is refused`, async () => {
      const other = await eve();
      const body = { projectId, email: other.email };
      await test.call('POST', '/api/auth/password/reset', { body });
      const { token } = mailTo(test, other.email, 'reset-password');
      await test.call('POST', '/api/auth/password/reset/confirm', {
        body: { ...body, token, password: NEW_PASSWORD },
      });
      expect((await prove({ password: NEW_PASSWORD })).status).toBe(401);
    });
  });
});

describe('an account whose e-mail is not verified, where mails are sent', () => {
  const verify = async (test: TestAuth, email: string) => {
    const { token } = mailTo(test, email, 'verify-email');
    const body = { projectId, token, password: PASSWORD };
    expect((await test.call('POST', '/api/auth/email/verify', { body })).status).toBe(200);
  };

  it.each(['/factors/totp/begin', '/factors/passkeys/begin'])(
    'an account adds no second factor by %s before its e-mail is verified',
    async (path) => {
      const test = await buildTestAuth({ settings: { sendsMail: true } });
      const ada = await signUpPerson(test);
      const begin = () => ada.call('POST', `/api/auth${path}`, { proof: { password: PASSWORD } });
      const refused = await begin();
      expect([refused.status, refused.body.code]).toEqual([403, 'EMAIL_NOT_VERIFIED']);
      await verify(test, ada.email);
      expect((await begin()).status).toBe(200);
      await test.close();
    },
  );

  it('an account whose role has to have a second factor verifies its e-mail before it sets one up', async () => {
    const test = await buildTestAuth({ settings: { sendsMail: true, secondFactorRoles: ['author'] } });
    const body = { projectId, email: 'ada@example.org', password: PASSWORD };
    expect((await test.call('POST', '/api/auth/signup', { body })).body.code).toBe('EMAIL_NOT_VERIFIED');
    expect((await signInWith(test, body.email)).body.code).toBe('EMAIL_NOT_VERIFIED');
    await verify(test, body.email);
    expect((await signInWith(test, body.email)).body).toMatchObject({
      code: 'SECOND_FACTOR_REQUIRED',
      details: { setUp: true },
    });
    await test.close();
  });
});
