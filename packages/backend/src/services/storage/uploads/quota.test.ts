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
  const { headers, form } = await encodeUpload(buildUpload({ bytes, path, ...sent }));
  const response = await storage.app.request(UPLOAD, { method: 'POST', headers, body: form });
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
    const responses = await Promise.all([1, 2, 3, 4].map((count) => upload(`${count}.bin`, 4)));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 200, 413, 413]);
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

/** Returns an upload's form as bytes: a stream of FormData fails when it is cancelled. */
async function encodeUpload(init: RequestInit) {
  const encoded = new Request('http://localhost/', init);
  return { headers: encoded.headers, form: new Uint8Array(await encoded.arrayBuffer()) };
}

/** Sends an upload up to its last byte, which is sent when `end` is called. */
async function beginUpload(path: string, mebibytes: number) {
  const ending = Promise.withResolvers<void>();
  const bytes = new Uint8Array(mebibytes * MEBIBYTE);
  const { headers, form } = await encodeUpload(buildUpload({ bytes, path }));
  let sent = 0;
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const start = sent;
      const last = start === form.length - 1;
      sent = last ? form.length : Math.min(form.length - 1, start + MEBIBYTE);
      if (last) await ending.promise;
      controller.enqueue(form.slice(start, sent));
      if (last) controller.close();
    },
  });
  const response = storage.app.request(UPLOAD, {
    method: 'POST',
    body,
    headers,
    duplex: 'half',
  } as RequestInit);
  return { response, isHeld: () => sent === form.length, end: ending.resolve };
}

describe('uploads under way', () => {
  it('count against the quota, and leave nothing behind when they exceed it', async () => {
    await upload('a.bin', 2);
    const before = storage.filesOnDisk();
    const first = await beginUpload('b.bin', 5);
    await expect.poll(first.isHeld).toBe(true);
    const second = await beginUpload('c.bin', 5);
    const refused = await second.response;
    expect([refused.status, (await refused.json()).code]).toEqual([413, 'QUOTA_EXCEEDED']);
    first.end();
    expect((await first.response).status).toBe(200);
    expect(storage.filesOnDisk()).toHaveLength(before.length + 1);
    expect((await upload('d.bin', 2)).status).toBe(200);
  });
});
