import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let storage: TestStorage;
let png: Buffer;
/** Below the origin, with its version. */
let url: string;

beforeAll(async () => {
  storage = await buildTestStorage();
  const { default: sharp } = await import('sharp');
  png = await sharp({ create: { width: 64, height: 80, channels: 3, background: '#a33' } })
    .png()
    .toBuffer();
  const uploaded = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes: png, path: 'posts/heart.png' }),
  );
  url = (await uploaded.json()).publicUrl.slice(PUBLIC_URL.length);
});
afterAll(() => storage.close());

const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  storage.app.request(path, { method, headers });

describe('public files', () => {
  it('a file is shown in the page, but can neither run nor load anything', async () => {
    const response = await get(url);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(png.byteLength),
      'content-disposition': 'inline; filename="heart.png"; filename*=UTF-8\'\'heart.png',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringMatching(/default-src 'none'.*sandbox/),
    });
  });

  it('a file is cached for ever under the URL of its version, and revalidated under any other', async () => {
    expect((await get(url)).headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await get('/storage/journal/posts/heart.png')).headers.get('cache-control')).toBe(
      'public, no-cache',
    );
    expect((await get('/storage/journal/posts/heart.png?v=00000000')).headers.get('cache-control')).toBe(
      'public, no-cache',
    );
  });

  it('a request with the current ETag gets 304', async () => {
    const tag = (await get(url)).headers.get('etag') ?? '';
    for (const known of [tag, `W/${tag}`, `"other", ${tag}`, '*']) {
      const response = await get(url, { 'if-none-match': known });
      expect(response.status).toBe(304);
      expect(await response.text()).toBe('');
    }
    expect((await get(url, { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it('HEAD of a file has no body', async () => {
    const response = await get(url, {}, 'HEAD');
    expect(response.status).toBe(200);
    expect(response.headers.get('content-length')).toBe(String(png.byteLength));
    expect(response.body).toBeNull();
  });

  it('a range of a file is served', async () => {
    const size = png.byteLength;
    for (const [range, start, end] of [
      ['bytes=0-9', 0, 9],
      ['bytes=10-', 10, size - 1],
      ['bytes=-5', size - 5, size - 1],
      [`bytes=5-${size + 100}`, 5, size - 1],
      [`bytes=-${size + 100}`, 0, size - 1],
    ] as const) {
      const response = await get(url, { range });
      expect(response.status).toBe(206);
      expect(response.headers.get('content-range')).toBe(`bytes ${start}-${end}/${size}`);
      expect(response.headers.get('content-length')).toBe(String(end - start + 1));
      expect(Buffer.from(await response.arrayBuffer()).equals(png.subarray(start, end + 1))).toBe(true);
    }
  });

  it('a range outside of the file gets 416', async () => {
    for (const range of [`bytes=${png.byteLength}-`, 'bytes=99999-100000', 'bytes=-0']) {
      const response = await get(url, { range });
      expect(response.status).toBe(416);
      expect(response.headers.get('content-range')).toBe(`bytes */${png.byteLength}`);
    }
  });

  it('the whole file is served when the range is invalid or of another version', async () => {
    for (const headers of [
      { range: 'bytes=9-5' },
      { range: 'lines=1-2' },
      { range: 'bytes=0-1,4-5' },
      { range: 'bytes=0-9', 'if-range': '"other"' },
    ]) {
      expect((await get(url, headers)).status).toBe(200);
    }
    const tag = (await get(url)).headers.get('etag') ?? '';
    expect((await get(url, { range: 'bytes=0-9', 'if-range': tag })).status).toBe(206);
  });

  it('a file is downloaded under the name of the download call', async () => {
    const download = await get(
      '/api/storage/journal/download?path=posts/heart.png&filename=Herz%20%22%C3%96l%22.png',
    );
    const body = await download.json();
    expect(body).toMatchObject({ filename: 'Herz "Öl".png', contentType: 'image/png', size: png.byteLength });
    const saved = await get(body.downloadUrl.slice(PUBLIC_URL.length));
    expect(saved.status).toBe(200);
    expect(saved.headers.get('content-disposition')).toBe(
      'attachment; filename="Herz __l_.png"; filename*=UTF-8\'\'Herz%20%22%C3%96l%22.png',
    );
  });

  it('line breaks in a name do not reach the headers', async () => {
    const saved = await get(`${url}&download=a%0d%0aset-cookie:x=1`);
    expect(saved.headers.get('set-cookie')).toBeNull();
    expect(saved.headers.get('content-disposition')).toContain('filename="a__set-cookie:x=1"');
  });
});

describe('missing files', () => {
  it.each([
    '/storage/journal/posts/none.png',
    '/storage/journal/',
    '/storage/other/posts/heart.png',
    '/storage/journal/posts/%2e%2e/%2e%2e/journal.sqlite',
    '/storage/journal/..%2f..%2fjournal.sqlite',
    '/storage/journal/%2fetc%2fpasswd',
    '/storage/journal/.incoming',
    '/storage/journal/posts/heart%',
    '/storage/journal/posts/heart.png%00',
  ])('a request for %s gets 404', async (path) => {
    const response = await get(path);
    expect(response.status).toBe(404);
    expect((await response.json()).code).toMatch(/_NOT_FOUND$/);
  });

  it('the download call of a missing file gets 404', async () => {
    const response = await get('/api/storage/journal/download?path=posts/none.png');
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({ error: 'File not found', code: 'FILE_NOT_FOUND' });
  });

  it.each(['', '?path=', '?path=../a.png'])(
    'the download call with the query "%s" gets 400',
    async (query) => {
      expect((await get(`/api/storage/journal/download${query}`)).status).toBe(400);
    },
  );
});
