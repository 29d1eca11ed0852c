import {
  buildTestStorage,
  buildUpload,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { BlobStore } from '../blobs/blob-store.ts';

const QUOTA = 1_000;
let calls: string[];
let beforePut: () => Promise<void>;
let storage: TestStorage;

/** Notes each change of the store: what a bucket would be asked to do. */
function recordChanges(blobs: BlobStore): BlobStore {
  return {
    ...blobs,
    async put(key, localPath) {
      calls.push('put');
      await beforePut();
      return blobs.put(key, localPath);
    },
    remove(key) {
      calls.push('remove');
      return blobs.remove(key);
    },
  };
}

beforeEach(async () => {
  calls = [];
  beforePut = async () => {};
  storage = await buildTestStorage({ quota: QUOTA, wrapBlobs: recordChanges });
});
afterEach(() => storage.close());

async function upload(sent: TestUpload) {
  const response = await storage.app.request('/api/storage/journal/upload', buildUpload(sent));
  return { status: response.status, code: (await response.json()).code };
}

describe('the blob store', () => {
  it('an accepted upload is a single put into the blob store', async () => {
    expect((await upload({ bytes: 'first', path: 'a.txt' })).status).toBe(200);
    expect(calls).toEqual(['put']);
  });

  it.each<{ reason: string; sent: TestUpload; status: number; code: string }>([
    {
      reason: 'the path is taken',
      sent: { bytes: 'second', path: 'a.txt' },
      status: 409,
      code: 'FILE_EXISTS',
    },
    {
      reason: 'the file of that path belongs to another user',
      sent: { bytes: 'second', path: 'a.txt', as: 'user_ben', fields: { upsert: 'true' } },
      status: 403,
      code: 'FORBIDDEN',
    },
    {
      reason: 'the file is over the quota',
      sent: { bytes: 'x'.repeat(QUOTA), path: 'b.txt' },
      status: 413,
      code: 'QUOTA_EXCEEDED',
    },
    {
      reason: 'the file that would replace another is over the quota',
      sent: { bytes: 'x'.repeat(QUOTA + 1), path: 'a.txt', fields: { upsert: 'true' } },
      status: 413,
      code: 'QUOTA_EXCEEDED',
    },
  ])('an upload that is refused because $reason never calls the blob store', async ({ sent, ...refused }) => {
    await upload({ bytes: 'first', path: 'a.txt' });
    calls = [];
    const { status, code } = refused;
    expect(await upload(sent)).toEqual({ status, code });
    expect(calls).toEqual([]);
    expect(storage.filesOnDisk()).toHaveLength(1);
  });

  it('an upload whose path was taken during its put is removed from the blob store again', async () => {
    const both = Promise.withResolvers<void>();
    beforePut = () => {
      if (calls.length === 2) both.resolve();
      return both.promise;
    };
    const responses = await Promise.all([1, 2].map(() => upload({ bytes: 'same', path: 'race.txt' })));
    expect(responses.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect(calls).toEqual(['put', 'put', 'remove']);
    expect(storage.filesOnDisk()).toHaveLength(1);
  });
});
