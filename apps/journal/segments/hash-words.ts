/** The first 32 bits of the fractional parts of the cube roots of the first 64 primes (FIPS 180-4). */
const ROUNDS = primes(64).map((prime) => fraction(Math.cbrt(prime)));
/** The same bits of the square roots of the first eight. */
const START = primes(8).map((prime) => fraction(Math.sqrt(prime)));

/** A segment is distinguished from its former words by so many bytes of its hash: 16 characters. */
const BYTES = 12;

/**
 * Returns the hash of a segment's words: the first 96 bits of the SHA-256 of their normal form (NFC) in base64url. Browsers
 * offer SHA-256 to secure pages only, and asynchronously.
 */
export function hashWords(text: string): string {
  const digest = sha256(new TextEncoder().encode(text.normalize('NFC')));
  const bytes = Array.from(
    { length: BYTES },
    (_, at) => ((digest[at >> 2] ?? 0) >>> (24 - (at % 4) * 8)) & 255,
  );
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
}

function sha256(message: Uint8Array): Uint32Array {
  const padded = new DataView(new ArrayBuffer((((message.length + 8) >> 6) + 1) * 64));
  new Uint8Array(padded.buffer).set(message);
  padded.setUint8(message.length, 0x80);
  padded.setUint32(padded.byteLength - 8, Math.floor(message.length / 0x2000_0000));
  padded.setUint32(padded.byteLength - 4, message.length << 3);
  const state = Uint32Array.from(START);
  const words = new Uint32Array(64);
  for (let block = 0; block < padded.byteLength; block += 64) {
    for (let at = 0; at < 64; at += 1) {
      words[at] = at < 16 ? padded.getUint32(block + at * 4) : expand(words, at);
    }
    compress(state, words);
  }
  return state;
}

const rotate = (value: number, by: number) => (value >>> by) | (value << (32 - by));

function expand(words: Uint32Array, at: number): number {
  const [early, late] = [words[at - 15] ?? 0, words[at - 2] ?? 0];
  const first = rotate(early, 7) ^ rotate(early, 18) ^ (early >>> 3);
  const second = rotate(late, 17) ^ rotate(late, 19) ^ (late >>> 10);
  return (words[at - 16] ?? 0) + first + (words[at - 7] ?? 0) + second;
}

function compress(state: Uint32Array, words: Uint32Array): void {
  let [a, b, c, d, e, f, g, h] = state as unknown as [
    number,
    number,
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  for (let at = 0; at < 64; at += 1) {
    const choice = (e & f) ^ (~e & g);
    const majority = (a & b) ^ (a & c) ^ (b & c);
    const first =
      h + (rotate(e, 6) ^ rotate(e, 11) ^ rotate(e, 25)) + choice + (ROUNDS[at] ?? 0) + (words[at] ?? 0);
    const second = (rotate(a, 2) ^ rotate(a, 13) ^ rotate(a, 22)) + majority;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
  }
  for (const [at, value] of [a, b, c, d, e, f, g, h].entries()) state[at] = (state[at] ?? 0) + value;
}

function primes(count: number): number[] {
  const found: number[] = [];
  for (let number = 2; found.length < count; number += 1) {
    if (found.every((prime) => number % prime !== 0)) found.push(number);
  }
  return found;
}

function fraction(root: number): number {
  return Math.floor((root - Math.floor(root)) * 2 ** 32) >>> 0;
}
