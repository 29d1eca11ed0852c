import {
  buildTestStorage,
  buildUpload,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const UPLOAD = '/api/storage/journal/upload';
const MEBIBYTE = 1024 * 1024;
let storage: TestStorage;
beforeEach(async () => {
  storage = await buildTestStorage({ quota: 10 * MEBIBYTE });
});
afterEach(() => storage.close());

async function upload(path: string, mebibytes: number, sent: Partial<TestUpload> = {}) {
  const bytes = new Uint8Array(mebibytes * MEBIBYTE);
  const response = await storage.app.request(UPLOAD, buildUpload({ bytes, path, ...sent }));
  return { status: response.status, body: await response.json() };
}

async function remove(path: string): Promise<number> {
  const init = {
    method: 'DELETE',
    headers: { 'x-caller': 'user_ana', 'content-type': 'application/json' },
    body: JSON.stringify({ paths: [path] }),
  };
  return (await storage.app.request('/api/storage/journal/remove', init)).status;
}

describe('the quota of a user', () => {
  it('the files of a user may have as many bytes as the quota, and no more', async () => {
    expect((await upload('a.bin', 4)).status).toBe(200);
    expect((await upload('b.bin', 6)).status).toBe(200);
    const before = storage.filesOnDisk();
    expect(await upload('c.bin', 0, { bytes: 'x' })).toEqual({
      status: 413,
      body: {
        code: 'QUOTA_EXCEEDED',
        error:
          'With this file, yours would take 10.1 MB together, and 10 MB is the most. Please remove some first.',
      },
    });
    expect(storage.filesOnDisk()).toEqual(before);
  });

  it('removing a file frees its part of the quota', async () => {
    await upload('a.bin', 8);
    expect((await upload('b.bin', 5)).body.code).toBe('QUOTA_EXCEEDED');
    expect(await remove('a.bin')).toBe(200);
    expect((await upload('b.bin', 5)).status).toBe(200);
  });

  it('a replaced file does not count against the quota', async () => {
    const fields = { upsert: 'true' };
    await upload('a.bin', 8);
    expect((await upload('a.bin', 9, { fields })).status).toBe(200);
    const before = storage.filesOnDisk();
    expect((await upload('a.bin', 11, { fields })).body.code).toBe('QUOTA_EXCEEDED');
    expect(storage.filesOnDisk()).toEqual(before);
    expect(
      (await storage.app.request('/storage/journal/a.bin', { method: 'HEAD' })).headers.get('content-length'),
    ).toBe(String(9 * MEBIBYTE));
  });

  it('the files of other users do not count against the quota', async () => {
    await upload('a.bin', 9);
    expect((await upload('b.bin', 9, { as: 'user_ben' })).status).toBe(200);
  });

  it('concurrent uploads cannot exceed the quota together', async () => {
    const answers = await Promise.all([1, 2, 3, 4].map((count) => upload(`${count}.bin`, 4)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413]);
    expect(storage.filesOnDisk()).toHaveLength(2);
  });
});

it('the service role has no quota', async () => {
  expect((await upload('a.bin', 11, { as: 'service' })).status).toBe(200);
  expect((await upload('b.bin', 11, { as: 'service' })).status).toBe(200);
});

it('a quota of 0 is no limit', async () => {
  const unlimited = await buildTestStorage({ quota: 0 });
  const sent = buildUpload({ bytes: new Uint8Array(20 * MEBIBYTE), path: 'a.bin' });
  expect((await unlimited.app.request(UPLOAD, sent)).status).toBe(200);
  await unlimited.close();
});
