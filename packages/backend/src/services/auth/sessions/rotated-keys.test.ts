import { buildTestAuth, type TestAuth } from '@fabrica/backend/testing/auth/build-test-auth.ts';
import {
  addApp,
  addTestPasskey,
  takeStep,
  ticketOf,
} from '@fabrica/backend/testing/auth/build-test-factors.ts';
import {
  mailTo,
  PASSWORD,
  signInWith,
  signUpPerson,
  type TestPerson,
} from '@fabrica/backend/testing/auth/build-test-person.ts';
import { codeNow } from '@fabrica/backend/testing/auth/code-now.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadKeys, rotateRefreshKey, rotateSecretsKey } from '../../../core/keys.ts';
import { sealFactorsAnew } from '../factors/seal-factors-anew.ts';
import { authReader } from '../queries.ts';

const SECOND = 1_000;
const projectId = 'journal';

describe('keys that were rotated', () => {
  let test: TestAuth;
  let ada: TestPerson;
  beforeEach(async () => {
    test = await buildTestAuth({ rateLimit: true });
    vi.useFakeTimers({ toFake: ['Date'], now: Math.floor(Date.now() / 30_000) * 30_000 });
    ada = await signUpPerson(test);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await test.close();
  });

  const wait = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  const refresh = (token: string) =>
    test.call('POST', '/api/auth/refresh', { body: { refresh_token: token } });
  /** Rotates the refresh key, and waits until the new one signs. */
  async function rotate(options = {}): Promise<void> {
    const before = test.keys.refreshKeys.current;
    await rotateRefreshKey(test.keyStore, options);
    await test.keys.refreshKeys.reload();
    wait(61 * SECOND);
    expect(test.keys.refreshKeys.current).not.toEqual(before);
  }

  it('a new refresh key ends no session, also not one that two tabs refresh while it begins to sign', async () => {
    await rotateRefreshKey(test.keyStore);
    await test.keys.refreshKeys.reload();
    wait(55 * SECOND);
    const first = await refresh(ada.refreshToken);
    wait(6 * SECOND);
    const second = await refresh(ada.refreshToken);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(second.body.refresh_token).toBe(first.body.refresh_token);
    expect((await refresh(second.body.refresh_token)).status).toBe(200);
  });

  it('a node does not sign with a new refresh key before all others have read it', async () => {
    const before = test.keys.refreshKeys.current;
    await rotateRefreshKey(test.keyStore);
    const quick = await loadKeys(test.keyStore);
    expect(quick.refreshKeys.current).toEqual(before);
    wait(59 * SECOND);
    expect(quick.refreshKeys.current).toEqual(before);
    expect(quick.refreshKeys.all).toHaveLength(2);
  });

  it('what a former refresh key has signed stays valid: codes, recovery codes, passkey challenges, known browsers', async () => {
    const { headers } = await test.call('POST', '/api/auth/signin/email', {
      body: { projectId, email: ada.email, password: PASSWORD },
    });
    const cookie = (headers.getSetCookie()[0] ?? '').split(';')[0] ?? '';
    const { passkey, added } = await addTestPasskey(ada);
    const asked = (await test.call('GET', `/api/auth/signin/passkey/options?projectId=${projectId}`)).body;
    await test.call('POST', '/api/auth/signin/magic', { body: { projectId, email: ada.email } });
    await rotate();
    await rotate();

    test.priorities.length = 0;
    const known = await test.call('POST', '/api/auth/signin/email', {
      ip: '198.51.100.7',
      headers: { cookie },
      body: { projectId, email: ada.email, password: PASSWORD },
    });
    expect(test.priorities).toEqual([{ key: '198.51.100.0/24', urgent: true }]);
    const [code] = added.recoveryCodes;
    expect((await takeStep(test, ticketOf(known), { code })).status).toBe(200);
    expect((await takeStep(test, ticketOf(await signInWith(test, ada.email)), { code })).status).toBe(401);
    const shown = await test.call('POST', '/api/auth/signin/passkey', {
      body: { projectId, credential: passkey.get(asked) },
    });
    expect(shown.status).toBe(200);
    // The owner of an address that nobody had verified: the mail proves it, and the first step is enough.
    const mailed = await test.call('POST', '/api/auth/signin/magic/verify', {
      body: { projectId, email: ada.email, code: mailTo(test, ada.email, 'magic-link').code },
    });
    expect(mailed.status).toBe(200);
  });

  it('a revoked refresh key has signed nothing that is still valid, and sessions go on', async () => {
    const { recoveryCodes } = await addApp(ada);
    await rotate({ revoke: true });
    expect((await refresh(ada.refreshToken)).status).toBe(200);
    const ticket = ticketOf(await signInWith(test, ada.email));
    expect((await takeStep(test, ticket, { code: recoveryCodes[0] })).status).toBe(401);
  });

  it('a new key of secrets seals authenticator apps anew, and a node that has not read it takes their codes', async () => {
    const { secret } = await addApp(ada);
    const sealed = async () =>
      (await authReader(test.database).selectFrom('second_factors').select('secret').execute())[0]?.secret;
    const seen = [await sealed()];
    for (let rotation = 1; rotation <= 3; rotation += 1) {
      await rotateSecretsKey(test.keyStore, { sealAnew: (keys) => sealFactorsAnew(test.database, keys) });
      seen.push(await sealed());
      wait(31 * SECOND);
      const ticket = ticketOf(await signInWith(test, ada.email));
      expect((await takeStep(test, ticket, { code: codeNow(secret) })).status).toBe(200);
    }
    expect(new Set(seen).size).toBe(4);
    expect((await loadKeys(test.keyStore)).secretsKeys.all).toHaveLength(2);
    await rotateSecretsKey(test.keyStore, {
      revoke: true,
      sealAnew: (keys) => sealFactorsAnew(test.database, keys),
    });
    expect((await loadKeys(test.keyStore)).secretsKeys.all).toHaveLength(1);
  });

  it('a rotation of secrets that was interrupted loses none, and the next one completes it', async () => {
    const { secret } = await addApp(ada);
    const failing = { sealAnew: () => Promise.reject(new Error('The machine went down.')) };
    for (let time = 0; time < 3; time += 1) {
      await expect(rotateSecretsKey(test.keyStore, failing)).rejects.toThrow('went down');
    }
    await rotateSecretsKey(test.keyStore, {
      revoke: true,
      sealAnew: (keys) => sealFactorsAnew(test.database, keys),
    });
    const ticket = ticketOf(await signInWith(test, ada.email));
    expect((await takeStep(test, ticket, { code: codeNow(secret) })).status).toBe(200);
  });
});
