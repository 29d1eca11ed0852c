import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  mailTo,
  PASSWORD,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const projectId = 'journal';

/** Signs up with an e-mail address, which the owner of the mailbox then verifies. */
describe('verifying an e-mail', () => {
  let test: TestAuth;
  let signedUp: TestPerson;
  let people = 0;
  beforeAll(async () => {
    test = await buildTestAuth();
  });
  beforeEach(async () => {
    people += 1;
    signedUp = await signUpPerson(test, `ada-${people}@example.org`);
  });
  afterAll(() => test.close());

  const verify = (given: object, headers = {}, ip = '203.0.113.7') =>
    test.call('POST', '/api/auth/email/verify', { body: { projectId, ...given }, headers, ip });
  const survives = async () => ({
    session: (await signedUp.call('GET', '/api/auth/me')).status === 200,
    refresh:
      (await test.call('POST', '/api/auth/refresh', { body: { refresh_token: signedUp.refreshToken } }))
        .status === 200,
    password: (await signInWith(test, signedUp.email)).status === 200,
  });
  const eve = () => signUpPerson(test, `eve-${people}@example.org`);

  describe.each([
    ['its link', () => ({ token: mailTo(test, signedUp.email, 'verify-email').token })],
    ['its code', () => ({ email: signedUp.email, code: mailTo(test, signedUp.email, 'verify-email').code })],
  ])('with %s', (_, proofOf) => {
    it.each([
      ['a session of the account', () => [{}, signedUp.headers]],
      ['the account’s password', () => [{ password: PASSWORD }, {}]],
    ])('a mailed proof and %s keep sessions and password', async (_, givenWith) => {
      const [given = {}, headers = {}] = givenWith();
      expect((await verify({ ...proofOf(), ...given }, headers)).body).toEqual({ success: true });
      expect((await signedUp.call('GET', '/api/auth/me')).body.user.emailVerified).toBe(true);
      expect(await survives()).toEqual({ session: true, refresh: true, password: true });
    });

    it('a mailed proof from the network of the sign-up keeps sessions and password', async () => {
      const { email } = await signUpPerson(test, `near-${people}@example.org`);
      await test.call('POST', '/api/auth/email/verify', {
        body: { projectId, token: mailTo(test, email, 'verify-email').token },
      });
      expect((await signInWith(test, email)).body.user).toMatchObject({ emailVerified: true });
    });

    it.each([
      ['nothing', () => ({})],
      ['a session of another account', async () => (await eve()).headers],
      ['a token that is none', () => ({ authorization: 'Bearer none' })],
      ['the secret key', () => ({ authorization: `Bearer ${test.projects.get('journal')?.secretKey}` })],
    ])(
      'a mailed proof with %s ends the sessions and the password of the person who signed up',
      async (_, headersOf) => {
        expect((await verify(proofOf(), await headersOf())).body).toEqual({ success: true });
        expect(await survives()).toEqual({ session: false, refresh: false, password: false });
        await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: signedUp.email } });
        const { token } = mailTo(test, signedUp.email, 'magic-link');
        const owner = await test.call('POST', '/api/auth/signin/magic/verify', {
          body: { projectId, token },
        });
        expect(owner.body.user).toMatchObject({ id: signedUp.id, emailVerified: true });
      },
    );

    it('a wrong password is refused, and the proof may be used again', async () => {
      const refused = await verify({ ...proofOf(), password: 'not the password' });
      expect([refused.status, refused.body.code]).toEqual([401, 'INVALID_CREDENTIALS']);
      expect((await verify({ ...proofOf(), password: PASSWORD })).status).toBe(200);
      expect((await survives()).password).toBe(true);
    });

    it('the password of another account is refused', async () => {
      const other = await eve();
      const body = { projectId, email: other.email };
      await test.call('POST', '/api/auth/password/reset', { body });
      const { token } = mailTo(test, other.email, 'reset-password');
      await test.call('POST', '/api/auth/password/reset/confirm', {
        body: { ...body, token, password: 'Hearts beat 70 times' },
      });
      expect((await verify({ ...proofOf(), password: 'Hearts beat 70 times' })).status).toBe(401);
    });
  });
});
