import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadKeys } from './keys.ts';

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
    expect(names.sort()).toEqual(['project-journal.secret', 'refresh.key', 'signing.json']);
    for (const name of names) expect((await stat(join(folder, 'keys', name))).mode & 0o777).toBe(0o600);
    expect((await stat(join(folder, 'keys'))).mode & 0o777).toBe(0o700);
  });

  it('are the same at the next start', async () => {
    const first = await loadKeys(folder);
    const second = await loadKeys(folder);
    expect(second.jwks).toEqual(first.jwks);
    expect(second.kid).toBe(first.kid);
    expect(second.refreshKey).toEqual(first.refreshKey);
    expect(await second.projectSecret('journal')).toBe(await first.projectSecret('journal'));
    expect(await second.projectSecret('other')).not.toBe(await first.projectSecret('journal'));
  });

  it('are agreed on by processes that start at once', async () => {
    const all = await Promise.all(Array.from({ length: 8 }, () => loadKeys(folder)));
    expect(new Set(all.map(({ kid }) => kid)).size).toBe(1);
    expect(new Set(all.map(({ refreshKey }) => refreshKey.toString('hex'))).size).toBe(1);
    expect((await readdir(folder)).sort()).toEqual(['refresh.key', 'signing.json']);
  });

  it.each(['signing.json', 'refresh.key', 'project-journal.secret'])(
    'say that %s is damaged',
    async (name) => {
      await (await loadKeys(folder)).projectSecret('journal');
      const text = await readFile(join(folder, name), 'utf8');
      await writeFile(join(folder, name), text.slice(0, 20));
      const load = async () => (await loadKeys(folder)).projectSecret('journal');
      await expect(load()).rejects.toThrow(`${name} is damaged`);
    },
  );
});
