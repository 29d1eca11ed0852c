import {
  buildTestProviders,
  type TestProviders,
} from '@fabrica/backend/testing/auth/build-test-providers.ts';
import type { ProviderAccount } from '@fabrica/test-peers/identity-provider.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listEvents } from '../../audit.ts';
import { authReader, authWriter, findUserByEmail, type UserRow } from '../../queries.ts';

const EMAIL = 'ada@example.org';
const PASSWORD = 'Lungs draw 12 breaths';

describe('linking identities to accounts', () => {
  let all: TestProviders;
  /** The person as the provider knows them; tests change it. */
  let ada: ProviderAccount;
  beforeEach(async () => {
    ada = { login: 'ada', email: EMAIL, emailVerified: true, name: 'Ada Lovelace' };
    const mallory = { login: 'mallory', email: EMAIL, emailVerified: false, name: 'Mallory' };
    all = await buildTestProviders({ accounts: [ada, mallory] });
  });
  afterEach(() => all.close());

  const signUp = async ({ verified = false } = {}) => {
    const account = { projectId: 'journal', email: EMAIL, password: PASSWORD, displayName: 'Countess' };
    const { body } = await all.test.call('POST', '/api/auth/signup', { body: account });
    if (verified) await change({ email_verified: 1 });
    return body;
  };
  const change = (changes: Partial<UserRow>) =>
    authWriter(all.test.database).updateTable('users').set(changes).where('email', '=', EMAIL).execute();
  const passwordStatus = async () => {
    const body = { projectId: 'journal', email: EMAIL, password: PASSWORD };
    return (await all.test.call('POST', '/api/auth/signin/email', { body })).status;
  };
  const refresh = async ({ refresh_token }: { refresh_token: string }) =>
    (await all.test.call('POST', '/api/auth/refresh', { body: { refresh_token } })).status;
  const user = () => findUserByEmail(authReader(all.test.database), EMAIL);
  const users = () => authReader(all.test.database).selectFrom('users').selectAll().execute();
  const identities = () => authReader(all.test.database).selectFrom('identities').selectAll().execute();
  const errorOf = async (login: string) => (await all.comeBackAs(login)).url.searchParams.get('error');
  const events = async () =>
    (await listEvents(authReader(all.test.database), { limit: 50 })).map(({ event }) => event).reverse();

  it.each([true, false])(
    'a new person gets a new account, whose e-mail is verified as the provider says: %j',
    async (verified) => {
      ada.emailVerified = verified;
      const { body } = await all.signInAs('ada');
      expect(body.user).toMatchObject({ email: EMAIL, emailVerified: verified, role: 'author' });
      expect(await passwordStatus()).toBe(401);
      expect(all.test.events).toMatchObject([{ table: 'names', operation: 'create', id: body.user.id }]);
    },
  );

  const takeStep = (ticket: string, code: string) =>
    all.test.call('POST', '/api/auth/signin/second-step', { body: { ticket, code } });
  /** Signs in for the first time to an account of before, and returns the ticket and the mailed code. */
  const askToLink = async () => {
    const { status, body } = await all.signInAs('ada');
    expect([status, body.code]).toEqual([401, 'SECOND_FACTOR_REQUIRED']);
    expect(body.details).toMatchObject({ methods: ['mail-code'], setUp: false });
    const find = () => all.test.mails.findLast(({ kind, to }) => kind === 'confirm-change' && to === EMAIL);
    await expect.poll(find).toMatchObject({ code: expect.stringMatching(/^\d{6}$/) });
    const mail = find();
    return { ticket: String(body.details.ticket), code: mail && 'code' in mail ? mail.code : '' };
  };

  it('a person signs in to the account with the same e-mail, once a mailed code has confirmed it', async () => {
    const before = await signUp({ verified: true });
    const asked = await askToLink();
    expect(await identities()).toEqual([]);
    const { body } = await takeStep(asked.ticket, asked.code);
    expect((await takeStep(asked.ticket, asked.code)).status).toBe(401);
    expect(body.user).toMatchObject({ id: before.user.id, displayName: 'Countess' });
    expect(await identities()).toMatchObject([
      { provider: 'hospital', subject: 'ada', user_id: before.user.id },
    ]);
    expect(await passwordStatus()).toBe(200);
    expect(await refresh(before)).toBe(200);
    expect(await events()).toEqual(expect.arrayContaining(['sign-up', 'provider-linked']));
    expect(all.test.mails.filter((mail) => mail.kind === 'provider-linked')).toMatchObject([
      { to: EMAIL, subject: 'Hospital' },
    ]);
    // From now on by the provider's own name for the person, whatever the url is there.
    ada.email = 'countess@example.org';
    expect((await all.signInAs('ada')).body.user.id).toBe(before.user.id);
    expect(await users()).toHaveLength(1);
  });

  it('a wrong code links nothing, and a ticket has five tries', async () => {
    await signUp({ verified: true });
    const { ticket, code } = await askToLink();
    const wrong = code === '000000' ? '000001' : '000000';
    const codes = [];
    for (let n = 0; n < 6; n += 1) codes.push((await takeStep(ticket, wrong)).body.code);
    expect(codes).toEqual([...Array(5).fill('SECOND_FACTOR_FAILED'), 'TOKEN_EXPIRED']);
    expect((await takeStep(ticket, code)).status).toBe(401);
    expect(await identities()).toEqual([]);
    expect(await events()).toContain('second-step-failed');
  });

  it('a code of another account, or a ticket of another purpose, links nothing', async () => {
    await signUp({ verified: true });
    const eve = { projectId: 'journal', email: 'eve@example.org', password: PASSWORD };
    const { body: session } = await all.test.call('POST', '/api/auth/signup', { body: eve });
    const headers = { authorization: `Bearer ${session.access_token}` };
    await all.test.call('POST', '/api/auth/proof/send', { headers });
    const mail = all.test.mails.findLast(({ to }) => to === eve.email);
    const { ticket } = await askToLink();
    const code = mail && 'code' in mail ? mail.code : '';
    expect((await takeStep(ticket, code)).status).toBe(401);
    for (const path of ['/factors/totp/begin', '/factors/passkeys/begin']) {
      expect((await all.test.call('POST', `/api/auth${path}`, { body: { ticket } })).status).not.toBe(200);
    }
    expect(await identities()).toEqual([]);
  });

  it('a role that has to have a second factor sets one up after the mailed code', async () => {
    await all.close();
    all = await buildTestProviders({ accounts: [ada], settings: { secondFactorRoles: ['author'] } });
    await signUp({ verified: true });
    const { ticket, code } = await askToLink();
    const { body } = await takeStep(ticket, code);
    expect(body).toMatchObject({ code: 'SECOND_FACTOR_REQUIRED', details: { methods: [], setUp: true } });
    expect(await identities()).toHaveLength(1);
  });

  it('a person is not signed in to an account when the provider has not verified the e-mail', async () => {
    for (const verified of [true, false]) {
      if (verified) await signUp();
      await change({ email_verified: verified ? 1 : 0 });
      expect(await errorOf('mallory')).toBe('EMAIL_ALREADY_EXISTS');
    }
    expect(await identities()).toEqual([]);
    expect(await passwordStatus()).toBe(200);
  });

  it('an account that a stranger created with the person’s e-mail belongs to the person alone after the sign-in', async () => {
    const before = await signUp();
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ id: before.user.id, emailVerified: true });
    expect(await passwordStatus()).toBe(401);
    expect(await refresh(before)).toBe(401);
    expect(await events()).toContain('email-verified');
  });

  it('an account that a stranger created through a provider without verification belongs to the person alone after the sign-in', async () => {
    const { body: mallory } = await all.signInAs('mallory');
    const id = 'an-app-of-mallory-s';
    const headers = { authorization: `Bearer ${mallory.access_token}` };
    await all.test.call('POST', `/api/auth/mobile-session/${id}`, { headers });

    const { body } = await all.signInAs('ada');
    expect(body.user.id).toBe(mallory.user.id);
    expect(await refresh(mallory)).toBe(401);
    expect((await all.test.call('GET', `/api/auth/mobile-session/${id}`)).status).toBe(202);
    expect(await identities()).toMatchObject([{ subject: 'ada' }]);
    expect(await errorOf('mallory')).toBe('EMAIL_ALREADY_EXISTS');
  });

  it('an account’s e-mail becomes verified at a later sign-in when the provider has verified it', async () => {
    ada.emailVerified = false;
    const { body: before } = await all.signInAs('ada');
    ada.emailVerified = true;
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ id: before.user.id, emailVerified: true });
  });

  it('an account’s e-mail is not verified by what the provider says about another e-mail', async () => {
    ada.emailVerified = false;
    await all.signInAs('ada');
    Object.assign(ada, { email: 'other@example.org', emailVerified: true });
    expect((await all.signInAs('ada')).body.user).toMatchObject({ email: EMAIL, emailVerified: false });
  });

  it.each([undefined, 'not an address', `${'x'.repeat(250)}@example.org`])(
    'a person without an account gets none when the provider’s e-mail is %j',
    async (email) => {
      if (email === undefined) delete ada.email;
      else ada.email = email;
      expect(await errorOf('ada')).toBe('VERIFICATION_FAILED');
      expect(await users()).toEqual([]);
    },
  );

  it('a person is not signed in to a disabled account', async () => {
    await signUp({ verified: true });
    await change({ disabled_at: Date.now() });
    expect(await errorOf('ada')).toBe('USER_NOT_FOUND');
    expect(await identities()).toEqual([]);
    await change({ disabled_at: null });
    const { ticket, code } = await askToLink();
    await takeStep(ticket, code);
    await change({ disabled_at: Date.now() });
    expect(await errorOf('ada')).toBe('USER_NOT_FOUND');
  });

  it('a person is signed in to the account with the same e-mail in another case', async () => {
    await signUp({ verified: true });
    ada.email = ' ADA@Example.ORG';
    const { ticket, code } = await askToLink();
    expect((await takeStep(ticket, code)).status).toBe(200);
    expect(await users()).toHaveLength(1);
  });

  it('a new account has no name or picture that its owner could not set', async () => {
    Object.assign(ada, { name: `Ada\u202E${'x'.repeat(200)}`, picture: 'javascript:alert(1)' });
    expect((await all.signInAs('ada')).body.user).toMatchObject({ displayName: null, photoURL: null });
  });

  it('a person who signs in twice at the same time gets one account', async () => {
    const both = await Promise.all([all.signInAs('ada'), all.signInAs('ada')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await users()).toHaveLength(1);
    expect((await user())?.email_verified).toBe(1);
  });
});

describe('linking with REQUIRE_VERIFIED_EMAIL', () => {
  it('a person whose provider has not verified the e-mail gets a mail and no session', async () => {
    const ada: ProviderAccount = { login: 'ada', email: EMAIL };
    const all = await buildTestProviders({ accounts: [ada], settings: { requireVerifiedEmail: true } });
    const { url } = await all.comeBackAs('ada');
    expect(`${url.pathname}${url.search}`).toBe('/auth?error=EMAIL_NOT_VERIFIED&project_id=journal');
    await expect.poll(() => all.test.mails).toMatchObject([{ to: EMAIL, kind: 'verify-email' }]);
    expect(all.browser.cookies()).toEqual([]);
    ada.emailVerified = true;
    expect((await all.signInAs('ada')).body.user.emailVerified).toBe(true);
    await all.close();
  });
});
