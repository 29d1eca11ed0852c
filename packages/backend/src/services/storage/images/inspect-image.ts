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
  const { width, height } = await largestPage(path, MAX_SECONDS);
  return width * height;
}

/** Pages of a TIFF that are looked at: some programs put a thumbnail before the one that is meant. */
const MAX_PAGES = 20;

/** Returns what an image says of its largest page. Only a TIFF has several. */
export async function largestPage(path: string, seconds: number): Promise<Metadata & { page: number }> {
  let found = { ...(await readImage(path, { seconds }).metadata()), page: 0 };
  const pages = found.format === 'tiff' ? Math.min(found.pages ?? 1, MAX_PAGES) : 1;
  for (let page = 1; page < pages; page += 1) {
    const other = await readImage(path, { seconds, page }).metadata();
    if (other.width * other.height > found.width * found.height) found = { ...other, page };
  }
  return found;
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
export function readImage(path: string, { seconds, page = 0 }: { seconds: number; page?: number }): Sharp {
  return sharp(path, { limitInputPixels: MAX_PIXELS, failOn: 'error', sequentialRead: true, page }).timeout({
    seconds,
  });
}
