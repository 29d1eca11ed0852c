import { readFile, writeFile } from 'node:fs/promises';
import type { Sharp } from 'sharp';
import { needsReencoding, readImage } from './inspect-image.ts';
import { isSrgbProfile } from './metadata/colour-profile.ts';
import { imageParts } from './metadata/image-parts.ts';
import { correctWebpHead } from './metadata/webp-parts.ts';

const MAX_SECONDS = 120;

/** How a picture is written that has to be drawn anew, by sharp's names for the formats: close to what it was. */
const WRITE: Readonly<Record<string, (picture: Sharp) => Sharp>> = {
  jpeg: (picture) => picture.jpeg({ quality: 92, chromaSubsampling: '4:4:4' }),
  png: (picture) => picture.png(),
  gif: (picture) => picture.gif(),
  webp: (picture) => picture.webp({ quality: 92, effort: 2 }),
  heif: (picture) => picture.avif({ quality: 70, effort: 2 }),
};

/**
 * Writes the same picture to `target`, upright, in sRGB, and with nothing else in its file. Where nothing is to be
 * drawn anew, not a point of it changes: what does not belong to the picture is left out.
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
  const write = WRITE[format];
  if (!write || animated) throw new Error(`Pictures of the format ${format} are not cleaned.`);
  await write(readImage(source, { seconds: MAX_SECONDS }).autoOrient()).toFile(target);
}

/** An animation keeps its profile, which every viewer that shows one knows to apply. */
function withoutExtras(format: string, file: Buffer, keepsProfile: boolean): Buffer {
  const kept = imageParts(format, file).parts.filter(
    ({ kind }) => kind === 'picture' || (kind === 'profile' && keepsProfile),
  );
  const clean = Buffer.concat(kept.map(({ start, end }) => file.subarray(start, end)));
  if (format === 'webp') correctWebpHead(clean, { hasProfile: keepsProfile });
  return clean;
}
