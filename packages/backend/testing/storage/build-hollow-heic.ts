import { readFile } from 'node:fs/promises';

/** Was made by x265: a picture of 96 by 64 pixels. */
const PHOTO = new URL('photo.heic', import.meta.url);
/** Bytes of the picture, which is the first thing in `mdat`. */
const PICTURE_BYTES = 0xa3;
/** The bits of a sequence parameter set before its first number: its profile and level, with one layer (H.265, 7.3.2.2). */
const PROFILE_BITS = 104;
const ITEM = 1;

interface Size {
  width: number;
  height: number;
}

/** Builds a HEIC file of a few hundred bytes that says it is of a size, around a coded picture that says it is of another. */
export async function buildHollowHeic({ declared, coded }: { declared: Size; coded: Size }): Promise<Buffer> {
  const photo = await readFile(PHOTO);
  const picture = photo.subarray(photo.indexOf('mdat') + 4).subarray(0, PICTURE_BYTES);
  const decoder = enlarge(boxAt(photo, 'hvcC'), coded);
  const type = boxAt(photo, 'ftyp');
  const meta = (start: number) =>
    box(
      'meta',
      u32(0),
      boxAt(photo, 'hdlr'),
      boxAt(photo, 'pitm'),
      box('iloc', u32(0), Buffer.from([0x44, 0]), u16(1, ITEM, 0, 1), u32(start, picture.length)),
      box('iinf', u32(0), u16(1), boxAt(photo, 'infe')),
      box(
        'iprp',
        box('ipco', decoder, box('ispe', u32(0, declared.width, declared.height))),
        box('ipma', u32(0, 1), u16(ITEM), Buffer.from([2, 0x81, 2])),
      ),
    );
  const start = type.length + meta(0).length + 8;
  return Buffer.concat([type, meta(start), box('mdat', picture)]);
}

/** Returns an `hvcC` box with another size in its sequence parameter set. */
function enlarge(hvcc: Buffer, { width, height }: Size): Buffer {
  // Each set of parameters stands in an array of its own: its type, the count 1, its length and its bytes.
  const parts: Buffer[] = [hvcc.subarray(8, 31)];
  for (let at = 31; at < hvcc.length; ) {
    const length = hvcc.readUInt16BE(at + 3);
    const unit = hvcc.subarray(at + 5, at + 5 + length);
    const isSequence = ((hvcc[at] ?? 0) & 0x3f) === 33;
    const changed = isSequence
      ? Buffer.concat([unit.subarray(0, 2), resize(unit.subarray(2), width, height)])
      : unit;
    parts.push(hvcc.subarray(at, at + 3), u16(changed.length), changed);
    at += 5 + length;
  }
  return box('hvcC', ...parts);
}

function resize(sequence: Buffer, width: number, height: number): Buffer {
  const bits = [...withoutStops(sequence)].map((byte) => byte.toString(2).padStart(8, '0')).join('');
  let at = PROFILE_BITS;
  const skip = () => {
    const zeros = bits.indexOf('1', at) - at;
    at += 2 * zeros + 1;
  };
  skip();
  skip();
  const before = bits.slice(0, at);
  skip();
  skip();
  const after = bits.slice(at, bits.lastIndexOf('1'));
  const changed = `${before}${number(width)}${number(height)}${after}1`;
  const padded = changed.padEnd(Math.ceil(changed.length / 8) * 8, '0');
  return withStops(Buffer.from((padded.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2))));
}

/** Returns a number as an Exp-Golomb code (H.265, 9.2). */
function number(value: number): string {
  const binary = (value + 1).toString(2);
  return '0'.repeat(binary.length - 1) + binary;
}

/** Takes the bytes out that keep the content from looking like the start of a unit (H.265, 7.3.1.1). */
function withoutStops(unit: Buffer): Buffer {
  return Buffer.from(unit.filter((byte, at) => byte !== 3 || unit[at - 1] !== 0 || unit[at - 2] !== 0));
}

function withStops(content: Buffer): Buffer {
  const bytes: number[] = [];
  for (const byte of content) {
    if (byte <= 3 && bytes.at(-1) === 0 && bytes.at(-2) === 0) bytes.push(3);
    bytes.push(byte);
  }
  return Buffer.from(bytes);
}

function boxAt(file: Buffer, type: string): Buffer {
  const start = file.indexOf(type, 0, 'latin1') - 4;
  return file.subarray(start, start + file.readUInt32BE(start));
}

function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), ...content]);
  return Buffer.concat([u32(body.length + 4), body]);
}

function u16(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => Buffer.from([value >> 8, value & 0xff])));
}

function u32(...values: number[]): Buffer {
  return Buffer.concat(values.map((value) => u16(value >>> 16, value & 0xffff)));
}
