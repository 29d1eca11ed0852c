import { watch } from 'node:fs';
import { join } from 'node:path';
import {
  animation,
  colourAt,
  GPS,
  halves,
  noise,
} from '@fabrica/backend/testing/storage/build-test-images.ts';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { deleteAccount } from '../../auth/accounts/delete-account.ts';
import type { BlobStore } from '../index.ts';

/** The `Accept` header that current browsers send for an image. */
const BROWSER = 'image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8';

let storage: TestStorage;
let count = 0;

beforeAll(async () => {
  storage = await buildTestStorage();
});
afterAll(() => storage.close());

/** Returns the URL below the origin, with its version. */
async function publish(bytes: Uint8Array, path = `posts/${++count}`): Promise<string> {
  const response = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes, path, fields: { upsert: 'true' } }),
  );
  const body = await response.json();
  expect(response.status, JSON.stringify(body)).toBe(200);
  return body.publicUrl.slice(PUBLIC_URL.length);
}

const get = (url: string, headers: Record<string, string> = {}, method = 'GET') =>
  storage.app.request(url, { method, headers });

async function read(url: string, headers: Record<string, string> = {}) {
  const response = await get(url, headers);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { response, bytes, type: response.headers.get('content-type') };
}

describe('variants of an image', () => {
  let url: string;
  beforeAll(async () => {
    url = await publish(await halves(1000, 500).jpeg().withExif({ IFD3: GPS }).toBuffer());
  });

  it('an image is served whole in the shapes of other programs, on a ground', async () => {
    const tower = await publish(await halves(100, 1000).png().toBuffer());
    for (const [shape, type, width, height] of [
      ['share', 'image/jpeg', 1200, 630],
      ['icon-32', 'image/png', 32, 32],
      ['icon-180', 'image/png', 180, 180],
      ['maskable-512', 'image/png', 512, 512],
    ] as const) {
      for (const image of [url, tower]) {
        const { bytes, type: sent } = await read(`${image}&as=${shape}`, { accept: BROWSER });
        expect(sent).toBe(type);
        expect(await sharp(bytes).metadata()).toMatchObject({ width, height });
      }
    }
    // A tower stands in the middle of a share picture on paper, and of a transparent icon.
    const share = sharp((await read(`${tower}&as=share`)).bytes);
    const { data, info } = await share.raw().toBuffer({ resolveWithObject: true });
    const paper = [251, 248, 243].map((value) => expect.closeTo(value, -0.5));
    expect([...data.subarray(0, 3)]).toEqual(paper);
    const middle = (5 * info.width + info.width / 2) * info.channels;
    expect([...data.subarray(middle, middle + 3)]).not.toEqual(paper);
    const icon = sharp((await read(`${tower}&as=icon-192`)).bytes);
    expect((await icon.raw().toBuffer())[3]).toBe(0);
    expect((await get(`${tower}&as=poster`)).status).toBe(400);
  });

  it('a variant has the best format that the Accept header names', async () => {
    for (const [accept, format] of [
      [BROWSER, 'avif'],
      ['image/webp,*/*', 'webp'],
      ['image/avif;q=0, image/webp;q=0.5', 'webp'],
      ['*/*', 'jpeg'],
      ['', 'jpeg'],
    ]) {
      const { response, bytes, type } = await read(`${url}&w=320`, accept ? { accept } : {});
      expect([response.status, type], accept).toEqual([200, `image/${format}`]);
      expect(response.headers.get('vary')).toBe('Accept');
      const { width, height, exif } = await sharp(bytes).metadata();
      expect({ width, height, exif }).toEqual({ width: 320, height: 160, exif: undefined });
      expect((await colourAt(bytes, 20, 80))[0]).toBeGreaterThan(200);
      expect((await colourAt(bytes, 300, 80))[2]).toBeGreaterThan(200);
    }
  });

  it.each(['avif', 'webp', 'jpeg', 'png'])(
    'a variant is served as %s where that format is requested',
    async (format) => {
      const { response, type } = await read(`${url}&w=160&format=${format}`, { accept: BROWSER });
      expect([response.status, type]).toEqual([200, `image/${format}`]);
      expect(response.headers.get('vary')).toBeNull();
      expect(response.headers.get('content-disposition')).toContain(`.${format}"`);
    },
  );

  it('an unknown width or format is refused', async () => {
    for (const query of ['w=321', 'w=0', 'w=-320', 'w=', 'w=big', 'w=1e9', 'w=320&format=tiff']) {
      const response = await get(`${url}&${query}`);
      expect(response.status, query).toBe(400);
      expect((await response.json()).code).toBe('VALIDATION_FAILED');
    }
  });

  it('a variant is never wider than the image', async () => {
    const wide = await read(`${url}&w=2560&format=webp`);
    expect((await sharp(wide.bytes).metadata()).width).toBe(1000);
    const wider = await read(`${url}&w=1280&format=webp`);
    expect(wider.response.headers.get('etag')).toBe(wide.response.headers.get('etag'));
  });

  it('a variant is cached for ever under its version, and is served in ranges', async () => {
    const small = `${url}&w=480&format=webp`;
    const { response, bytes } = await read(small);
    const tag = response.headers.get('etag') ?? '';
    expect(tag).toMatch(/^"[^"]+"$/);
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(response.headers.get('x-content-type-options')).toBe('nosniff');
    expect((await get(small.replace(/v=\w+/, 'v=00000000'))).headers.get('cache-control')).toBe(
      'public, no-cache',
    );
    expect((await get(small, { 'if-none-match': tag })).status).toBe(304);
    const head = await get(small, {}, 'HEAD');
    expect([head.status, head.headers.get('content-length'), head.body]).toEqual([
      200,
      String(bytes.byteLength),
      null,
    ]);
    const part = await read(small, { range: 'bytes=5-14' });
    expect([part.response.status, part.response.headers.get('content-range')]).toEqual([
      206,
      `bytes 5-14/${bytes.byteLength}`,
    ]);
    expect(part.bytes.equals(bytes.subarray(5, 15))).toBe(true);
  });

  it('a variant of a rotated photograph is upright', async () => {
    const turned = await publish(await halves(800, 400).jpeg().withMetadata({ orientation: 6 }).toBuffer());
    const { bytes } = await read(`${turned}&w=320&format=webp`);
    const { width, height } = await sharp(bytes).metadata();
    expect([width, height]).toEqual([320, 640]);
    expect((await colourAt(bytes, 160, 20))[0]).toBeGreaterThan(200);
  });

  it('a variant is in sRGB whatever colour space the image has', async () => {
    const colours = sharp({ create: { width: 400, height: 400, channels: 3, background: '#709a78' } });
    const originals = [
      await colours.clone().withIccProfile('p3').jpeg({ quality: 100 }).toBuffer(),
      await colours.clone().toColourspace('rgb16').png().toBuffer(),
      await colours.clone().toColourspace('cmyk').jpeg({ quality: 100 }).toBuffer(),
    ];
    for (const original of originals) {
      const { bytes } = await read(`${await publish(original)}&w=320&format=png`);
      const colour = await colourAt(bytes, 100, 100);
      for (const [index, part] of [0x70, 0x9a, 0x78].entries()) {
        expect(Math.abs((colour[index] ?? 0) - part)).toBeLessThan(8);
      }
    }
  });

  it('a variant of a grey image is grey', async () => {
    const grey = await publish(await noise(400, 300).toColourspace('b-w').png().toBuffer());
    const { bytes } = await read(`${grey}&w=320&format=webp`);
    const colours = await colourAt(bytes, 100, 100);
    // WebP keeps luminance and colours apart: a step of 256 is their rounding.
    expect(Math.max(...colours) - Math.min(...colours)).toBeLessThanOrEqual(1);
  });

  it('a transparent image stays transparent, as PNG for old browsers, and gets a white background as JPEG', async () => {
    const glass = {
      width: 400,
      height: 300,
      channels: 4 as const,
      background: { r: 255, g: 0, b: 0, alpha: 0 },
    };
    const clear = await publish(await sharp({ create: glass }).png().toBuffer());
    for (const [accept, type] of [
      ['*/*', 'image/png'],
      [BROWSER, 'image/avif'],
    ] as const) {
      const variant = await read(`${clear}&w=320`, { accept });
      expect(variant.type).toBe(type);
      expect((await sharp(variant.bytes).stats()).isOpaque).toBe(false);
    }
    const { bytes } = await read(`${clear}&w=320&format=jpeg`);
    expect(Math.min(...(await colourAt(bytes, 100, 100)))).toBeGreaterThan(250);
  });

  it('animations, SVGs and other files are served as they are when a width is requested', async () => {
    const svg = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M0 0h9"/></svg>';
    for (const [bytes, type] of [
      [await animation('gif'), 'image/gif'],
      [await animation('webp'), 'image/webp'],
      [Buffer.from(svg), 'image/svg+xml'],
      [Buffer.from('words'), 'application/octet-stream'],
    ] as const) {
      const own = await publish(bytes);
      const whole = await read(own);
      const asked = await read(`${own}&w=160`, { accept: BROWSER });
      expect(asked.type).toBe(type);
      expect(asked.bytes.equals(whole.bytes)).toBe(true);
    }
  });
});

describe('derived images', () => {
  it('a variant is made once for a hundred simultaneous requests', async () => {
    const url = await publish(await noise(900, 600).jpeg().toBuffer());
    await storage.prepared();
    // Everything that is made lies here first, under a name of its own.
    const made = new Set<string | null>();
    const watcher = watch(join(storage.dataDir, 'files', '.incoming'), (_, name) => made.add(name));
    const reads = await Promise.all(Array.from({ length: 100 }, () => read(`${url}&w=640&format=jpeg`)));
    await read(`${url}&w=640&format=jpeg`);
    await expect.poll(() => made.size).toBeGreaterThan(0);
    watcher.close();
    expect(new Set(reads.map(({ response }) => response.status))).toEqual(new Set([200]));
    expect(new Set(reads.map(({ response }) => response.headers.get('etag'))).size).toBe(1);
    expect(made.size).toBe(1);
  });

  it('an upload makes the common widths in the background', async () => {
    const url = await publish(await noise(800, 400).jpeg().toBuffer());
    await storage.prepared();
    const before = storage.filesOnDisk().length;
    for (const width of [320, 480, 640, 800, 960, 1280]) {
      for (const accept of [BROWSER, 'image/webp']) {
        expect((await read(`${url}&w=${width}`, { accept })).response.status).toBe(200);
      }
    }
    expect(storage.filesOnDisk()).toHaveLength(before);
    await read(`${url}&w=160`);
    expect(storage.filesOnDisk()).toHaveLength(before + 1);
  });
});

describe('images that are removed', () => {
  let own: TestStorage;
  let beforePut: (() => Promise<unknown>) | undefined;
  let afterPut: (() => Promise<unknown>) | undefined;
  beforeAll(async () => {
    own = storage;
    const wrapBlobs = (blobs: BlobStore): BlobStore =>
      Object.create(blobs, {
        put: {
          async value(key: string, path: string) {
            await beforePut?.();
            await blobs.put(key, path);
            await afterPut?.();
          },
        },
      });
    storage = await buildTestStorage({ wrapBlobs });
  });
  afterAll(async () => {
    await storage.close();
    storage = own;
  });

  const remove = (path: string) =>
    storage.app.request('/api/storage/journal/remove', {
      method: 'DELETE',
      body: JSON.stringify({ paths: [path] }),
      headers: { 'content-type': 'application/json', 'x-caller': 'user_ana' },
    });
  const photo = () => noise(700, 500).jpeg().withExif({ IFD3: GPS }).toBuffer();

  it('removing an image removes its cleaned version and its variants', async () => {
    const url = await publish(await photo(), 'gone.jpg');
    await read(`${url}&w=160`);
    await storage.prepared();
    expect(storage.filesOnDisk().length).toBeGreaterThan(5);
    await remove('gone.jpg');
    expect(storage.filesOnDisk()).toEqual([]);
    expect((await get(`${url}&w=160`)).status).toBe(404);
  });

  it('removing an image before or after the bytes of a variant are stored leaves no blob behind', async () => {
    const removeNow = async () => {
      beforePut = afterPut = undefined;
      expect((await remove('going.jpg')).status).toBe(200);
    };
    for (const moment of ['before', 'after']) {
      const url = await publish(await photo(), 'going.jpg');
      await storage.prepared();
      if (moment === 'before') beforePut = removeNow;
      else afterPut = removeNow;
      expect({ moment, status: (await get(`${url}&w=160&format=png`)).status }).toEqual({
        moment,
        status: 404,
      });
      await storage.prepared();
      expect(storage.filesOnDisk()).toEqual([]);
    }
  });

  it('removing an image while its first variants are made leaves no blob behind', async () => {
    await publish(await photo(), 'going.jpg');
    await remove('going.jpg');
    await storage.prepared();
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('replacing an image removes its variants, and the new one is served at once', async () => {
    const path = 'place.jpg';
    const before = await publish(await photo(), path);
    await read(`${before}&w=320`);
    await storage.prepared();
    const files = storage.filesOnDisk().length;
    await publish(await halves(700, 500).jpeg().withExif({ IFD3: GPS }).toBuffer(), path);
    const { bytes } = await read(`${before}&w=320`);
    expect((await colourAt(bytes, 20, 20))[0]).toBeGreaterThan(200);
    await storage.prepared();
    expect(storage.filesOnDisk().length).toBeLessThanOrEqual(files);
    await remove(path);
    expect(storage.filesOnDisk()).toEqual([]);
  });

  it('deleting an account removes the variants of its images', async () => {
    await storage.createAccount('user_ana');
    await publish(await photo(), 'hers.jpg');
    await storage.prepared();
    await deleteAccount({ ...storage, userId: 'user_ana' });
    await expect.poll(() => storage.filesOnDisk()).toEqual([]);
  });
});
