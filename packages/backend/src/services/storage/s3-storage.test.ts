import { startTestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
  type TestUpload,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import { type S3Server, startS3Server } from '@fabrica/test-peers/s3-server.ts';
import sharp from 'sharp';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createS3BlobStore, type S3Settings } from './blobs/s3.ts';

let server: S3Server;
let settings: S3Settings;
let storage: TestStorage;
beforeAll(async () => {
  server = await startS3Server();
  settings = { ...server, region: 'us-east-1', prefix: '' };
});
afterAll(() => server.close());
beforeEach(async () => {
  storage = await buildTestStorage({ s3: settings });
});
afterEach(async () => {
  await storage.close();
  for (const key of await keys()) await createS3BlobStore(settings).remove(key);
});

async function upload(sent: TestUpload) {
  const response = await storage.app.request('/api/storage/journal/upload', buildUpload(sent));
  return { status: response.status, body: await response.json() };
}

async function keys(): Promise<string[]> {
  const found = [];
  for await (const { key } of createS3BlobStore(settings).list('')) found.push(key);
  return found;
}

const get = (url: string, headers: Record<string, string> = {}) =>
  storage.app.request(url.replace(PUBLIC_URL, ''), { headers });

/** A photograph that says where it was taken. */
function photograph(): Promise<Buffer> {
  return sharp({ create: { width: 800, height: 600, channels: 3, background: '#a33' } })
    .withExif({ IFD0: { Copyright: 'Vesalius' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
}

describe('files in an S3-compatible store', () => {
  it('files in S3 are served as a whole, in ranges and by their ETag, and nothing of them is on the disk', async () => {
    const { status, body } = await upload({ bytes: '0123456789', path: 'a.txt' });
    expect(status).toBe(200);
    const whole = await get(body.publicUrl);
    expect(await whole.text()).toBe('0123456789');
    expect((await get(body.publicUrl, { 'if-none-match': whole.headers.get('etag') ?? '' })).status).toBe(
      304,
    );
    const part = await get(body.publicUrl, { range: 'bytes=2-5' });
    expect({ status: part.status, text: await part.text() }).toEqual({ status: 206, text: '2345' });
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('images in S3 are cleaned and have variants', async () => {
    const { body } = await upload({ bytes: await photograph(), path: 'plate.jpg' });
    const clean = await get(body.publicUrl);
    expect((await sharp(await clean.arrayBuffer()).metadata()).exif).toBeUndefined();
    const variant = await get(`${body.publicUrl}&w=320&format=webp`);
    const { width, format } = await sharp(await variant.arrayBuffer()).metadata();
    expect({ width, format }).toEqual({ width: 320, format: 'webp' });
    await storage.stop();
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('files are downloaded from the S3 server itself, an image in its cleaned version', async () => {
    await upload({ bytes: await photograph(), path: 'posts/plate.jpg' });
    const query = 'path=posts/plate.jpg&filename=%C3%96lbild.jpg';
    const download = await (await storage.app.request(`/api/storage/journal/download?${query}`)).json();
    expect(download).toMatchObject({ filename: 'Ölbild.jpg', contentType: 'image/jpeg' });
    expect(new URL(download.downloadUrl).origin).toBe(server.endpoint);
    const saved = await fetch(download.downloadUrl);
    expect(saved.headers.get('content-disposition')).toMatch(/^attachment; .*%C3%96lbild\.jpg$/);
    const bytes = await saved.arrayBuffer();
    expect(bytes.byteLength).toBe(download.size);
    expect((await sharp(bytes).metadata()).exif).toBeUndefined();
  });

  it('replaced and removed files leave nothing in S3', async () => {
    const path = 'plate.jpg';
    const { body } = await upload({ bytes: await photograph(), path });
    await get(`${body.publicUrl}&w=320`);
    await upload({ bytes: 'no picture any more', path: 'plate.jpg', fields: { upsert: 'true' } });
    await upload({ bytes: 'and another', path: 'b.txt' });
    const removal = {
      method: 'DELETE',
      headers: { 'x-caller': 'user_ana', 'content-type': 'application/json' },
      body: JSON.stringify({ paths: ['plate.jpg', 'plate.txt', 'b.txt'] }),
    };
    expect((await storage.app.request('/api/storage/journal/remove', removal)).status).toBe(200);
    await storage.stop();
    expect(await keys()).toEqual([]);
    expect(storage.filesOnDisk()).toEqual([]);
  });
});

describe('an S3 server that cannot be reached', () => {
  it('an upload fails when S3 cannot be reached, and leaves neither a file nor a row', async () => {
    const away = await buildTestStorage({ s3: { ...settings, endpoint: 'http://127.0.0.1:9' } });
    const sent = buildUpload({ bytes: 'x', path: 'a.txt' });
    const response = await away.app.request('/api/storage/journal/upload', sent);
    expect(response.status).toBe(503);
    expect(away.filesOnDisk()).toEqual([]);
    expect((await away.app.request('/storage/journal/a.txt')).status).toBe(404);
    await away.close();
  });
});

it('a store that is away makes uploads and downloads fail with 503, a sentence and a time to come back', async () => {
  const proxy = await startTestProxy(Number(new URL(settings.endpoint ?? '').port));
  const s3 = { ...settings, endpoint: `http://127.0.0.1:${proxy.port}` };
  const away = await buildTestStorage({ s3 });
  const uploaded = await away.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes: '0123456789', path: 'a.txt' }),
  );
  const { publicUrl } = await uploaded.json();
  await proxy.close();
  const responses = [
    await away.app.request('/api/storage/journal/upload', buildUpload({ bytes: 'new', path: 'b.txt' })),
    await away.app.request(publicUrl.replace(PUBLIC_URL, '')),
  ];
  for (const response of responses) {
    expect([response.status, response.headers.get('retry-after')]).toEqual([503, '5']);
    expect(await response.json()).toMatchObject({ code: 'FILES_UNAVAILABLE' });
  }
  expect(away.filesOnDisk()).toEqual([]);
  await away.close();
});
