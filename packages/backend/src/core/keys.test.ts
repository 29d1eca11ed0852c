import { buildTestKeyStore } from '@fabrica/backend/testing/auth/build-test-keys.ts';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type KeyStore, loadKeys, replaceProjectSecret, rotateSigningKey } from './keys.ts';

describe('keys', () => {
  let stored: Map<string, string>;
  let store: KeyStore;
  beforeEach(() => {
    stored = new Map();
    store = buildTestKeyStore(stored);
  });

  it('keys are made once and are the same at the next start', async () => {
    const first = await loadKeys(store);
    expect(await first.projectSecret('journal')).toMatch(/^sk_[\w-]{43}$/);
    const second = await loadKeys(store);
    expect(await second.jwks()).toEqual(await first.jwks());
    expect((await second.signer()).kid).toBe((await first.signer()).kid);
    expect(second.refreshKeys.all).toEqual(first.refreshKeys.all);
    expect(second.secretsKeys.all).toEqual(first.secretsKeys.all);
    expect(await second.projectSecret('journal')).toBe(await first.projectSecret('journal'));
    expect(await second.projectSecret('other')).not.toBe(await first.projectSecret('journal'));
  });

  it.each(['signing', 'refresh', 'secrets', 'project-journal'])(
    'the key "%s" is refused when it is damaged',
    async (name) => {
      await (await loadKeys(store)).projectSecret('journal');
      stored.set(name, String(stored.get(name)).slice(0, 20));
      const load = async () => (await loadKeys(store)).projectSecret('journal');
      await expect(load()).rejects.toThrow(`The key "${name}" in the database is damaged`);
    },
  );

  it('a damaged key file of an older version is refused rather than replaced', async () => {
    const older = {
      ...store,
      readFile: async (file: string) => (file === 'refresh.key' ? 'short' : undefined),
    };
    await expect(loadKeys(older)).rejects.toThrow('The key file refresh.key is damaged');
    expect(stored.has('refresh')).toBe(false);
  });

  it('a new secret key is that of the next start', async () => {
    const keys = await loadKeys(store);
    const before = await keys.projectSecret('journal');
    const secret = await replaceProjectSecret(store, 'journal');
    expect(secret).not.toBe(before);
    expect(await (await loadKeys(store)).projectSecret('journal')).toBe(secret);
  });

  describe('when rotated', () => {
    afterEach(() => vi.useRealTimers());

    it('every process signs with the new key at once it has seen it, and still knows the old one', async () => {
      const running = await loadKeys(store);
      const before = (await running.signer()).kid;
      const kid = await rotateSigningKey(store);
      expect(kid).not.toBe(before);
      expect(await running.verifier(kid)).toBeDefined();
      expect((await running.signer()).kid).toBe(kid);
      expect(await running.verifier(before)).toBeDefined();
      expect((await running.jwks()).keys.map((key) => key.kid)).toEqual([kid, before]);
    });

    it('a key is forgotten when no token of its can be good any more', async () => {
      const keys = await loadKeys(store);
      const before = (await keys.signer()).kid;
      await rotateSigningKey(store);
      await keys.jwks();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 });
      expect(await keys.verifier(before)).toBeUndefined();
      await rotateSigningKey(store);
      expect((await keys.jwks()).keys).toHaveLength(2);
    });

    it('a revoked key is forgotten at once', async () => {
      const keys = await loadKeys(store);
      const before = (await keys.signer()).kid;
      const kid = await rotateSigningKey(store, { revoke: true });
      expect((await keys.jwks()).keys.map((key) => key.kid)).toEqual([kid]);
      expect(await keys.verifier(before)).toBeUndefined();
    });

    it('the known keys stay in use while the store does not respond', async () => {
      let isAway = false;
      const readOrMake: KeyStore['readOrMake'] = (...call) =>
        isAway ? Promise.reject(new Error('Away.')) : store.readOrMake(...call);
      const keys = await loadKeys({ ...store, readOrMake });
      const { kid } = await keys.signer();
      isAway = true;
      vi.useFakeTimers({ toFake: ['performance'], now: performance.now() + 10_000 });
      expect((await keys.signer()).kid).toBe(kid);
      expect(await keys.verifier(kid)).toBeDefined();
    });

    it('a single key, as it was once stored, is rotated too', async () => {
      await loadKeys(store);
      const { keys } = JSON.parse(stored.get('signing') ?? '');
      stored.set('signing', JSON.stringify(keys[0]));
      const { kid } = await (await loadKeys(store)).signer();
      await rotateSigningKey(store);
      expect(await (await loadKeys(store)).verifier(kid)).toBeDefined();
    });
  });
});
