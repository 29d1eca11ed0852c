import { brotliDecompressSync } from 'node:zlib';
import { expect, it } from 'vitest';
import { compressParts, compressShared, joinParts } from './brotli-parts.ts';

const STYLES = Array.from(
  { length: 900 },
  (_, rule) =>
    `.rule-${rule}{margin:${rule % 7}px ${rule}px;color:#${(rule * 4_099).toString(16)};content:"–"}`,
).join('');
const WORDS = 'The time of the heart and of the vessels, which were the first to be seen in the world. ';

/** Texts that the encoder writes in different ways: none, repeated, words of its dictionary, large, and bytes at random. */
const TEXTS: Record<string, Buffer> = {
  'no text': Buffer.alloc(0),
  'a letter': Buffer.from('x'),
  spaces: Buffer.alloc(5_000, ' '),
  words: Buffer.from(`<html lang="de"><head>${WORDS}äöü 🫀</head>`),
  'a large text': Buffer.from(
    Array.from({ length: 9_000 }, (_, at) => `${at % 97} ${WORDS.slice(at % 50)}`).join(''),
  ),
  'bytes that cannot be compressed': Buffer.from(
    Array.from({ length: 40_000 }, (_, at) => (Math.imul(at + 1, 2_654_435_761) >>> 13) & 0xff),
  ),
};
const NAMES = Object.keys(TEXTS);

it.each(NAMES.flatMap((before) => NAMES.map((after) => [before, after] as const)))(
  'a shared part is read back between %s and %s',
  async (before, after) => {
    const [first = Buffer.alloc(0), last = Buffer.alloc(0)] = [TEXTS[before], TEXTS[after]];
    const compressed = joinParts(compressParts(first, last), await shared);
    expect(brotliDecompressSync(compressed).equals(Buffer.concat([first, Buffer.from(STYLES), last]))).toBe(
      true,
    );
  },
);

const shared = compressShared(STYLES);

it('every last byte of a shared part is read back', async () => {
  for (let byte = 0; byte < 0x80; byte += 1) {
    const text = `a{}${String.fromCharCode(byte)}`;
    const compressed = joinParts(
      compressParts(Buffer.from('<p>'), Buffer.from('</p>')),
      await compressShared(text),
    );
    expect(brotliDecompressSync(compressed).toString()).toBe(`<p>${text}</p>`);
  }
});

it('a shared part of repeating rules is compressed to less than a quarter', async () => {
  const { compressed, plain } = await shared;
  expect(compressed.length).toBeLessThan(plain.length / 4);
});
