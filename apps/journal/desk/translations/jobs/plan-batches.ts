import type { Language } from '../../../project/languages.ts';

/** A segment of the original that is to be translated into a language. */
export interface WantedSegment {
  /** The segments that have these very words: one call translates all of them. */
  ids: readonly string[];
  text: string;
  /** Tells how many segments of the post come before it. */
  position: number;
}

/** One thing to translate: a segment, or a part of one that is longer than a call may be. */
export interface Piece {
  segment: WantedSegment;
  /** Without the white space around it. */
  text: string;
  /** The white space after it. */
  after: string;
  /** Its place among the pieces of its segment, from 0. */
  index: number;
  count: number;
}

/**
 * Characters of the original in one call at most: with instructions, context and response it stays below the 4,096 tokens
 * that small local models take.
 */
export const MAX_CHARACTERS = 4_500;

/** Returns the batches of a text in a language, in its order and alike in size: no more than its length needs. */
export function planBatches(wanted: readonly WantedSegment[], language: Language): Piece[][] {
  const pieces = wanted.flatMap((segment) => cutSegment(segment, language));
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0);
  return divide(pieces, Math.max(1, Math.ceil(total / MAX_CHARACTERS)));
}

/** Divides pieces among so many batches of about the same number of characters. None of them is empty. */
export function divide(pieces: readonly Piece[], count: number): Piece[][] {
  const total = pieces.reduce((sum, { text }) => sum + text.length, 0) || 1;
  const batches: Piece[][] = Array.from({ length: count }, () => []);
  let before = 0;
  for (const piece of pieces) {
    const middle = before + piece.text.length / 2;
    batches[Math.min(count - 1, Math.floor((middle / total) * count))]?.push(piece);
    before += piece.text.length;
  }
  return batches.filter(({ length }) => length > 0);
}

/** Cuts a segment that is longer than a call may be between its sentences, or else between its words. */
function cutSegment(segment: WantedSegment, language: Language): Piece[] {
  const texts =
    segment.text.length <= MAX_CHARACTERS
      ? [segment.text]
      : joinUpTo(split(segment.text, language, 'sentence'), language);
  return texts.map((text, index) => ({
    segment,
    text: text.trim(),
    after: text.slice(text.trimEnd().length),
    index,
    count: texts.length,
  }));
}

function split(text: string, language: Language, granularity: 'sentence' | 'word'): string[] {
  return [...new Intl.Segmenter(language, { granularity }).segment(text)].map(({ segment }) => segment);
}

function joinUpTo(parts: readonly string[], language: Language): string[] {
  const joined: string[] = [];
  let current = '';
  for (const part of parts.flatMap((one) =>
    one.length > MAX_CHARACTERS ? split(one, language, 'word') : one,
  )) {
    if (current && current.length + part.length > MAX_CHARACTERS) {
      joined.push(current);
      current = '';
    }
    current += part;
  }
  return [...joined, current];
}
