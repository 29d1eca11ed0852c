import { readFile } from 'node:fs/promises';
import { colourAt, halves, noise } from '@fabrica/backend/testing/storage/build-test-images.ts';
import {
  buildTestStorage,
  buildUpload,
  PUBLIC_URL,
  type TestStorage,
} from '@fabrica/backend/testing/storage/build-test-storage.ts';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** Was made by x265 of red and blue halves in the colours of Display P3, with a position in its EXIF. */
const PHOTO = new URL('../../../../testing/storage/photo.heic', import.meta.url);
const CONVERT = { options: JSON.stringify({ convert: true }) };

let storage: TestStorage;
let photo: Buffer;

beforeAll(async () => {
  storage = await buildTestStorage();
  photo = await readFile(PHOTO);
});
afterAll(() => storage.close());

async function upload(bytes: Uint8Array, path: string, fields: Record<string, string> = CONVERT) {
  const response = await storage.app.request(
    '/api/storage/journal/upload',
    buildUpload({ bytes, path, fields }),
  );
  return { status: response.status, body: await response.json() };
}

async function read({ publicUrl }: { publicUrl: string }) {
  const response = await storage.app.request(publicUrl.slice(PUBLIC_URL.length));
  return { headers: response.headers, bytes: Buffer.from(await response.arrayBuffer()) };
}

/** Returns the photograph with other bytes in a place that these bytes mark. */
function changed(mark: string, offset: number, bytes: number[]): Buffer {
  const copy = Buffer.from(photo);
  copy.set(bytes, copy.indexOf(mark, 'latin1') + offset);
  return copy;
}

const tiff = (image = halves(96, 64)) => image.tiff({ compression: 'deflate' }).toBuffer();

/** Returns a TIFF with other values in entries of its directory (TIFF 6.0, section 2), which sharp writes little-endian. */
async function tiffWith(values: Record<number, number>): Promise<Buffer> {
  const file = await tiff();
  const start = file.readUInt32LE(4);
  for (let at = start + 2; at < start + 2 + file.readUInt16LE(start) * 12; at += 12) {
    const value = values[file.readUInt16LE(at)];
    if (value === undefined) continue;
    file.writeUInt16LE(4, at + 2);
    file.writeUInt32LE(value, at + 8);
  }
  return file;
}

/** Returns a TIFF of two pages: the directory of the first one is told where that of the second one is, behind it. */
function twoPages(first: Buffer, second: Buffer): Buffer {
  const shift = first.length + (first.length % 2);
  const file = Buffer.concat([first, Buffer.alloc(shift - first.length), second]);
  const [one, two] = [first.readUInt32LE(4), second.readUInt32LE(4) + shift];
  file.writeUInt32LE(two, one + 2 + first.readUInt16LE(one) * 12);
  for (let at = two + 2; at < two + 2 + file.readUInt16LE(two) * 12; at += 12) {
    const bytes = ({ 3: 2, 4: 4, 5: 8 }[file.readUInt16LE(at + 2)] ?? 1) * file.readUInt32LE(at + 4);
    if (bytes > 4 || file.readUInt16LE(at) === STRIP_OFFSETS)
      file.writeUInt32LE(file.readUInt32LE(at + 8) + shift, at + 8);
  }
  return file;
}

const STRIP_OFFSETS = 273;
const WIDTH = 256;
const HEIGHT = 257;
const ROWS_PER_STRIP = 278;

describe('images that browsers do not show', () => {
  it('a HEIC photograph becomes a JPEG in the colours of every screen, without its metadata', async () => {
    const { status, body } = await upload(photo, 'posts/photo.heic');
    expect({ status, ...body }).toMatchObject({
      status: 200,
      path: 'posts/photo.jpg',
      contentType: 'image/jpeg',
      width: 96,
      height: 64,
      placeholder: expect.any(String),
    });
    const { bytes, headers } = await read(body);
    expect(headers.get('content-type')).toBe('image/jpeg');
    expect(bytes.includes('Ada Byron')).toBe(false);
    const { icc, exif, format } = await sharp(bytes).metadata();
    expect({ icc, exif, format }).toEqual({ icc: undefined, exif: undefined, format: 'jpeg' });
    const [left, right] = [await colourAt(bytes, 10, 32), await colourAt(bytes, 86, 32)];
    // Without its profile, the red would be paler: 234, 51, 35.
    expect(left[0]).toBeGreaterThan(248);
    expect(left[1]).toBeLessThan(15);
    expect(right[2]).toBeGreaterThan(240);
    const original = await storage.app.request('/api/storage/journal/original?path=posts/photo.jpg', {
      headers: { 'x-caller': 'user_ana' },
    });
    expect(Buffer.from(await original.arrayBuffer()).includes('Ada Byron')).toBe(false);
  });

  it.each([
    ['opaque', 'image/jpeg', 'jpg', () => tiff()],
    ['transparent', 'image/png', 'png', () => tiff(halves(96, 64).removeAlpha().ensureAlpha(0.5))],
    [
      'large',
      'image/jpeg',
      'jpg',
      () => noise(96, 64).resize(960, 640).tiff({ compression: 'none' }).toBuffer(),
    ],
    [
      'behind its thumbnail',
      'image/jpeg',
      'jpg',
      async () => twoPages(await tiff(halves(48, 32)), await tiff()),
    ],
    ['in CMYK', 'image/jpeg', 'jpg', () => tiff(halves(96, 64).toColourspace('cmyk'))],
    ['with 16 bits', 'image/jpeg', 'jpg', () => tiff(halves(96, 64).toColourspace('rgb16'))],
  ] as const)('a TIFF that is %s becomes %s', async (_, contentType, extension, build) => {
    const { status, body } = await upload(await build(), 'posts/scan.tiff', {
      options: JSON.stringify({ convert: true, upsert: true }),
    });
    expect({ status, ...body }).toMatchObject({
      status: 200,
      ...{ path: `posts/scan.${extension}`, contentType },
    });
    expect(body.width / body.height).toBe(1.5);
    expect(body.width).toBeGreaterThanOrEqual(96);
    const { bytes } = await read(body);
    expect((await sharp(bytes).metadata()).space).toBe('srgb');
    if (body.width > 96) return;
    const [red = 0, , blue = 0] = await colourAt(bytes, 10, 32);
    expect(red - blue).toBeGreaterThan(100);
  });

  it('a HEIC and a TIFF are stored as they are, for downloads, unless the upload asks for a conversion', async () => {
    for (const [name, bytes] of [
      ['raw.heic', photo],
      ['raw.tif', await tiff()],
    ] as const) {
      const { body } = await upload(bytes, `kept/${name}`, {});
      expect(body).toMatchObject({ path: `kept/${name}`, contentType: 'application/octet-stream' });
      const kept = await read(body);
      expect(kept.bytes.equals(bytes)).toBe(true);
      expect(kept.headers.get('content-disposition')).toMatch(/^attachment;/);
    }
  });

  it.each([
    ['of which a tenth came', () => photo.subarray(0, photo.length * 0.1)],
    ['of which half came', () => photo.subarray(0, photo.length * 0.5)],
    ['without its last 40 bytes', () => photo.subarray(0, -40)],
    ['in a coding that nobody decodes', () => changed('hvc1', 0, [...Buffer.from('vvc9')])],
    ['with noise for its pixels', () => changed('mdat', 4, Array(200).fill(0xa5))],
    ['that says it is 60,000 by 60,000', () => changed('ispe', 8, [0, 0, 0xea, 0x60, 0, 0, 0xea, 0x60])],
  ])('a HEIC %s is refused and leaves nothing behind', async (_, build) => {
    await expectRefused(build(), 'bad/photo.heic');
  });

  it('a HEIC that says it has 60 megapixels is refused before it is decoded', async () => {
    const bytes = changed('ispe', 8, [0, 0, 0x1f, 0x40, 0, 0, 0x1d, 0x4c]);
    const { body } = await upload(bytes, 'bad/large.heic');
    expect(body).toEqual({
      code: 'FILE_UNREADABLE',
      error: 'This HEIC image is too large: 50 megapixels at most.',
    });
  });

  it.each([
    ['of which half came', async () => (await tiff()).subarray(0, 150)],
    ['that says it is 60,000 by 60,000', () => tiffWith({ [WIDTH]: 60_000, [HEIGHT]: 60_000 })],
    [
      'with one strip for 9,000 by 9,000',
      () => tiffWith({ [WIDTH]: 9_000, [HEIGHT]: 9_000, [ROWS_PER_STRIP]: 9_000 }),
    ],
    ['whose head is all there is', async () => Buffer.from('49492a0008000000', 'hex')],
  ])('a TIFF %s is refused and leaves nothing behind', async (_, build) => {
    await expectRefused(await build(), 'bad/scan.tiff');
  });

  it('an image is converted after all that was refused', async () => {
    expect((await upload(photo, 'posts/after.heif')).body).toMatchObject({ path: 'posts/after.jpg' });
  });
});

async function expectRefused(bytes: Uint8Array, path: string): Promise<void> {
  await storage.prepared();
  const before = storage.filesOnDisk();
  expect(await upload(bytes, path)).toEqual({
    status: 400,
    body: { code: 'FILE_UNREADABLE', error: expect.any(String) },
  });
  await expect.poll(() => storage.filesOnDisk()).toEqual(before);
}
