import { crc32, deflateRawSync, deflateSync, constants as zlib } from 'node:zlib';

// Files with a wrong type or a wrong size in their header, made byte by byte for the tests.

const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
const MEBIBYTE = 1024 * 1024;
/** Modulus of the checksum of a zlib stream (RFC 1950, section 8.2). */
const ADLER = 65_521;

/** A page with a script, for browsers that take the file for HTML. */
export const PAGE = '<!doctype html><script>alert(document.domain)</script>';

/** Returns a PNG whose header says 60,000 by 60,000 pixels, with hardly any data. */
export function buildEnormousPng(): Buffer {
  return buildPng({ width: 60_000, height: 60_000, data: deflateSync(Buffer.alloc(900_000)) });
}

/** Returns a PNG of 8 by 8 pixels with a text that decompresses to this many mebibytes. */
export function buildTextBomb(chunk: 'zTXt' | 'iTXt', mebibytes: number): Buffer {
  const text = inflatable(mebibytes);
  // A keyword, then the flags of the compression (PNG, section 11.3.3).
  const head = chunk === 'zTXt' ? 'Comment\0\0' : 'Comment\0\x01\0\0\0';
  return buildPng({
    width: 8,
    height: 8,
    data: deflateSync(Buffer.alloc(8 * 9)),
    extra: [pngChunk(chunk, Buffer.concat([Buffer.from(head, 'latin1'), text]))],
  });
}

/** Returns a PNG of 8 by 8 pixels whose image data decompresses to this many mebibytes. */
export function buildPictureBomb(mebibytes: number): Buffer {
  return buildPng({ width: 8, height: 8, data: inflatable(mebibytes) });
}

/** Returns the GIF with a script in a comment and after its end: an image to one reader, a program to another. */
export function hideInGif(gif: Buffer, hidden: string): Buffer {
  const [size = 0] = gif.subarray(10, 11);
  const start = 13 + (size & 0x80 ? 3 * 2 ** ((size & 0x07) + 1) : 0);
  const text = Buffer.from(hidden, 'latin1');
  const comment = Buffer.concat([Buffer.from([0x21, 0xfe, text.byteLength]), text, Buffer.from([0])]);
  return Buffer.concat([gif.subarray(0, start), comment, gif.subarray(start), text]);
}

/** Returns an image that is a ZIP archive as well: readers of archives begin at the end. */
export function hideArchive(image: Buffer, name: string, text: string): Buffer {
  return Buffer.concat([image, buildZip(name, text)]);
}

/** Returns a PDF by its first bytes, an HTML page by the others. */
export function buildPdfPage(): Buffer {
  return Buffer.from(`%PDF-1.4\n${PAGE}\n%%EOF\n`);
}

/** Returns a ZIP archive of one uncompressed file. */
export function buildZip(name: string, text: string): Buffer {
  const data = Buffer.from(text);
  const about = Buffer.alloc(26);
  about.writeUInt16LE(20, 0);
  about.writeUInt32LE(crc32(data), 10);
  about.writeUInt32LE(data.byteLength, 14);
  about.writeUInt32LE(data.byteLength, 18);
  about.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04', 'latin1'), about, Buffer.from(name), data]);
  const listed = Buffer.concat([
    Buffer.from('PK\x01\x02\x14\x00', 'latin1'),
    about,
    Buffer.alloc(14),
    Buffer.from(name),
  ]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(listed.byteLength, 8);
  end.writeUInt32LE(local.byteLength, 12);
  return Buffer.concat([local, listed, Buffer.from('PK\x05\x06', 'latin1'), end]);
}

interface PngParts {
  width: number;
  height: number;
  /** Compressed pixels: grey, 8 bits. */
  data: Buffer;
  extra?: readonly Buffer[];
}

function buildPng({ width, height, data, extra = [] }: PngParts): Buffer {
  const head = Buffer.alloc(13);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  head[8] = 8;
  return Buffer.concat([
    PNG_SIGNATURE,
    pngChunk('IHDR', head),
    ...extra,
    pngChunk('IDAT', data),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.byteLength, 0);
  frame.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([frame.subarray(0, 4), body, frame.subarray(4)]);
}

/** Returns a zlib stream of this many mebibytes of zeros, about a kilobyte each, without holding them in memory. */
function inflatable(mebibytes: number): Buffer {
  const one = deflateRawSync(Buffer.alloc(MEBIBYTE), { finishFlush: zlib.Z_FULL_FLUSH });
  const end = deflateRawSync(Buffer.alloc(0));
  const sum = Buffer.alloc(4);
  sum.writeUInt16BE((mebibytes * MEBIBYTE) % ADLER, 0);
  sum.writeUInt16BE(1, 2);
  return Buffer.concat([Buffer.from([0x78, 0x9c]), ...Array<Buffer>(mebibytes).fill(one), end, sum]);
}
