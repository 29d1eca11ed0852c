import { hash } from 'node:crypto';
import { brotliCompressSync, constants, createBrotliCompress } from 'node:zlib';

/**
 * The parts of one stream are compressed apart from each other and put together, so that the part that all pages share is
 * compressed once. By RFC 7932, a part may neither refer to what stands before it, which differs from page to page, nor
 * to the static dictionary, which is reached by distances that grow with the place. Brotli's qualities 0 and 1 do
 * neither, 3 does the first alone.
 */
const PART_QUALITY = 0;
const SHARED_QUALITY = 3;
/** The base-2 logarithm of the window. All parts name the same one in the four bits of their header. */
const WINDOW_BITS = 18;
const HEADER_BITS = 4;
const OWN_BITS = 0xff & (0xff << HEADER_BITS);
/** Bytes that are copied, which no text contains as they are not valid UTF-8. */
const COPIED_BYTES = 64;
const COPIES = 4;

/** A text that many streams have in common, compressed so that it can stand anywhere in them. */
export interface SharedPart {
  plain: Buffer;
  fingerprint: string;
  /** Every byte but the last, from one byte's border to another's. */
  compressed: Buffer;
  /** The last byte as a block of its own, which ends where the header of a further part would. */
  junction: Buffer;
}

/** Compresses a shared text, which may not fill the window: it has less than 250 kB. */
export async function compressShared(text: string): Promise<SharedPart> {
  const plain = Buffer.from(text);
  const encoder = createBrotliCompress({ params: paramsOf(SHARED_QUALITY) });
  const chunks: Buffer[] = [];
  encoder.on('data', (chunk: Buffer) => chunks.push(chunk));
  const write = async (part: Buffer) => {
    encoder.write(part);
    await new Promise<void>((resolve) => encoder.flush(() => resolve()));
  };
  await write(distantCopies(plain.length));
  const start = Buffer.concat(chunks).length;
  await write(plain.subarray(0, -1));
  encoder.destroy();
  const compressed = Buffer.concat(chunks).subarray(start);
  const fingerprint = hash('sha256', plain, 'base64url');
  return { plain, fingerprint, compressed, junction: singleByteBlock(plain.at(-1) ?? 0) };
}

/** The bytes that stand before and after a shared part in a stream, compressed. */
export interface OwnParts {
  first: Uint8Array;
  last: Uint8Array;
}

/** Compresses what stands around a shared part, for `joinParts`. */
export function compressParts(before: Uint8Array, after: Uint8Array): OwnParts {
  const params = paramsOf(PART_QUALITY);
  return {
    first: brotliCompressSync(before, { params, finishFlush: constants.BROTLI_OPERATION_FLUSH }),
    last: brotliCompressSync(after, { params }),
  };
}

/** Returns the stream of a text with a shared part in its midst. */
export function joinParts(
  { first, last }: OwnParts,
  { compressed, junction }: SharedPart,
): Buffer<ArrayBuffer> {
  const parts = [first, compressed, junction, last.subarray(1)];
  const stream = Buffer.concat(parts);
  const border = first.length + compressed.length + junction.length - 1;
  // The byte of the header holds the end of the junction, and the first bits of the last part.
  stream[border] = (junction.at(-1) ?? 0) | ((last[0] ?? 0) & OWN_BITS);
  return stream;
}

function paramsOf(quality: number): Record<number, number> {
  return { [constants.BROTLI_PARAM_QUALITY]: quality, [constants.BROTLI_PARAM_LGWIN]: WINDOW_BITS };
}

/**
 * Returns a text at whose end the encoder's last four distances, which it writes in a shorter way, are longer than any
 * that follows in `length` bytes.
 */
function distantCopies(length: number): Buffer {
  const byteOf = (copy: number, at: number) => 0x80 + ((at * (2 * copy + 3) + (copy + 1) * at * at) % 0x80);
  const copied = Array.from({ length: COPIES }, (_, copy) =>
    Buffer.from(Array.from({ length: COPIED_BYTES }, (__, at) => byteOf(copy, at))),
  );
  return Buffer.concat([...copied, Buffer.alloc(length), ...copied.toReversed()]);
}

/** Returns a compressed block of one byte, 84 bits long (RFC 7932, section 9.2). */
function singleByteBlock(byte: number): Buffer {
  const bits: number[] = [];
  const put = (value: number, count: number) => {
    for (let bit = 0; bit < count; bit += 1) bits.push((value >> bit) & 1);
  };
  // Not the last block, four digits of a length that is 0 + 1, compressed, one type of each kind of block, no postfix, no
  // direct distances, a context mode that is not used, one code for literals and one for distances.
  put(0, 1 + 2 + 16 + 1 + 3 + 2 + 4 + 2 + 2);
  const [low, high] = [byte & ~1, byte | 1];
  // Each code is a simple one: of two literals, of the command that inserts one byte, of two distances.
  put(1, 2);
  put(1, 2);
  put(low, 8);
  put(high, 8);
  put(1, 2);
  put(0, 2);
  put(8, 10);
  put(1, 2);
  put(1, 2);
  put(0, 6);
  put(1, 6);
  // The command takes no bits, and the literal one.
  put(byte & 1, 1);
  const block = Buffer.alloc(Math.ceil(bits.length / 8));
  for (const [at, bit] of bits.entries()) block[at >> 3] = (block[at >> 3] ?? 0) | (bit << (at & 7));
  return block;
}
