import { type ImagePart, type ImageParts, incomplete, requireEnd, trailingPart } from './image-part.ts';

const IMAGE = 0x2c;
const EXTENSION = 0x21;
const TRAILER = 0x3b;
const GRAPHIC_CONTROL = 0xf9;
const APPLICATION = 0xff;
/** Extensions with the number of loops. */
const LOOPS = ['NETSCAPE2.0', 'ANIMEXTS1.0'];

/** Returns the blocks of a GIF (version 89a): comments, texts and data of applications are extra. */
export function gifParts(file: Buffer): ImageParts {
  requireEnd(file, 0, 13);
  const head = requireEnd(file, 13, tableLength(file[10]));
  const parts: ImagePart[] = [{ start: 0, end: head, kind: 'image' }];
  let frames = 0;
  for (let start = head; ; ) {
    const block = file[start];
    if (block === TRAILER) {
      parts.push({ start, end: start + 1, kind: 'image' }, ...trailingPart(file, start + 1));
      return { parts, animated: frames > 1 };
    }
    if (block === IMAGE) {
      requireEnd(file, start, 10);
      // A local colour table, and a byte with the size of the codes.
      const end = endOfData(file, start + 10 + tableLength(file[start + 9]) + 1);
      parts.push({ start, end, kind: 'image' });
      frames += 1;
      start = end;
    } else if (block === EXTENSION) {
      const end = endOfData(file, start + 2);
      parts.push({ start, end, kind: isNeeded(file.subarray(start, end)) ? 'image' : 'extra' });
      start = end;
    } else if (block === 0) {
      // Some programs end a block twice.
      parts.push({ start, end: start + 1, kind: 'extra' });
      start += 1;
    } else throw incomplete();
  }
}

/** Returns the bytes of the colour table, by its flags. */
function tableLength(flags = 0): number {
  return flags & 0x80 ? 3 * 2 ** ((flags & 0x07) + 1) : 0;
}

/** Returns the end of data in sub-blocks, each after its length; an empty one is the last. */
function endOfData(file: Buffer, start: number): number {
  let at = start;
  while (true) {
    const length = file[at];
    if (length === undefined) throw incomplete();
    at += 1 + length;
    if (length === 0) return at;
  }
}

function isNeeded(extension: Buffer): boolean {
  if (extension[1] === GRAPHIC_CONTROL) return true;
  return extension[1] === APPLICATION && LOOPS.includes(extension.toString('latin1', 3, 14));
}
