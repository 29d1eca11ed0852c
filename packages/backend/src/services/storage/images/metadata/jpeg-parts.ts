import { type ImagePart, type ImageParts, incomplete, requireEnd, trailingPart } from './image-part.ts';

const START = 0xd8;
const END = 0xd9;
const SCAN = 0xda;
const COMMENT = 0xfe;
const FIRST_APPLICATION = 0xe0;
const LAST_APPLICATION = 0xef;
/** Length of a JFIF segment without a thumbnail. */
const PLAIN_JFIF = 16;

/** Returns the segments of a JPEG (ITU T.81, annex B): all but tables, scans and colour information is extra. */
export function jpegParts(file: Buffer): ImageParts {
  const parts: ImagePart[] = [{ start: 0, end: requireEnd(file, 0, 2), kind: 'image' }];
  let at = 2;
  while (true) {
    const start = file.indexOf(0xff, at);
    if (start < 0) throw incomplete();
    // Some cameras leave a few bytes between segments.
    if (start > at) parts.push({ start: at, end: start, kind: 'extra' });
    at = start;
    while (file[at] === 0xff) at += 1; // a marker, and as many fill bytes as there are
    const marker = file[at];
    if (marker === undefined) throw incomplete();
    at += 1;
    if (marker === END) {
      parts.push({ start, end: at, kind: 'image' }, ...trailingPart(file, at));
      return { parts, animated: false };
    }
    if (!hasLength(marker)) {
      parts.push({ start, end: at, kind: 'image' });
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

/** Returns whether a length follows: restarts and a few other markers have none. */
function hasLength(marker: number): boolean {
  return marker !== START && marker !== 0x01 && !isRestart(marker);
}

function isRestart(marker: number): boolean {
  return marker >= 0xd0 && marker <= 0xd7;
}

/** Returns the end of coded data: the next marker that is neither a stuffed zero nor a restart. */
function endOfScan(file: Buffer, start: number): number {
  for (let at = file.indexOf(0xff, start); at >= 0; at = file.indexOf(0xff, at + 1)) {
    const next = file[at + 1];
    if (next === undefined) break;
    if (next !== 0x00 && next !== 0xff && !isRestart(next)) return at;
  }
  throw incomplete();
}

function kindOf(marker: number, segment: Buffer): ImagePart['kind'] {
  if (marker === COMMENT) return 'extra';
  if (marker < FIRST_APPLICATION || marker > LAST_APPLICATION) return 'image';
  const name = segment.toString('latin1', 2, 14);
  if (marker === 0xe0 && name.startsWith('JFIF\0') && segment.length === PLAIN_JFIF) return 'image';
  if (marker === 0xe2 && name === 'ICC_PROFILE\0') return 'profile';
  // The colour transform.
  return marker === 0xee && name.startsWith('Adobe') ? 'image' : 'extra';
}
