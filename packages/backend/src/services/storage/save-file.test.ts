import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { drawImage, makeSound } from '@fabrica/test-peers/openai-stand-in-media.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Caller } from '../../core/caller.ts';

const ana: Caller = {
  kind: 'user',
  id: 'user_ana',
  email: 'ana@example.org',
  displayName: null,
  role: 'author',
};
const picture = drawImage('a heart');

let storage: TestStorage;

beforeAll(async () => {
  storage = await buildTestStorage({ quota: 20_000 });
});
afterAll(() => storage.close());

const keep = (path: string, bytes: Uint8Array, caller: Caller = ana) =>
  storage.saveFile({ project: storage.project, caller, path, bytes });

describe('files that services save', () => {
  it('a saved file is served like an upload of the caller, who may remove it', async () => {
    const kept = await keep('ai/heart.png', picture);
    expect(kept).toMatchObject({ path: 'ai/heart.png', contentType: 'image/png', width: 64, height: 64 });
    const served = await storage.app.request(kept.publicUrl.slice(PUBLIC_URL.length));
    expect(served.headers.get('content-type')).toBe('image/png');
    expect(Buffer.from(await served.arrayBuffer())).toEqual(picture);
    const remove = (as: string) =>
      storage.app.request('/api/storage/journal/remove', {
        method: 'DELETE',
        headers: { 'x-caller': as, 'content-type': 'application/json' },
        body: JSON.stringify({ paths: [kept.path] }),
      });
    expect((await remove('user_ben')).status).toBe(403);
    expect((await remove('user_ana')).status).toBe(200);
  });

  it.each([
    ['mp3', 'audio/mpeg'],
    ['wav', 'audio/wav'],
    ['opus', 'audio/ogg'],
    ['flac', 'audio/flac'],
    ['aac', 'audio/aac'],
  ])('a saved audio file is served inline with its type: %s', async (format, contentType) => {
    const kept = await keep(`ai/${format}`, makeSound(format));
    expect(kept).toMatchObject({ path: `ai/${format}.${format === 'opus' ? 'ogg' : format}`, contentType });
    const served = await storage.app.request(kept.publicUrl.slice(PUBLIC_URL.length));
    expect(served.headers.get('content-type')).toBe(contentType);
    expect(served.headers.get('content-disposition')).toMatch(/^inline/);
  });

  it('a file is not saved to an existing path, and a refused file leaves nothing', async () => {
    await keep('ai/once.png', picture);
    await storage.prepared();
    const before = storage.filesOnDisk().length;
    await expect(keep('ai/once.png', picture)).rejects.toMatchObject({ code: 'FILE_EXISTS' });
    await expect(keep('../once.png', picture)).rejects.toMatchObject({ code: 'INVALID_PATH' });
    await expect(keep('ai/page.png', Buffer.from('<p>'))).rejects.toMatchObject({ code: 'FILE_UNREADABLE' });
    expect(storage.filesOnDisk()).toHaveLength(before);
  });

  it('a saved file counts against the caller’s quota, and one of the service role against none', async () => {
    const large = Buffer.alloc(15_000, 'x');
    await keep('ai/large.bin', large);
    await expect(keep('ai/larger.bin', large)).rejects.toMatchObject({ code: 'QUOTA_EXCEEDED' });
    await keep('ai/service.bin', Buffer.alloc(30_000), { kind: 'service' });
    const upload = buildUpload({ bytes: large, path: 'mine.bin' });
    expect((await storage.app.request('/api/storage/journal/upload', upload)).status).toBe(413);
  });
});
