import { type ImagePart, type ImageParts, requireEnd, trailingPart } from './image-part.ts';

const SIGNATURE_LENGTH = 8;
/** Length, name and checksum of a chunk. */
const AROUND_DATA = 12;

const IMAGE_NAMES = new Set(
  [
    ['IHDR', 'PLTE', 'IDAT', 'IEND', 'tRNS'],
    ['gAMA', 'cHRM', 'sRGB', 'cICP', 'mDCV', 'cLLI', 'sBIT', 'bKGD', 'pHYs'],
    ['acTL', 'fcTL', 'fdAT'],
  ].flat(),
);

/** Returns the chunks of a PNG (W3C, third edition), also an animated one: texts, times, EXIF and unknown chunks are extra. */
export function pngParts(file: Buffer): ImageParts {
  const parts: ImagePart[] = [{ start: 0, end: requireEnd(file, 0, SIGNATURE_LENGTH), kind: 'image' }];
  let animated = false;
  for (let start = SIGNATURE_LENGTH; ; ) {
    requireEnd(file, start, AROUND_DATA);
    const end = requireEnd(file, start, file.readUInt32BE(start) + AROUND_DATA);
    const name = file.toString('latin1', start + 4, start + 8);
    parts.push({ start, end, kind: kindOf(name) });
    animated ||= name === 'acTL';
    if (name === 'IEND') return { parts: [...parts, ...trailingPart(file, end)], animated };
    start = end;
  }
}

function kindOf(name: string): ImagePart['kind'] {
  if (name === 'iCCP') return 'profile';
  return IMAGE_NAMES.has(name) ? 'image' : 'extra';
}
