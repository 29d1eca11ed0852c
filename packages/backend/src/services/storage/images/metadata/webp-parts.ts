import { type ImagePart, type ImageParts, requireEnd, trailingPart } from './image-part.ts';

const HEAD = 12;
/** The bits of these parts in the first byte of the chunk VP8X. */
const FLAGS = { profile: 0x20, exif: 0x08, xmp: 0x04 };

const IMAGE_NAMES = new Set(['VP8 ', 'VP8L', 'VP8X', 'ALPH', 'ANIM', 'ANMF']);

/** Returns the chunks of a WebP (RFC 9649): EXIF, XMP and unknown chunks are extra. */
export function webpParts(file: Buffer): ImageParts {
  const parts: ImagePart[] = [{ start: 0, end: requireEnd(file, 0, HEAD), kind: 'image' }];
  const all = requireEnd(file, 8, file.readUInt32LE(4));
  let frames = 0;
  for (let start = HEAD; start < all; ) {
    requireEnd(file, start, 8);
    const length = file.readUInt32LE(start + 4);
    const end = Math.min(requireEnd(file, start + 8, length) + (length % 2), file.length);
    const name = file.toString('latin1', start, start + 4);
    parts.push({ start, end, kind: kindOf(name) });
    if (name === 'ANMF') frames += 1;
    start = end;
  }
  const end = parts.at(-1)?.end ?? all;
  return { parts: [...parts, ...trailingPart(file, end)], animated: frames > 0 };
}

function kindOf(name: string): ImagePart['kind'] {
  if (name === 'ICCP') return 'profile';
  return IMAGE_NAMES.has(name) ? 'image' : 'extra';
}

/** Corrects the header of a WebP after chunks were removed. */
export function correctWebpHead(file: Buffer, { hasProfile }: { hasProfile: boolean }): void {
  file.writeUInt32LE(file.length - 8, 4);
  if (file.toString('latin1', HEAD, HEAD + 4) !== 'VP8X') return;
  const gone = FLAGS.exif | FLAGS.xmp | (hasProfile ? 0 : FLAGS.profile);
  file[HEAD + 8] = (file[HEAD + 8] ?? 0) & ~gone;
}
