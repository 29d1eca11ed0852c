import { IMAGE_SHAPES, type ImageShape, type ImageShapeName } from '@fabrica/contract';
import sharp, { type Sharp } from 'sharp';
import type { VariantFormat } from './image-tasks.ts';
import { readImage } from './inspect-image.ts';

const MAX_SECONDS = 60;
/** Narrower variants are made of the image in this width, which is decoded once for all of them. */
const BASE_WIDTH = 1280;
/** Bytes of pixels that are held in memory; a higher image is read again each time. */
const MAX_BASE_BYTES = 64 * 1024 * 1024;

/** Encoders that are fast and make small files: a request may wait for the first use of a variant. */
const ENCODERS: Readonly<Record<VariantFormat, (image: Sharp) => Sharp>> = {
  avif: (image) => image.avif({ quality: 50, effort: 2 }),
  webp: (image) => image.webp({ quality: 78 }),
  jpeg: (image) => image.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
  png: (image) => image.png({ compressionLevel: 9, adaptiveFiltering: true }),
};

interface Rendering {
  source: string;
  target: string;
  /** Pixels, no more than the image has. */
  width: number;
  format: VariantFormat;
  /** Fits the whole image into this shape instead. */
  shape?: ImageShapeName;
}

interface Base {
  source: string;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
  data: Buffer;
}

/** Returns the function that writes images in other widths and formats: upright, in sRGB and without metadata. */
export function createRenderer(): (rendering: Rendering) => Promise<void> {
  let base: Base | undefined;

  async function open(source: string, width: number): Promise<Sharp> {
    if (base?.source !== source || base.width < width)
      base = await readBase(source, Math.max(width, BASE_WIDTH));
    if (!base) return read(source, width);
    const { data, height, channels } = base;
    return sharp(data, { raw: { width: base.width, height, channels } }).resize({ width });
  }

  return async ({ source, target, width, format, shape }) => {
    if (shape) return renderShape(source, target, IMAGE_SHAPES[shape]);
    await ENCODERS[format](await open(source, width)).toFile(target);
  };
}

/** Writes the whole image into the middle of a ground, as large as its shape allows. */
async function renderShape(
  source: string,
  target: string,
  { width, height, format, ground, fill }: ImageShape,
): Promise<void> {
  const background = ground ?? { r: 0, g: 0, b: 0, alpha: 0 };
  const [innerWidth, innerHeight] = [Math.round(width * fill), Math.round(height * fill)];
  const { data, info } = await readImage(source, { seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width: innerWidth, height: innerHeight, fit: 'inside' })
    .toColourspace('srgb')
    .png()
    .toBuffer({ resolveWithObject: true });
  const [left, top] = [Math.floor((width - info.width) / 2), Math.floor((height - info.height) / 2)];
  const empty = sharp({ create: { width, height, channels: 4, background } });
  const whole = empty.composite([{ input: data, left, top }]);
  await ENCODERS[format](ground ? whole.flatten({ background }) : whole).toFile(target);
}

function read(source: string, width: number): Sharp {
  return readImage(source, { seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .toColourspace('srgb');
}

/** Returns the pixels of an image in `width`, or undefined when they are too many. */
async function readBase(source: string, width: number): Promise<Base | undefined> {
  const { autoOrient } = await readImage(source, { seconds: MAX_SECONDS }).metadata();
  const baseWidth = Math.min(width, autoOrient.width);
  if (baseWidth * ((autoOrient.height / autoOrient.width) * baseWidth) * 4 > MAX_BASE_BYTES) return undefined;
  const { data, info } = await read(source, width).raw().toBuffer({ resolveWithObject: true });
  return { source, data, width: info.width, height: info.height, channels: info.channels };
}
