import { avifParts } from './avif-parts.ts';
import { gifParts } from './gif-parts.ts';
import type { ImageParts } from './image-part.ts';
import { jpegParts } from './jpeg-parts.ts';
import { pngParts } from './png-parts.ts';
import { webpParts } from './webp-parts.ts';

/** The formats that are taken apart, by sharp's names for them. */
const TAKEN_APART: Readonly<Record<string, (file: Buffer) => ImageParts>> = {
  jpeg: jpegParts,
  png: pngParts,
  gif: gifParts,
  webp: webpParts,
  heif: avifParts,
};

/** Takes a file apart without decoding it. Throws when it ends before the picture does. */
export function imageParts(format: string, file: Buffer): ImageParts {
  const takeApart = TAKEN_APART[format];
  if (!takeApart) throw new Error(`Pictures of the format ${format} are not taken apart.`);
  return takeApart(file);
}
