import { readFile, writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { needsReencoding, readImage } from './inspect-image.ts';
import { isSrgbProfile } from './metadata/colour-profile.ts';
import { imageParts } from './metadata/image-parts.ts';
import { correctWebpHead } from './metadata/webp-parts.ts';

const MAX_SECONDS = 120;

/** Encoders of images that have to be encoded again, by sharp's names of formats, at high quality. */
const ENCODERS: Readonly<Record<string, (image: Sharp) => Sharp>> = {
  jpeg: (image) => image.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
  png: (image) => image.png(),
  gif: (image) => image.gif(),
  webp: (image) => image.webp({ quality: 92, effort: 2 }),
  heif: (image) => image.avif({ quality: 70, effort: 2 }),
};

/**
 * Writes the same image to `target`, upright, in sRGB and without metadata. An image that need not be encoded again keeps
 * every pixel: only the parts of its file that are metadata are left out.
 */
export async function cleanImage(source: string, target: string): Promise<void> {
  const metadata = await readImage(source, { seconds: MAX_SECONDS }).metadata();
  const { format } = metadata;
  const file = await readFile(source);
  const { animated } = imageParts(format, file);
  if (format !== 'heif' && (animated || !needsReencoding(metadata))) {
    const keepsProfile = metadata.icc !== undefined && !isSrgbProfile(metadata.icc);
    await writeFile(target, withoutExtras(format, file, keepsProfile));
    return;
  }
  const encode = ENCODERS[format];
  if (!encode || animated) throw new Error(`Images of the format ${format} are not cleaned.`);
  await encode(readImage(source, { seconds: MAX_SECONDS }).autoOrient()).toFile(target);
}

/** Keeps the colour profile of an animation, which every viewer applies. */
function withoutExtras(format: string, file: Buffer, keepsProfile: boolean): Buffer {
  const parts = imageParts(format, file).parts.filter(
    ({ kind }) => kind === 'image' || (kind === 'profile' && keepsProfile),
  );
  const clean = Buffer.concat(parts.map(({ start, end }) => file.subarray(start, end)));
  if (format === 'webp') correctWebpHead(clean, { hasProfile: keepsProfile });
  return clean;
}
