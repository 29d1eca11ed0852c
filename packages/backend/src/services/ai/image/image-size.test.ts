import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { imageSize } from './image-size.ts';

const drawing = sharp({ create: { width: 70, height: 300, channels: 4, background: '#a338' } });
const ENCODINGS: [string, () => Sharp][] = [
  ['PNG', () => drawing.clone().png()],
  ['GIF', () => drawing.clone().gif()],
  ['JPEG', () => drawing.clone().jpeg()],
  ['progressive JPEG with much around it', () => drawing.clone().withMetadata().jpeg({ progressive: true })],
  ['lossy WebP', () => drawing.clone().removeAlpha().webp()],
  ['lossless WebP', () => drawing.clone().removeAlpha().webp({ lossless: true })],
  ['WebP with transparency', () => drawing.clone().webp()],
];

describe('imageSize', () => {
  it.each(ENCODINGS)('the size of an image is read from its header: %s', async (_, encode) => {
    const bytes = await encode().toBuffer();
    expect(imageSize(bytes)).toEqual([70, 300]);
    for (let length = 0; length < 24; length += 1) {
      expect(imageSize(bytes.subarray(0, length))?.every((side) => side > 0)).not.toBe(false);
    }
  });

  it('the size of a JPEG is read behind filling segments', async () => {
    const jpeg = await drawing.clone().jpeg().toBuffer();
    const filled = Buffer.concat([jpeg.subarray(0, 2), Buffer.alloc(9, 0xff), jpeg.subarray(2)]);
    expect(imageSize(filled)).toEqual([70, 300]);
  });

  it.each([
    ['nothing', ''],
    ['words', 'just words'],
    ['a JPEG without a picture', '\xff\xd8\xff\xd9'],
    ['a JPEG of empty segments', '\xff\xd8\xff\xe0\x00\x00'],
    ['a WebP of no kind', 'RIFF____WEBPNONE____________'],
  ])('no size is read from %s', (_, text) => {
    expect(imageSize(Buffer.from(text, 'latin1'))).toBeUndefined();
  });
});
