import { ScriptedServer } from '@fabrica/client/testing/scripted-server.ts';
import { scriptedError } from '@fabrica/client/testing/session-script.ts';
import { MAX_UPLOAD_BYTES } from '@fabrica/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from './client.ts';
import type { StorageClient } from './storage-client.ts';

const UPLOAD = 'POST /api/storage/journal/upload';
const uploaded = {
  publicUrl: '/storage/journal/posts/1.png',
  path: 'posts/1.png',
  contentType: 'image/png',
  size: 5,
};
const image = new File(['bytes'], 'heart.png', { type: 'image/png' });

let backend: ScriptedServer;
let storage: StorageClient;

beforeEach(async () => {
  backend = await ScriptedServer.start();
  storage = createClient({ projectId: 'journal', origin: backend.origin }).storage;
});

afterEach(() => backend.close());

const fileOf = (size: number) => new Blob([new Uint8Array(size)]);

describe('upload', () => {
  it('an upload sends path and options before the bytes, and returns the public URL', async () => {
    backend.on(UPLOAD, { status: 201, body: uploaded });
    const progress: number[] = [];
    const result = await storage.upload(image, 'posts/1.png', {
      upsert: true,
      onProgress: (fraction) => progress.push(fraction),
    });
    expect(result).toEqual(uploaded);
    expect(progress.at(-1)).toBe(1);
    const [request] = backend.calls(UPLOAD);
    expect(request?.headers['content-type']).toMatch(/^multipart\/form-data; boundary=/);
    expect(request?.text).toMatch(
      /name="path"\r\n\r\nposts\/1\.png\r\n[\s\S]*name="options"\r\n\r\n{"upsert":true}\r\n[\s\S]*name="file"; filename="heart\.png"\r\nContent-Type: image\/png\r\n\r\nbytes\r\n/,
    );
  });

  it.each([
    ['no file', undefined, 'a.png', 'A file is required.'],
    ['an empty path', image, '  ', 'The path must be a non-empty string.'],
    ['no path', image, undefined, 'The path must be a non-empty string.'],
    ['51 MB', fileOf(51 * 1024 * 1024), 'a.png', 'File size (51 MB) exceeds maximum allowed size (50MB)'],
  ])('an upload with %s is rejected before it is sent', async (_, file, path, message) => {
    await expect(storage.upload(file as Blob, path as string)).rejects.toMatchObject({
      name: 'StorageError',
      message,
    });
    expect(backend.requests).toEqual([]);
  });

  it('an upload of exactly 50 MB is sent', async () => {
    backend.on(UPLOAD, { body: uploaded });
    await expect(storage.upload(fileOf(MAX_UPLOAD_BYTES), 'a.png')).resolves.toEqual(uploaded);
  });

  it('an upload to an existing path fails and names the option to overwrite', async () => {
    backend.on(UPLOAD, scriptedError(409, 'FILE_EXISTS'));
    await expect(storage.upload(image, 'a.png')).rejects.toMatchObject({
      name: 'StorageError',
      code: 'FILE_EXISTS',
      message: 'File already exists. Set upsert: true to overwrite.',
    });
  });

  it('an aborted upload throws the reason of its signal', async () => {
    const controller = new AbortController();
    const reason = new Error('The reader left.');
    backend.on(UPLOAD, () => {
      controller.abort(reason);
      return new Promise(() => {});
    });
    await expect(storage.upload(image, 'a.png', { signal: controller.signal })).rejects.toBe(reason);
  });
});

describe('download and remove', () => {
  it('`download` returns the URL of a file', async () => {
    const file = { downloadUrl: '/x', filename: '1.png', contentType: 'image/png', size: 5 };
    backend.on('GET /api/storage/journal/download', { body: file });
    await expect(storage.download('posts/1 a.png')).resolves.toEqual(file);
    expect(backend.requests[0]?.query.get('path')).toBe('posts/1 a.png');
  });

  it('`download` throws if the file does not exist', async () => {
    backend.on('GET /api/storage/journal/download', scriptedError(404, 'FILE_NOT_FOUND'));
    await expect(storage.download('a')).rejects.toMatchObject({
      name: 'StorageError',
      message: 'File not found',
    });
  });

  it('`remove` removes several files in one call', async () => {
    backend.on('DELETE /api/storage/journal/remove', ({ json }) => ({ body: { removed: json?.paths } }));
    await expect(storage.remove('a', 'b')).resolves.toEqual({ removed: ['a', 'b'] });
  });

  it('`download` and `remove` reject empty paths before they are sent', async () => {
    await expect(storage.remove()).rejects.toMatchObject({ name: 'StorageError' });
    await expect(storage.remove('a', '')).rejects.toMatchObject({ name: 'StorageError' });
    await expect(storage.download('')).rejects.toMatchObject({ name: 'StorageError' });
    expect(backend.requests).toEqual([]);
  });
});
