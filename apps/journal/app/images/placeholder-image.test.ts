import { rgbaToThumbHash } from 'thumbhash';
import { expect, it } from 'vitest';
import { isBright, placeholderImage } from './placeholder-image.ts';

type Colour = readonly [red: number, green: number, blue: number, alpha: number];

/** Returns the thumbhash of an image with two halves. */
function hashOf(width: number, height: number, above: Colour, below: Colour): string {
  const half = (colour: Colour) => Buffer.alloc((width * height * 4) / 2, Buffer.from(colour));
  const pixels = Buffer.concat([half(above), half(below)]);
  return Buffer.from(rgbaToThumbHash(width, height, pixels)).toString('base64');
}

/** Reads the pixels of a BMP of 24 bits, from the top row on. */
function readBitmap(url: string | null): { width: number; height: number; rows: number[][][] } {
  const bytes = Buffer.from(url?.split(',')[1] ?? '', 'base64');
  expect(bytes.toString('latin1', 0, 2)).toBe('BM');
  expect(bytes.readUInt32LE(2)).toBe(bytes.length);
  const [width, height] = [bytes.readInt32LE(18), bytes.readInt32LE(22)];
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const rows = Array.from({ length: height }, (_, y) =>
    Array.from({ length: width }, (_, x) => {
      const offset = bytes.readUInt32LE(10) + (height - 1 - y) * rowBytes + x * 3;
      return [bytes.readUInt8(offset + 2), bytes.readUInt8(offset + 1), bytes.readUInt8(offset)];
    }),
  );
  return { width, height, rows };
}

const RED: Colour = [200, 30, 30, 255];
const BLUE: Colour = [30, 30, 200, 255];
const GLASS: Colour = [30, 30, 200, 50];

it('a placeholder shows the colours of its image in the same places', () => {
  const url = placeholderImage(hashOf(80, 100, RED, BLUE), 14);
  const { rows } = readBitmap(url);
  const [redAbove = 0, , blueAbove = 0] = rows.at(1)?.[6] ?? [];
  const [redBelow = 0, , blueBelow = 0] = rows.at(-2)?.[6] ?? [];
  expect(redAbove).toBeGreaterThan(blueAbove + 50);
  expect(blueBelow).toBeGreaterThan(redBelow + 50);
});

it('a placeholder has about the ratio of its image and fewer than 850 characters', () => {
  const portrait = placeholderImage(hashOf(80, 100, RED, BLUE), 14);
  const landscape = placeholderImage(hashOf(100, 50, RED, BLUE), 14);
  expect(readBitmap(portrait)).toMatchObject({ width: 12, height: 14 });
  expect(readBitmap(landscape)).toMatchObject({ width: 14, height: 8 });
  for (const url of [portrait, landscape]) expect(url?.length).toBeLessThan(850);
});

it.each([null, '', 'AAAA', 'no base64!', '¿'])(
  '%j, which is no thumbhash, has no placeholder',
  (thumbhash) => {
    expect(placeholderImage(thumbhash, 14)).toBeNull();
  },
);

it('an image with transparent parts has no placeholder', () => {
  expect(placeholderImage(hashOf(80, 100, RED, GLASS), 14)).toBeNull();
});

it('only opaque images that are nearly white are bright', () => {
  const white: Colour = [255, 255, 255, 255];
  const paper: Colour = [236, 226, 208, 255];
  const glass: Colour = [255, 255, 255, 50];
  expect(isBright(hashOf(80, 100, white, white))).toBe(true);
  expect(isBright(hashOf(80, 100, white, paper))).toBe(true);
  expect(isBright(hashOf(80, 100, white, RED))).toBe(false);
  expect(isBright(hashOf(80, 100, white, glass))).toBe(false);
  for (const none of [null, '', 'AAAA', 'no base64!']) expect(isBright(none)).toBe(false);
});

it('no content of a thumbhash breaks its placeholder', () => {
  for (let byte = 0; byte < 256; byte += 1) {
    const url = placeholderImage(Buffer.alloc(25, byte).toString('base64'), 14);
    if (url) readBitmap(url);
  }
});
