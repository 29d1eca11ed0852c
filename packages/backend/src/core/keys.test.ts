import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { loadKeys, rotateSigningKey } from './keys.ts';

describe('keys', () => {
  let folder: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'fabrica-keys-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are made once, and only their owner may read them', async () => {
    const keys = await loadKeys(join(folder, 'keys'));
    expect(await keys.projectSecret('journal')).toMatch(/^sk_[\w-]{43}$/);
    const names = await readdir(join(folder, 'keys'));
    expect(names.sort()).toEqual(['project-journal.secret', 'refresh.key', 'secrets.key', 'signing.json']);
    for (const name of names) expect((await stat(join(folder, 'keys', name))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'keys'))).mode & 0o777).toBe(0o700);
  });

  it('are the same at the next start', async () => {
    const first = await loadKeys(folder);
    const second = await loadKeys(folder);
    expect(await second.jwks()).toEqual(await first.jwks());
    expect((await second.signer()).kid).toBe((await first.signer()).kid);
    expect(second.refreshKey).toEqual(first.refreshKey);
    expect(second.secretsKey).toEqual(first.secretsKey);
    expect(await second.projectSecret('journal')).toBe(await first.projectSecret('journal'));
    expect(await second.projectSecret('other')).not.toBe(await first.projectSecret('journal'));
  });

  it('are agreed on by processes that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadKeys(folder)));
    const signers = await Promise.all(all.map((keys) => keys.signer()));
    expect(new Set(signers.map(({ kid }) => kid)).size).toBe(1);
    expect(new Set(all.map(({ refreshKey }) => refreshKey.toString('hex'))).size).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['refresh.key', 'secrets.key', 'signing.json']);
  });

  it.each(['signing.json', 'refresh.key', 'secrets.key', 'project-journal.secret'])(
    'say that %s is damaged',
    async (name) => {
      await (await loadKeys(folder)).projectSecret('journal');
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.slice(0, 20));
      const load = async () => (await loadKeys(folder)).projectSecret('journal');
      await expect(load()).rejects.toThrow(`${name} is damaged`);
    },
  );

  describe('when rotated', () => {
    afterEach(() => vi.useRealTimers());

    it('sign with the new one, while the old one is still known, in every process', async () => {
      const running = await loadKeys(folder);
      const before = (await running.signer()).kid;
      const kid = await rotateSigningKey(folder);
      expect(kid).not.toBe(before);
      expect(await running.verifier(kid)).toBeDefined();
      expect((await running.signer()).kid).toBe(kid);
      expect(await running.verifier(before)).toBeDefined();
      expect((await running.jwks()).keys.map((key) => key.kid)).toEqual([kid, before]);
      expect((await stat(join(folder, 'signing.json'))).mode & 0o777).toBe(0o600);
    });

    it('forget the old one when no token of its can be good any more', async () => {
      const keys = await loadKeys(folder);
      const before = (await keys.signer()).kid;
      await rotateSigningKey(folder);
      await keys.jwks();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_700_000 });
      expect(await keys.verifier(before)).toBeUndefined();
      await rotateSigningKey(folder);
      expect((await keys.jwks()).keys).toHaveLength(2);
    });

    it('forget the old one at once when it is revoked', async () => {
      const keys = await loadKeys(folder);
      const before = (await keys.signer()).kid;
      const kid = await rotateSigningKey(folder, { revoke: true });
      expect((await keys.jwks()).keys.map((key) => key.kid)).toEqual([kid]);
      expect(await keys.verifier(before)).toBeUndefined();
    });

    it('take over a file of a single key, as it was once written', async () => {
      await loadKeys(folder);
      const { keys } = JSON.parse(await readFile(join(folder, 'signing.json'), 'utf8'));
      await writeFile(join(folder, 'signing.json'), JSON.stringify(keys[0]));
      const old = await loadKeys(folder);
      const { kid } = await old.signer();
      await rotateSigningKey(folder);
      expect(await (await loadKeys(folder)).verifier(kid)).toBeDefined();
    });
  });
});
