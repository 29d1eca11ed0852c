import {
  buildTestProviders,
  type TestProviders,
} from '@fabrica/backend/testing/auth/build-test-providers.ts';
import type { ProviderAccount } from '@fabrica/test-peers/identity-provider.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listEvents } from '../audit.ts';
import { authReader, authWriter, findUserByEmail, type UserRow } from '../queries.ts';

const EMAIL = 'ada@example.org';
const PASSWORD = 'Lungs draw 12 breaths';

describe('whose account it is that somebody from a provider is signed in to', () => {
  let all: TestProviders;
  /** As the provider knows the person; tests change it. */
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
  const refusal = async (login: string) => (await all.comeBackAs(login)).address.searchParams.get('error');
  const events = async () =>
    (await listEvents(authReader(all.test.database), { limit: 50 })).map(({ event }) => event).reverse();

  it.each([true, false])('a new one, verified as the provider says: %j', async (verified) => {
    ada.emailVerified = verified;
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ email: EMAIL, emailVerified: verified, role: 'author' });
    expect(await passwordStatus()).toBe(401);
    expect(all.test.events).toMatchObject([{ table: 'names', operation: 'create', id: body.user.id }]);
  });

  it('theirs, when both sides say that the address is', async () => {
    const before = await signUp({ verified: true });
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ id: before.user.id, displayName: 'Countess' });
    expect(await identities()).toMatchObject([
      { provider: 'hospital', subject: 'ada', user_id: before.user.id },
    ]);
    expect(await passwordStatus()).toBe(200);
    expect(await refresh(before)).toBe(200);
    expect(await events()).toEqual(expect.arrayContaining(['sign-up', 'provider-linked']));
    // From now on by the provider's own name for the person, whatever the address is there.
    ada.email = 'countess@example.org';
    expect((await all.signInAs('ada')).body.user.id).toBe(before.user.id);
    expect(await users()).toHaveLength(1);
  });

  it('nobody’s, when the provider does not say that the address is theirs', async () => {
    for (const verified of [true, false]) {
      if (verified) await signUp();
      await change({ email_verified: verified ? 1 : 0 });
      expect(await refusal('mallory')).toBe('EMAIL_ALREADY_EXISTS');
    }
    expect(await identities()).toEqual([]);
    expect(await passwordStatus()).toBe(200);
  });

  it('theirs alone, when somebody made it with their address and never showed that it was', async () => {
    const before = await signUp();
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ id: before.user.id, emailVerified: true });
    expect(await passwordStatus()).toBe(401);
    expect(await refresh(before)).toBe(401);
    expect(await events()).toContain('email-verified');
  });

  it('theirs alone, when somebody came before them by a provider that did not verify the address', async () => {
    const { body: mallory } = await all.signInAs('mallory');
    const id = 'an-app-of-mallory-s';
    const headers = { authorization: `Bearer ${mallory.access_token}` };
    await all.test.call('POST', `/api/auth/mobile-session/${id}`, { headers });

    const { body } = await all.signInAs('ada');
    expect(body.user.id).toBe(mallory.user.id);
    expect(await refresh(mallory)).toBe(401);
    expect((await all.test.call('GET', `/api/auth/mobile-session/${id}`)).status).toBe(202);
    expect(await identities()).toMatchObject([{ subject: 'ada' }]);
    expect(await refusal('mallory')).toBe('EMAIL_ALREADY_EXISTS');
  });

  it('verified as soon as the provider says it of somebody who came before', async () => {
    ada.emailVerified = false;
    const { body: before } = await all.signInAs('ada');
    ada.emailVerified = true;
    const { body } = await all.signInAs('ada');
    expect(body.user).toMatchObject({ id: before.user.id, emailVerified: true });
  });

  it('not verified by what the provider says of another address', async () => {
    ada.emailVerified = false;
    await all.signInAs('ada');
    Object.assign(ada, { email: 'other@example.org', emailVerified: true });
    expect((await all.signInAs('ada')).body.user).toMatchObject({ email: EMAIL, emailVerified: false });
  });

  it.each([undefined, 'not an address', `${'x'.repeat(250)}@example.org`])(
    'none, when the address is %j',
    async (email) => {
      if (email === undefined) delete ada.email;
      else ada.email = email;
      expect(await refusal('ada')).toBe('VERIFICATION_FAILED');
      expect(await users()).toEqual([]);
    },
  );

  it('none that is disabled', async () => {
    await signUp({ verified: true });
    await change({ disabled_at: Date.now() });
    expect(await refusal('ada')).toBe('USER_NOT_FOUND');
    expect(await identities()).toEqual([]);
    await change({ disabled_at: null });
    await all.signInAs('ada');
    await change({ disabled_at: Date.now() });
    expect(await refusal('ada')).toBe('USER_NOT_FOUND');
  });

  it('that of the right case', async () => {
    await signUp({ verified: true });
    ada.email = ' ADA@Example.ORG';
    await all.signInAs('ada');
    expect(await users()).toHaveLength(1);
  });

  it('one without a name or a picture that we would not take from its owner', async () => {
    Object.assign(ada, { name: `Ada\u202E${'x'.repeat(200)}`, picture: 'javascript:alert(1)' });
    expect((await all.signInAs('ada')).body.user).toMatchObject({ displayName: null, photoURL: null });
  });

  it('one, although they come twice at the same time', async () => {
    const both = await Promise.all([all.signInAs('ada'), all.signInAs('ada')]);
    expect(both.map(({ status }) => status)).toEqual([200, 200]);
    expect(await users()).toHaveLength(1);
    expect((await user())?.email_verified).toBe(1);
  });
});

describe('where an address must be verified', () => {
  it('somebody whose provider does not say so gets a mail and is turned away', async () => {
    const ada: ProviderAccount = { login: 'ada', email: EMAIL };
    const all = await buildTestProviders({ accounts: [ada], settings: { requireVerifiedEmail: true } });
    const { address } = await all.comeBackAs('ada');
    expect(`${address.pathname}${address.search}`).toBe('/auth?error=EMAIL_NOT_VERIFIED&project_id=journal');
    await expect.poll(() => all.test.mails).toMatchObject([{ to: EMAIL, kind: 'verify-email' }]);
    expect(all.browser.cookies()).toEqual([]);
    ada.emailVerified = true;
    expect((await all.signInAs('ada')).body.user.emailVerified).toBe(true);
    await all.close();
  });
});
