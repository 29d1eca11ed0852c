import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { MAX_UPLOAD_BYTES } from '@fabrica/contract';
import sharp from 'sharp';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const UPLOAD = '/api/storage/journal/upload';
const plate = sharp({ create: { width: 64, height: 80, channels: 3, background: '#a33' } });
let storage: TestStorage;
let png: Buffer;
let count = 0;

beforeAll(async () => {
  storage = await buildTestStorage();
  png = await plate.clone().png().toBuffer();
});
beforeEach(() => {
  count += 1;
});
afterAll(() => storage.close());

async function upload(sent: TestUpload, to = storage) {
  const response = await to.app.request(UPLOAD, buildUpload(sent));
  return { status: response.status, body: await response.json() };
}

describe('accepted uploads', () => {
  it('an upload returns the public URL, the path, the type and the size', async () => {
    const { status, body } = await upload({ bytes: png, path: 'posts/1700000000000.png' });
    expect(status).toBe(200);
    expect(body).toEqual({
      publicUrl: expect.stringMatching(
        /^https:\/\/journal\.example\/storage\/journal\/posts\/1700000000000\.png\?v=[0-9a-f]{8}$/,
      ),
      path: 'posts/1700000000000.png',
      contentType: 'image/png',
      size: png.byteLength,
      width: 64,
      height: 80,
      placeholder: expect.stringMatching(/^[A-Za-z0-9+/]{20,48}={0,2}$/),
    });
    const served = await storage.app.request(body.publicUrl.slice(PUBLIC_URL.length));
    expect(Buffer.from(await served.arrayBuffer()).equals(png)).toBe(true);
  });

  it('the fields of an upload may come in any order', async () => {
    const form = new FormData();
    form.append('path', 'order/first.png');
    form.append('upsert', 'false');
    form.append('file', new Blob([new Uint8Array(png)]), 'x.png');
    const response = await storage.app.request(UPLOAD, {
      method: 'POST',
      body: form,
      headers: { 'x-caller': 'user_ana' },
    });
    expect(response.status).toBe(200);
    expect((await response.json()).path).toBe('order/first.png');
  });

  it('the URL of a file with an unusual path works', async () => {
    const { body } = await upload({ bytes: png, path: 'Ärzte & Öl/50% #1?.png' });
    const served = await storage.app.request(body.publicUrl.slice(PUBLIC_URL.length));
    expect(served.status).toBe(200);
  });

  it('only signed-in callers and the service role may upload', async () => {
    expect(await upload({ bytes: png, path: 'a.png', as: '' })).toMatchObject({
      status: 401,
      body: { code: 'UNAUTHENTICATED' },
    });
    expect((await upload({ bytes: png, path: 'service.png', as: 'service' })).status).toBe(200);
  });
});

describe('existing files', () => {
  it.each([{}, { upsert: 'false' }, { options: '{"upsert":false}' }])(
    'an existing file is not overwritten with %j',
    async (fields) => {
      const path = `twice/${count}.png`;
      await upload({ bytes: png, path });
      await storage.prepared();
      const before = storage.filesOnDisk().length;
      expect(await upload({ bytes: png, path, fields })).toMatchObject({
        status: 409,
        body: { code: 'FILE_EXISTS', error: 'File already exists. Set upsert: true to overwrite.' },
      });
      expect(storage.filesOnDisk()).toHaveLength(before);
    },
  );

  it.each([{ upsert: 'true' }, { options: '{"upsert":true}' }])(
    'an existing file is overwritten with %j',
    async (fields) => {
      const path = `over/${count}.png`;
      const first = await upload({ bytes: png, path });
      await storage.prepared();
      const before = storage.filesOnDisk().length;
      const other = await plate.clone().flip().negate().png().toBuffer();
      const second = await upload({ bytes: other, path, fields });
      expect(second.status).toBe(200);
      expect(second.body.publicUrl).not.toBe(first.body.publicUrl);
      const served = await storage.app.request(second.body.publicUrl.slice(PUBLIC_URL.length));
      expect(Buffer.from(await served.arrayBuffer()).equals(other)).toBe(true);
      await storage.prepared();
      expect(storage.filesOnDisk()).toHaveLength(before);
    },
  );

  it('an existing file is not overwritten by another user, and keeps its owner when the service role overwrites it', async () => {
    const path = `owned/${count}.png`;
    await upload({ bytes: png, path });
    const fields = { upsert: 'true' };
    expect(await upload({ bytes: png, path, as: 'user_ben', fields })).toMatchObject({
      status: 403,
      body: { code: 'FORBIDDEN' },
    });
    expect((await upload({ bytes: png, path, as: 'service', fields })).status).toBe(200);
    expect((await upload({ bytes: png, path, fields })).status).toBe(200);
  });
});

describe('the limit of 50 MB', () => {
  it('a file of exactly 50 MB is stored', async () => {
    const { status, body } = await upload({
      bytes: new Uint8Array(MAX_UPLOAD_BYTES),
      path: 'limit/exact.dat',
    });
    expect(status).toBe(200);
    expect(body.size).toBe(MAX_UPLOAD_BYTES);
  });

  it('a file over 50 MB is refused by its actual size, and leaves no file', async () => {
    await storage.prepared();
    const before = storage.filesOnDisk().length;
    expect(await upload({ bytes: new Uint8Array(51 * 1024 * 1024), path: 'limit/over.dat' })).toEqual({
      status: 413,
      body: { code: 'PAYLOAD_TOO_LARGE', error: 'File size (51 MB) exceeds maximum allowed size (50MB)' },
    });
    expect(storage.filesOnDisk()).toHaveLength(before);
  });

  it('an upload far over 50 MB is refused before its end', async () => {
    let sent = 0;
    const boundary = 'endless';
    const start = `--${boundary}\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n`;
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new TextEncoder().encode(start)),
      pull(controller) {
        sent += 1024 * 1024;
        controller.enqueue(new Uint8Array(1024 * 1024));
      },
    });
    const init = {
      method: 'POST',
      body,
      duplex: 'half',
      headers: { 'x-caller': 'user_ana', 'content-type': `multipart/form-data; boundary=${boundary}` },
    };
    const response = await storage.app.request(UPLOAD, init);
    expect(response.status).toBe(413);
    expect(sent).toBeLessThan(100 * 1024 * 1024);
    expect(storage.filesOnDisk().filter((name) => name.includes('.incoming'))).toEqual([]);
  });
});

describe('paths of uploads', () => {
  it.each([
    '',
    '   ',
    '/etc/passwd',
    '../outside.png',
    'posts/../../outside.png',
    'posts/..',
    './posts/a.png',
    'posts//a.png',
    'posts/',
    '..\\outside.png',
    'posts/a\u0000.png',
    'posts/a\nb.png',
    'posts/\u202Egnp.exe',
    'posts/\u2066.png',
    'posts/\u2028.png',
    'posts/\u0085.png',
    ' \u3000 ',
    'C:\\a.png',
    `${'long/'.repeat(103)}a.png`,
  ])('an upload to the path %j is refused and leaves no file', async (path) => {
    await storage.prepared();
    const before = storage.filesOnDisk().length;
    expect(await upload({ bytes: png, path })).toMatchObject({ status: 400, body: { code: 'INVALID_PATH' } });
    expect(storage.filesOnDisk()).toHaveLength(before);
  });

  it('an upload without a path is refused', async () => {
    expect(await upload({ bytes: png })).toMatchObject({ status: 400, body: { code: 'INVALID_PATH' } });
  });
});

describe('invalid forms', () => {
  const headers = { 'x-caller': 'user_ana' };
  const multipart = { ...headers, 'content-type': 'multipart/form-data; boundary=b' };
  const file = '--b\r\ncontent-disposition: form-data; name="file"; filename="x"\r\n\r\n';
  it.each([
    [
      'has no file',
      400,
      'VALIDATION_FAILED',
      {
        headers: multipart,
        body: '--b\r\ncontent-disposition: form-data; name="path"\r\n\r\na.png\r\n--b--\r\n',
      },
    ],
    [
      'has its file in another field',
      400,
      'VALIDATION_FAILED',
      { headers: multipart, body: `${file.replace('"file"', '"upload"')}x\r\n--b--\r\n` },
    ],
    [
      'ends in the middle of a field',
      400,
      'VALIDATION_FAILED',
      {
        headers: multipart,
        body: `${file}x\r\n--b\r\ncontent-disposition: form-data; name="path"\r\n\r\na.pn`,
      },
    ],
    [
      'has options that are not JSON',
      400,
      'VALIDATION_FAILED',
      {
        headers: multipart,
        body: `${file}x\r\n--b\r\ncontent-disposition: form-data; name="options"\r\n\r\n{upsert\r\n--b--\r\n`,
      },
    ],
    [
      'has options of the wrong type',
      400,
      'VALIDATION_FAILED',
      {
        headers: multipart,
        body: `${file}x\r\n--b\r\ncontent-disposition: form-data; name="options"\r\n\r\n{"upsert":"perhaps"}\r\n--b--\r\n`,
      },
    ],
  ])('a form that %s is refused, and leaves no file', async (_, status, code, init) => {
    await storage.prepared();
    const before = storage.filesOnDisk().length;
    const response = await storage.app.request(UPLOAD, { method: 'POST', ...init });
    expect({ status: response.status, code: (await response.json()).code }).toEqual({ status, code });
    expect(storage.filesOnDisk()).toHaveLength(before);
  });
});
