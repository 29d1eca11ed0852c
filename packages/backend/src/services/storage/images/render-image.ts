import sharp, { type Sharp } from 'sharp';
import type { VariantFormat } from './image-tasks.ts';
import { readImage } from './inspect-image.ts';

const MAX_SECONDS = 60;
/** Smaller ones are made of the picture in this width, which is decoded once for all of them. */
const BASE_WIDTH = 1280;
/** Bytes of points: a picture that is this high is read anew each time. */
const MAX_BASE_BYTES = 64 * 1024 * 1024;

/** Written quickly, and small: readers wait for it, once. */
const WRITE: Readonly<Record<VariantFormat, (picture: Sharp) => Sharp>> = {
  avif: (picture) => picture.avif({ quality: 50, effort: 2 }),
  webp: (picture) => picture.webp({ quality: 78 }),
  jpeg: (picture) => picture.flatten({ background: '#fff' }).jpeg({ quality: 80, mozjpeg: true }),
  png: (picture) => picture.png({ compressionLevel: 9, adaptiveFiltering: true }),
};

export interface Rendering {
  source: string;
  target: string;
  /** Pixels, no more than the picture has. */
  width: number;
  format: VariantFormat;
}

interface Base {
  source: string;
  width: number;
  height: number;
  channels: 1 | 2 | 3 | 4;
  data: Buffer;
}

/** Answers the function that writes pictures in other widths and formats: upright, in sRGB and with nothing else. */
export function createRenderer(): (rendering: Rendering) => Promise<void> {
  let base: Base | undefined;

  async function open(source: string, width: number): Promise<Sharp> {
    if (base?.source !== source || base.width < width)
      base = await readBase(source, Math.max(width, BASE_WIDTH));
    if (!base) return read(source, width);
    const { data, height, channels } = base;
    return sharp(data, { raw: { width: base.width, height, channels } }).resize({ width });
  }

  return async ({ source, target, width, format }) => {
    await WRITE[format](await open(source, width)).toFile(target);
  };
}

function read(source: string, width: number): Sharp {
  return readImage(source, { seconds: MAX_SECONDS })
    .autoOrient()
    .resize({ width, withoutEnlargement: true })
    .toColourspace('srgb');
}

/** The points of a picture in `width`; undefined when they are too many to be held. */
async function readBase(source: string, width: number): Promise<Base | undefined> {
  const { autoOrient } = await readImage(source, { seconds: MAX_SECONDS }).metadata();
  const baseWidth = Math.min(width, autoOrient.width);
  if (baseWidth * ((autoOrient.height / autoOrient.width) * baseWidth) * 4 > MAX_BASE_BYTES) return undefined;
  const { data, info } = await read(source, width).raw().toBuffer({ resolveWithObject: true });
  return { source, data, width: info.width, height: info.height, channels: info.channels };
}
