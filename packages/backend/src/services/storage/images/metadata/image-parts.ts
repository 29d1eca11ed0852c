import { avifParts } from './avif-parts.ts';
import { gifParts } from './gif-parts.ts';
import type { ImageParts } from './image-part.ts';
import { jpegParts } from './jpeg-parts.ts';
import { pngParts } from './png-parts.ts';
import { webpParts } from './webp-parts.ts';

/** Parsers by sharp's names of formats. */
const PARSERS: Readonly<Record<string, (file: Buffer) => ImageParts>> = {
  jpeg: jpegParts,
  png: pngParts,
  gif: gifParts,
  webp: webpParts,
  heif: avifParts,
};

/** Returns the parts of an image file without decoding it. Throws when the file is incomplete. */
export function imageParts(format: string, file: Buffer): ImageParts {
  const parse = PARSERS[format];
  if (!parse) throw new Error(`Images of the format ${format} are not parsed.`);
  return parse(file);
}
