import { type ImagePart, type ImageParts, incomplete, requireEnd } from './image-part.ts';

const IMAGE_NAMES = new Set(['ftyp', 'meta', 'mdat', 'moov']);

/**
 * Returns the boxes of an AVIF (ISO/IEC 14496-12). Metadata is in one box with the image itself, so that these parts
 * only show what else there is.
 */
export function avifParts(file: Buffer): ImageParts {
  const parts: ImagePart[] = [];
  for (let start = 0; start < file.length; ) {
    const end = endOfBox(file, start);
    const name = file.toString('latin1', start + 4, start + 8);
    parts.push({ start, end, kind: IMAGE_NAMES.has(name) ? 'image' : 'extra' });
    start = end;
  }
  return { parts, animated: file.toString('latin1', 8, 12) === 'avis' };
}

/** Returns the end of a box. A length of 0 means the end of the file; after a 1, the length follows the name. */
function endOfBox(file: Buffer, start: number): number {
  requireEnd(file, start, 8);
  const length = file.readUInt32BE(start);
  if (length === 0) return file.length;
  if (length > 1) return length < 8 ? fail() : requireEnd(file, start, length);
  requireEnd(file, start, 16);
  const long = Number(file.readBigUInt64BE(start + 8));
  return long < 16 ? fail() : requireEnd(file, start, long);
}

function fail(): never {
  throw incomplete();
}
