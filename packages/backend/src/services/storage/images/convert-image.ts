import { writeFile } from 'node:fs/promises';
import sharp, { type Metadata, type Sharp } from 'sharp';
import { decodeHeic } from './decode-heic.ts';
import { MAX_HEIC_PIXELS } from './image-tasks.ts';
import { largestPage, readImage } from './inspect-image.ts';
import { addJpegProfile } from './metadata/jpeg-profile.ts';

const MAX_SECONDS = 40;
const JPEG_QUALITY = 95;

/**
 * Writes an image that browsers do not show (HEIC, TIFF) as one that they do: upright, as a JPEG, or as a PNG where it has
 * transparency. Its colour profile is kept, and nothing else that is said about it. Of several pages, the largest one.
 */
export async function convertImage(source: string, target: string): Promise<void> {
  const metadata = await largestPage(source, MAX_SECONDS);
  if (metadata.format === 'heif' && metadata.compression !== 'av1') {
    return convertHeic(source, { target, metadata });
  }
  const open = () => readImage(source, { seconds: MAX_SECONDS, page: metadata.page });
  const isOpaque = !metadata.hasAlpha || (await open().stats()).isOpaque;
  await encode(open().autoOrient().toColourspace('srgb'), isOpaque).toFile(target);
}

async function convertHeic(
  source: string,
  { target, metadata }: { target: string; metadata: Metadata },
): Promise<void> {
  const { width, height, hasAlpha, icc } = metadata;
  // Known before anything is decoded.
  if (width * height > MAX_HEIC_PIXELS) throw new Error('The image exceeds the HEIC pixel limit.');
  const decoded = await decodeHeic(source);
  const raw = { width: decoded.width, height: decoded.height, channels: 4 as const };
  const pixels = sharp(decoded.data, { raw }).timeout({ seconds: MAX_SECONDS });
  if (hasAlpha && !(await pixels.stats()).isOpaque) {
    await encode(pixels, false).toFile(target);
    return;
  }
  const jpeg = await encode(pixels, true).toBuffer();
  // The decoder returns the numbers of the file, which mean colours by its profile alone.
  await writeFile(target, icc ? addJpegProfile(jpeg, icc) : jpeg);
}

function encode(image: Sharp, isOpaque: boolean): Sharp {
  if (!isOpaque) return image.png();
  return image.removeAlpha().jpeg({ quality: JPEG_QUALITY, chromaSubsampling: '4:4:4' });
}
