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

let storage: TestStorage;
let count = 0;

beforeAll(async () => {
  storage = await buildTestStorage();
});
afterAll(() => storage.close());

/** Uploads a picture and reads it at once, as everybody does; returns both. */
async function publish(bytes: Uint8Array) {
  count += 1;
  const path = `posts/${count}`;
  const uploaded = await storage.app.request('/api/storage/journal/upload', buildUpload({ bytes, path }));
  const saved = await uploaded.json();
  expect(uploaded.status, JSON.stringify(saved)).toBe(200);
  const response = await storage.app.request(saved.publicUrl.slice(PUBLIC_URL.length));
  expect(response.status).toBe(200);
  const served = Buffer.from(await response.arrayBuffer());
  return { saved, served, contentType: response.headers.get('content-type') };
}

const metadataOf = (picture: Buffer) => sharp(picture, { animated: true }).metadata();

async function points(picture: Buffer): Promise<Buffer> {
  return sharp(picture, { animated: true }).ensureAlpha().raw().toBuffer();
}

describe('the served version of an image', () => {
  it.each(['jpeg', 'png', 'webp', 'avif'] as const)(
    'the metadata of an image is removed, and its pixels stay the same (%s)',
    async (format) => {
      const bytes = await noise(320, 200)
        .toFormat(format)
        .withExif({ IFD0: { Copyright: 'Ada Byron', Make: 'Camera' }, IFD3: GPS })
        .withXmp('<x:xmpmeta xmlns:x="adobe:ns:meta/"><secret/></x:xmpmeta>')
        .toBuffer();
      expect(bytes.includes('Ada Byron')).toBe(true);
      const { saved, served, contentType } = await publish(bytes);
      expect(saved).toMatchObject({ width: 320, height: 200, size: bytes.byteLength });
      expect(contentType).toBe(`image/${format}`);
      expect(served.includes('Ada Byron')).toBe(false);
      expect(served.includes('secret')).toBe(false);
      const { exif, xmp, width, height } = await metadataOf(served);
      expect({ exif, xmp, width, height }).toEqual({
        exif: undefined,
        xmp: undefined,
        width: 320,
        height: 200,
      });
      if (format !== 'avif') expect((await points(served)).equals(await points(bytes))).toBe(true);
    },
  );

  it.each([
    [3, 'upside down', { width: 400, height: 300, redAt: [390, 150] }],
    [6, 'on its left side', { width: 300, height: 400, redAt: [150, 10] }],
    [8, 'on its right side', { width: 300, height: 400, redAt: [150, 390] }],
  ] as const)(
    'a photograph with orientation %i (%s) is served upright',
    async (orientation, _, { width, height, redAt }) => {
      const bytes = await halves(400, 300).jpeg().withMetadata({ orientation }).toBuffer();
      const { saved, served } = await publish(bytes);
      expect(saved).toMatchObject({ width, height });
      const metadata = await metadataOf(served);
      expect([metadata.width, metadata.height, metadata.orientation]).toEqual([width, height, undefined]);
      const [red = 0, , blue = 0] = await colourAt(served, redAt[0], redAt[1]);
      expect(red).toBeGreaterThan(200);
      expect(blue).toBeLessThan(60);
    },
  );

  it('an image with another colour profile is served in sRGB', async () => {
    const green = sharp({ create: { width: 300, height: 300, channels: 3, background: '#40c060' } });
    const bytes = await green.withIccProfile('p3').png().toBuffer();
    const asSent = await sharp(bytes, { ignoreIcc: true }).raw().toBuffer();
    const { served } = await publish(bytes);
    expect((await metadataOf(served)).icc).toBeUndefined();
    const colour = await colourAt(served, 100, 100);
    // The numbers of a wide gamut mean other colours in sRGB: shown as they were sent, it would be paler.
    expect([...asSent.subarray(0, 3)]).not.toEqual(colour);
    for (const [index, part] of [0x40, 0xc0, 0x60].entries()) {
      expect(Math.abs((colour[index] ?? 0) - part)).toBeLessThan(6);
    }
  });

  it('an image in CMYK is served in colours that every browser knows', async () => {
    const bytes = await halves(400, 300).toColourspace('cmyk').jpeg().toBuffer();
    expect((await sharp(bytes).metadata()).space).toBe('cmyk');
    const { served } = await publish(bytes);
    expect((await metadataOf(served)).space).toBe('srgb');
    const [red = 0, , blue = 0] = await colourAt(served, 20, 20);
    expect(red - blue).toBeGreaterThan(100);
  });

  it('an image without metadata is served unchanged, also with 16 bits and transparency', async () => {
    const deep = await halves(300, 200)
      .ensureAlpha(0.5)
      .toColourspace('rgb16')
      .png({ palette: false })
      .toBuffer();
    expect((await sharp(deep).metadata()).depth).toBe('ushort');
    for (const bytes of [deep, await halves(300, 200).jpeg().toBuffer(), await animation('gif')]) {
      expect((await publish(bytes)).served.equals(bytes)).toBe(true);
    }
  });

  it('data after the end of an image, such as a video, is removed', async () => {
    for (const format of ['jpeg', 'png', 'webp', 'gif'] as const) {
      const picture = await halves(300, 200).toFormat(format).toBuffer();
      const { served } = await publish(Buffer.concat([picture, Buffer.from('PK\x03\x04 and more')]));
      expect(served.equals(picture)).toBe(true);
    }
  });

  it('an animation keeps its frames when its metadata is removed', async () => {
    const gif = await animation('gif');
    const comment = Buffer.from('\x21\xfe\x09by Ada B.\x00', 'latin1');
    const commented = Buffer.concat([gif.subarray(0, -1), comment, gif.subarray(-1)]);
    const webp = await sharp(await animation('webp'), { animated: true })
      .webp({ lossless: true })
      .withExif({ IFD0: { Copyright: 'by Ada B.' } })
      .toBuffer();
    for (const bytes of [commented, webp]) {
      expect(bytes.includes('by Ada B.')).toBe(true);
      const { saved, served } = await publish(bytes);
      expect(saved).toMatchObject({ width: 400, height: 300 });
      expect(served.includes('by Ada B.')).toBe(false);
      expect((await metadataOf(served)).pages).toBe(3);
      expect((await points(served)).equals(await points(bytes))).toBe(true);
    }
  });
});

describe('the original of an image', () => {
  it('the original is served unchanged, to its uploader and the service role alone', async () => {
    const bytes = await halves(400, 300).jpeg().withExif({ IFD3: GPS }).toBuffer();
    const { saved, served } = await publish(bytes);
    expect(served.equals(bytes)).toBe(false);
    const original = (caller: string, path = saved.path) =>
      storage.app.request(`/api/storage/journal/original?path=${encodeURIComponent(path)}`, {
        headers: caller ? { 'x-caller': caller } : {},
      });
    for (const caller of ['user_ana', 'service']) {
      const response = await original(caller);
      expect(response.status).toBe(200);
      expect(response.headers.get('content-disposition')).toMatch(/^attachment;/);
      expect(response.headers.get('cache-control')).toContain('private');
      expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
    }
    expect((await original('user_ben')).status).toBe(403);
    expect((await original('')).status).toBe(401);
    expect((await original('user_ana', 'posts/none.jpg')).status).toBe(404);
  });

  it('an image that was stored before images were cleaned is cleaned at its first request', async () => {
    const bytes = await noise(64, 48)
      .jpeg()
      .withExif({ IFD0: { Copyright: 'Ada Byron' } })
      .toBuffer();
    const { saved } = await publish(bytes);
    await storage.prepared();
    const unknown = { width: null, height: null, animated: null, placeholder: null, served_blob: null };
    await storage.project.database.writer
      .updateTable('files')
      .set(unknown)
      .where('path', '=', saved.path)
      .execute();
    const response = await storage.app.request(saved.publicUrl.slice(PUBLIC_URL.length));
    const served = Buffer.from(await response.arrayBuffer());
    expect(served.includes('Ada Byron')).toBe(false);
    expect((await metadataOf(served)).width).toBe(64);
  });
});
