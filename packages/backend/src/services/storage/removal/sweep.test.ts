import { randomBytes } from 'node:crypto';
import { mkdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openBlobs } from '../blobs/open-blobs.ts';
import { sweepStorage } from './sweep.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
let storage: TestStorage;
beforeEach(async () => {
  storage = await buildTestStorage();
});
afterEach(() => storage.close());

/** Uploads a file that begins as no known type does, after which it would be named, and returns its public URL. */
async function upload(path: string, as = 'user_ana'): Promise<string> {
  const bytes = Buffer.concat([Buffer.from([1, 2, 3, 4]), randomBytes(996)]);
  const sent = buildUpload({ bytes, path, as });
  const response = await storage.app.request('/api/storage/journal/upload', sent);
  return (await response.json()).publicUrl;
}

const status = async (path: string) =>
  (await storage.app.request(`/storage/journal/${path}`, { method: 'HEAD' })).status;

/** Makes all that is there older by so much, as far as the store and the list of files know. */
async function age(milliseconds: number): Promise<void> {
  const then = Date.now() - milliseconds;
  await storage.project.database.writer.updateTable('files').set({ updated_at: then }).execute();
  for (const name of storage.filesOnDisk()) {
    await utimes(join(storage.dataDir, 'files', name), then / 1_000, then / 1_000);
  }
}

async function sweep({ dryRun = false, olderThanMs = DAY_MS } = {}) {
  const { blobs } = openBlobs({ dataDir: storage.dataDir, storage: { s3: undefined } });
  const swept = await sweepStorage({ project: storage.project, blobs, olderThanMs, dryRun });
  return { files: swept.files.map(({ path }) => path), blobs: swept.blobs.map(({ key }) => key) };
}

/** The bytes of an upload whose process was killed before the list of files had it. */
async function leaveOrphan(key: string): Promise<void> {
  await mkdir(join(storage.dataDir, 'files/journal/zz'), { recursive: true });
  await writeFile(join(storage.dataDir, 'files', key), 'orphan');
}

describe('sweeping storage', () => {
  it('a sweep removes old files that no row refers to, with their bytes', async () => {
    await upload('unnamed.bin');
    await upload('of-the-service.bin', 'service');
    await age(2 * DAY_MS);
    expect(await sweep()).toEqual({ files: ['of-the-service.bin', 'unnamed.bin'], blobs: [] });
    expect(await status('unnamed.bin')).toBe(404);
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('a sweep leaves files that a row or an account’s photo refers to by any URL', async () => {
    const full = await upload('full.bin');
    await upload('plain name.bin');
    await upload('photo.bin');
    await storage.createPost({ id: '1', user_id: 'user_ana', image_url: full });
    await storage.createPost({
      id: '2',
      user_id: 'user_ben',
      image_url: '/storage/journal/plain%20name.bin?w=640',
    });
    await storage.createPost({
      id: '3',
      user_id: 'user_ben',
      image_url: 'https://elsewhere.example/unnamed.bin',
    });
    await storage.createAccount('user_ana');
    const photo = { photo_url: `${PUBLIC_URL}/storage/journal/photo.bin?v=1` };
    await storage.project.database.writer.updateTable('users').set(photo).execute();
    await age(2 * DAY_MS);
    expect(await sweep()).toEqual({ files: [], blobs: [] });
    expect(await status('full.bin')).toBe(200);
    expect(await status('plain%20name.bin')).toBe(200);
    expect(await status('photo.bin')).toBe(200);
  });

  it('a sweep compares whole paths, and only those of its project', async () => {
    await upload('a.bin');
    await storage.createPost({ id: '1', user_id: 'user_ana', image_url: '/storage/journal/a.bin.png' });
    await storage.createPost({ id: '2', user_id: 'user_ana', image_url: '/storage/other/a.bin' });
    await age(2 * DAY_MS);
    expect((await sweep()).files).toEqual(['a.bin']);
  });

  it('a sweep removes old blobs of no file, and none of another project', async () => {
    await upload('kept.bin');
    await storage.createPost({ id: '1', user_id: 'user_ana', image_url: '/storage/journal/kept.bin' });
    await leaveOrphan('journal/zz/orphan');
    await mkdir(join(storage.dataDir, 'files/other'));
    await writeFile(join(storage.dataDir, 'files/other/blob'), 'of another project');
    await age(2 * DAY_MS);
    expect(await sweep()).toEqual({ files: [], blobs: ['journal/zz/orphan'] });
    expect(await status('kept.bin')).toBe(200);
    expect(storage.filesOnDisk()).toHaveLength(2);
  });

  it('a sweep leaves everything younger than its limit, and than a day in any case', async () => {
    await upload('young.bin');
    await leaveOrphan('journal/zz/orphan');
    await age(DAY_MS - 60_000);
    expect(await sweep()).toEqual({ files: [], blobs: [] });
    await age(3 * DAY_MS);
    expect(await sweep({ olderThanMs: 4 * DAY_MS })).toEqual({ files: [], blobs: [] });
    await expect(sweep({ olderThanMs: DAY_MS - 1 })).rejects.toThrow('younger than a day');
    expect(storage.filesOnDisk()).toHaveLength(2);
  });

  it('a dry run of a sweep removes nothing', async () => {
    await upload('unnamed.bin');
    await leaveOrphan('journal/zz/orphan');
    await age(2 * DAY_MS);
    const found = { files: ['unnamed.bin'], blobs: ['journal/zz/orphan'] };
    expect(await sweep({ dryRun: true })).toEqual(found);
    expect(storage.filesOnDisk()).toHaveLength(2);
    expect(await sweep()).toEqual(found);
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('a sweep removes the variants and the cleaned version of an unused image, and leaves those in use', async () => {
    const { writer } = storage.project.database;
    for (const name of ['unnamed', 'named']) {
      await upload(`${name}.bin`);
      await leaveOrphan(`journal/zz/${name}-clean`);
      await leaveOrphan(`journal/zz/${name}-640`);
      const { blob } = await writer
        .updateTable('files')
        .set({ served_blob: `journal/zz/${name}-clean` })
        .where('path', '=', `${name}.bin`)
        .returning('blob')
        .executeTakeFirstOrThrow();
      const variant = { blob, name: '640.avif', key: `journal/zz/${name}-640`, size: 6, created_at: 0 };
      await writer.insertInto('variants').values(variant).execute();
    }
    await storage.createPost({ id: '1', user_id: 'user_ana', image_url: '/storage/journal/named.bin' });
    await age(2 * DAY_MS);
    expect(await sweep()).toEqual({ files: ['unnamed.bin'], blobs: [] });
    expect(storage.filesOnDisk()).toHaveLength(3);
    expect(storage.filesOnDisk()).toEqual(
      expect.arrayContaining(['journal/zz/named-clean', 'journal/zz/named-640']),
    );
  });
});
