import { cutOff, type ImagePart, type ImageParts, requireEnd, trailingPart } from './image-part.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
const FIRST_APPLICATION = 0xe0;
const LAST_APPLICATION = 0xef;
/** Length of a JFIF segment that has no small picture in it. */
const PLAIN_JFIF = 16;

/** Segments of a JPEG (ITU T.81, annex B): all but the tables, the scans and what tells their colours is extra. */
export function jpegParts(file: Buffer): ImageParts {
  const parts: ImagePart[] = [{ start: 0, end: requireEnd(file, 0, 2), kind: 'picture' }];
  let at = 2;
  while (true) {
    const start = file.indexOf(0xff, at);
    if (start < 0) throw cutOff();
    // Some cameras leave a few bytes between segments.
    if (start > at) parts.push({ start: at, end: start, kind: 'extra' });
    at = start;
    while (file[at] === 0xff) at += 1; // a marker, and as many fill bytes as there are
    const marker = file[at];
    if (marker === undefined) throw cutOff();
    at += 1;
    if (marker === END) {
      parts.push({ start, end: at, kind: 'picture' }, ...trailingPart(file, at));
      return { parts, animated: false };
    }
    if (!hasLength(marker)) {
      parts.push({ start, end: at, kind: 'picture' });
      continue;
    }
    requireEnd(file, at, 2);
    const length = file.readUInt16BE(at);
    const end = requireEnd(file, at, length);
    const segment = file.subarray(at, end);
    at = marker === SCAN ? endOfScan(file, end) : end;
    parts.push({ start, end: at, kind: kindOf(marker, segment) });
  }
}

/** Restarts and a few others stand alone. */
function hasLength(marker: number): boolean {
  return marker !== START && marker !== 0x01 && !isRestart(marker);
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Coded data goes on over stuffed zeros and restarts, up to the next marker of another kind. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) break;
    if (next !== 0x00 && next !== 0xff && !isRestart(next)) return at;
  }
  throw cutOff();
}

function kindOf(marker: number, segment: Buffer): ImagePart['kind'] {
  if (marker === COMMENT) return 'extra';
  if (marker < FIRST_APPLICATION || marker > LAST_APPLICATION) return 'picture';
  const name = segment.toString('latin1', 2, 14);
  if (marker === 0xe0 && name.startsWith('JFIF\0') && segment.length === PLAIN_JFIF) return 'picture';
  if (marker === 0xe2 && name === 'ICC_PROFILE\0') return 'profile';
  // Says how the colours are coded.
  return marker === 0xee && name.startsWith('Adobe') ? 'picture' : 'extra';
}
