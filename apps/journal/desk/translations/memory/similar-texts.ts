import { foldText } from '@fabrica/contract';

/** Texts that are less alike than this are of no help to a translator. */
export const LEAST_SIMILARITY = 0.7;

/** Keys of a text under which alike texts are found, by the columns of the memory. */
export const MEMORY_KEYS = ['key_1', 'key_2', 'key_3', 'key_4'] as const;
/** Each key is of so many minima: two texts that are 80 % alike share one of the four keys in 98 of 100 cases. */
const MINIMA_PER_KEY = 2;

/**
 * Returns the keys of a text: minima of hashes of its words (MinHash), so that texts with the same words nearly always share
 * a key, and others nearly never.
 */
export function memoryKeys(text: string): string[] {
  const words = wordsOf(text);
  return MEMORY_KEYS.map((_, key) => {
    const minima = Array.from({ length: MINIMA_PER_KEY }, (_, index) =>
      Math.min(...[...words].map((word) => hash(word, key * MINIMA_PER_KEY + index))),
    );
    return minima.map((minimum) => (Number.isFinite(minimum) ? minimum.toString(36) : '-')).join('.');
  });
}

/** Returns how alike two texts are, from 0 to 1: the share of pairs of neighbouring words that they have in common. */
export function similarity(one: string, other: string): number {
  const [first, second] = [pairsOf(one), pairsOf(other)];
  const total = first.length + second.length;
  if (total === 0) return 1;
  const left = new Map<string, number>();
  for (const pair of first) left.set(pair, (left.get(pair) ?? 0) + 1);
  let common = 0;
  for (const pair of second) {
    const count = left.get(pair) ?? 0;
    if (count === 0) continue;
    common += 1;
    left.set(pair, count - 1);
  }
  return (2 * common) / total;
}

const listOf = (text: string) => foldText(text).match(/[\p{L}\p{N}]+/gu) ?? [];

const wordsOf = (text: string): ReadonlySet<string> => new Set(listOf(text));

/** Pairs of words, with the ends of the text as words. */
function pairsOf(text: string): string[] {
  const words = ['', ...listOf(text), ''];
  return words.slice(1).map((word, index) => `${words[index]} ${word}`);
}

/** FNV-1a, begun anew for each seed. */
function hash(word: string, seed: number): number {
  let value = (0x811c9dc5 ^ Math.imul(seed + 1, 0x9e3779b1)) >>> 0;
  for (let index = 0; index < word.length; index += 1) {
    value = Math.imul(value ^ word.charCodeAt(index), 0x01000193) >>> 0;
  }
  // The last letters would weigh too little in the order of the hashes otherwise.
  value = Math.imul(value ^ (value >>> 15), 0x85ebca6b) >>> 0;
  return (value ^ (value >>> 13)) >>> 0;
}
