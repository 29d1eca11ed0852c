import { crc32 } from 'node:zlib';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const UPLOAD = '/api/storage/journal/upload';
const plate = sharp({ create: { width: 64, height: 80, channels: 3, background: '#a33' } });
const noise = sharp({
  create: {
    width: 300,
    height: 300,
    channels: 3,
    background: '#000',
    noise: { type: 'gaussian', mean: 128, sigma: 60 },
  },
});

let storage: TestStorage;

beforeAll(async () => {
  storage = await buildTestStorage();
});
afterAll(() => storage.close());

async function upload(sent: TestUpload) {
  const response = await storage.app.request(UPLOAD, buildUpload(sent));
  return { status: response.status, body: await response.json() };
}

describe('the type of a file', () => {
  const encodings = [
    ['png', 'image/png', () => plate.clone().png()],
    ['jpg', 'image/jpeg', () => plate.clone().jpeg()],
    ['webp', 'image/webp', () => plate.clone().webp()],
    ['gif', 'image/gif', () => plate.clone().gif()],
    ['avif', 'image/avif', () => plate.clone().avif({ effort: 0 })],
  ] as const;

  it.each(encodings)(
    'the type of a file is read from its bytes, and corrects a wrong extension (%s)',
    async (extension, contentType, encode) => {
      const bytes = await encode().toBuffer();
      const lie = extension === 'png' ? 'webp' : 'png';
      expect(await upload({ bytes, path: `lies/${extension}.${lie}` })).toMatchObject({
        status: 200,
        body: { path: `lies/${extension}.${extension}`, contentType },
      });
      expect((await upload({ bytes, path: `bare/${extension}` })).body.path).toBe(
        `bare/${extension}.${extension}`,
      );
      expect((await upload({ bytes, path: `dots/v1.2-${extension}` })).body.path).toBe(
        `dots/v1.2-${extension}.${extension}`,
      );
    },
  );

  it('the type of an audio file is found after a large ID3 tag', async () => {
    const tag = Buffer.alloc(10 + 20_000);
    tag.write('ID3\x04\x00\x00', 'latin1');
    tag.set(
      [0, 0, 20_000 >> 7, 20_000 & 0x7f].map((byte, index) => (index === 2 ? byte & 0x7f : byte)),
      6,
    );
    tag[7] = 20_000 >> 14;
    const sound = Buffer.concat([tag, Buffer.from([0xff, 0xfb, 0x90, 0x64]), Buffer.alloc(2_000)]);
    expect((await upload({ bytes: sound, path: 'sounds/heart' })).body).toMatchObject({
      path: 'sounds/heart.mp3',
      contentType: 'audio/mpeg',
    });
  });

  const page = '<!doctype html><script>alert(document.domain)</script>';
  it.each([
    ['page.html', page],
    ['page.mp4', page],
    ['script.js', 'alert(1)'],
    ['notes', 'just words'],
    ['empty.txt', ''],
  ])('the type of %s is unknown, and it is only served as a download', async (path, bytes) => {
    const { status, body } = await upload({ bytes, path: `unknown/${path}` });
    expect(status).toBe(200);
    expect(body.contentType).toBe('application/octet-stream');
    const served = await storage.app.request(body.publicUrl.slice(PUBLIC_URL.length));
    expect(served.headers.get('content-type')).toBe('application/octet-stream');
    expect(served.headers.get('content-disposition')).toMatch(/^attachment;/);
    expect(served.headers.get('x-content-type-options')).toBe('nosniff');
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
  });

  it('a file with the extension of an image must be an image', async () => {
    for (const path of ['posts/page.png', 'posts/page.svg']) {
      expect(await upload({ bytes: page, path })).toMatchObject({
        status: 400,
        body: { code: 'FILE_UNREADABLE' },
      });
    }
  });

  const prologue = '<?xml version="1.0"?>\n<!-- a drawing -->\n';
  const drawing = `${prologue}<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><path d="M0 0h9"/></svg>`;
  it.each([
    ['UTF-8', Buffer.from(drawing)],
    ['UTF-16', Buffer.from(`\uFEFF${drawing}`, 'utf16le')],
  ])('an SVG is recognised and sanitised (%s)', async (encoding, bytes) => {
    const { status, body } = await upload({ bytes, path: `drawings/${encoding}` });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      path: `drawings/${encoding}.svg`,
      contentType: 'image/svg+xml',
      width: null,
      height: null,
      placeholder: null,
    });
    const served = await storage.app.request(body.publicUrl.slice(PUBLIC_URL.length));
    expect(served.headers.get('content-type')).toBe('image/svg+xml');
    expect(served.headers.get('content-disposition')).toMatch(/^inline;/);
    expect(served.headers.get('content-security-policy')).toContain('sandbox');
    const text = await served.text();
    expect(text).toContain('M0 0h9');
    expect(text).not.toContain('alert');
    expect(body.size).toBe(Buffer.byteLength(text));
  });
});

describe('images that cannot be decoded', () => {
  it.each(['png', 'jpeg', 'webp', 'gif'] as const)(
    'a truncated image is refused, and leaves no file (%s)',
    async (format) => {
      const whole = await noise.clone().toFormat(format).toBuffer();
      await storage.prepared();
      const before = storage.filesOnDisk().length;
      const half = whole.subarray(0, Math.floor(whole.byteLength / 2));
      expect(await upload({ bytes: half, path: `half/${format}` })).toMatchObject({
        status: 400,
        body: {
          code: 'FILE_UNREADABLE',
          error: 'This image cannot be read: the file is damaged or incomplete.',
        },
      });
      expect(storage.filesOnDisk()).toHaveLength(before);
    },
  );

  it('an image of more than 100 megapixels is refused', async () => {
    const bomb = await plate.clone().png().toBuffer();
    bomb.writeUInt32BE(11_000, 16);
    bomb.writeUInt32BE(10_000, 20);
    bomb.writeUInt32BE(crc32(bomb.subarray(12, 29)), 29);
    expect(await upload({ bytes: bomb, path: 'bomb.png' })).toMatchObject({
      status: 400,
      body: { code: 'FILE_UNREADABLE', error: 'This image is too large: 100 megapixels at most.' },
    });
  });
});
