import { readFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { rgbaToThumbHash } from 'thumbhash';
import { type Inspection, MAX_PIXELS } from './image-tasks.ts';
import { isSrgbProfile } from './metadata/colour-profile.ts';
import type { ImageParts } from './metadata/image-part.ts';
import { imageParts } from './metadata/image-parts.ts';

/** Width and height of the thumbnail that the thumbhash is made of. */
const THUMBNAIL_PIXELS = 100;
const MAX_SECONDS = 15;

/** Returns the number of pixels that an image says it has. */
export async function countPixels(path: string): Promise<number> {
  const { width, height } = await readImage(path, { seconds: MAX_SECONDS }).metadata();
  return width * height;
}

/**
 * Inspects a whole image but decodes it to a thumbnail only. Throws when it is damaged, incomplete or too large.
 */
export async function inspectImage(path: string): Promise<Inspection> {
  const metadata = await readImage(path, { seconds: MAX_SECONDS }).metadata();
  const { data, info } = await readImage(path, { seconds: MAX_SECONDS })
    .autoOrient()
    .resize(THUMBNAIL_PIXELS, THUMBNAIL_PIXELS, { fit: 'inside', withoutEnlargement: true })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const contents = imageParts(metadata.format, await readFile(path));
  // Frames of an animation are never rotated.
  const { width, height } = contents.animated ? metadata : metadata.autoOrient;
  return {
    width,
    height,
    animated: contents.animated,
    needsCleaning: needsCleaning(metadata, contents),
    placeholder: Buffer.from(rgbaToThumbHash(info.width, info.height, data)).toString('base64'),
  };
}

function needsCleaning(metadata: Metadata, { parts, animated }: ImageParts): boolean {
  if (parts.some(({ kind }) => kind === 'extra')) return true;
  const { exif, xmp, iptc } = metadata;
  return (
    exif !== undefined || xmp !== undefined || iptc !== undefined || (!animated && needsReencoding(metadata))
  );
}

/** Returns whether the image must be encoded again to be shown upright and in its colours everywhere. */
export function needsReencoding({ orientation = 1, icc, space }: Metadata): boolean {
  return orientation !== 1 || space === 'cmyk' || (icc !== undefined && !isSrgbProfile(icc));
}

/** Opens an image to be read line by line; reading fails where the file is incomplete. Of an animation, the first frame. */
export function readImage(path: string, { seconds }: { seconds: number }): Sharp {
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true }).timeout({
    seconds,
  });
}
