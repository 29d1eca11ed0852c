import type { Difference, Language, Span } from '../findings.ts';
import { indexFrom } from '../reading/facts.ts';
import type { Reading } from '../reading/read-segment.ts';
import type { Token } from '../reading/tokens.ts';
import { AND, OR } from '../words/grammar-words.ts';

/** Tells how long a text of each language is where an English one has a hundred characters. */
const LENGTHS: Readonly<Record<Language, number>> = { en: 1, es: 1.14, fr: 1.18, de: 1.13 };

const spanOf = (tokens: readonly Token[]): Span | null => {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
};

/** Each number counts as so many characters, however it is written: "5 mg" or "fünf Milligramm". */
const NUMBER_LENGTH = 6;

function lengthOf({ plain: { text }, facts }: Reading): number {
  const numbers = facts.reduce((sum, { start, end }) => sum + (end - start) - NUMBER_LENGTH, 0);
  return Math.max(0, text.trim().length - numbers);
}

/** Returns what is missing, said twice, far too long, or marked otherwise. */
export function compareExtent(source: Reading, target: Reading): Difference[] {
  const [from, to] = [lengthOf(source), lengthOf(target)];
  if (from === 0 || to === 0) {
    const all = (side: Reading) => spanOf(side.sentences.flat());
    return from === to ? [] : [{ kind: 'missing', source: all(source), target: all(target) }];
  }
  const doubled = findDoubled(source, target);
  if (doubled.length > 0) return doubled;
  const ratio = to / LENGTHS[target.language] / (from / LENGTHS[source.language]);
  const [, least, most] = BOUNDS.find(([longest]) => Math.max(from, to) < longest) ?? [0, 0, 0];
  const more = target.sentences.length - source.sentences.length;
  const [lastSource, lastTarget] = [source, target].map(({ sentences }) => spanOf(sentences.at(-1) ?? []));
  const isShorter = more < 0 && ratio < SHORTER;
  if (ratio < least || isShorter) {
    const lost = isShorter ? lastSource : spanOf(source.sentences.flat());
    return [{ kind: 'missing', source: lost ?? null, target: null }];
  }
  if (ratio > most || (more > 0 && ratio > LONGER)) {
    const added = more > 0 ? lastTarget : spanOf(target.sentences.flat());
    return [{ kind: 'length', source: null, target: added ?? null }];
  }
  if (ratio < SHORTER_LIST && hasMore(source, target))
    return [{ kind: 'missing', source: lastSource ?? null, target: null }];
  if (ratio > LONGER_LIST && hasMore(target, source))
    return [{ kind: 'length', source: null, target: lastTarget ?? null }];
  const turned = findTurned(source, target);
  if (turned.length > 0) return turned;
  return hasOtherPunctuation(source.plain.text, target.plain.text)
    ? [{ kind: 'punctuation', source: lastSource ?? null, target: lastTarget ?? null }]
    : [];
}

/** A text with more sentences than its source says more if it is so much longer; else a sentence was cut in two. */
const LONGER = 1.1;
const SHORTER = 0.92;

/** The same for a text with another number of words such as "and" and "or". Measured on all correct pairs: one of a thousand has. */
const LONGER_LIST = 1.27;
const SHORTER_LIST = 0.77;

const NOR = /^(?:nor|ni|noch|sowie)$/;

/** Returns the words of a text that join two things, and those of them with no number beside them. */
function findJoined({ tokens, facts, spoken }: Reading): { all: Token[]; plain: Token[] } {
  const word = (at: number) => tokens[at]?.lower ?? '';
  const isJoining = ({ lower }: Token, at: number) =>
    (AND[spoken].has(lower) || OR[spoken].has(lower) || NOR.test(lower)) &&
    ![word(at - 1), word(at + 1)].some((beside) => /^(?:igual|égal|equal|gleich)/.test(beside));
  const isPlain = (token: Token, at: number) => {
    const [from, to] = [tokens[at - 1]?.start ?? 0, tokens[at + 1]?.start ?? token.end];
    const next = indexFrom(facts, from);
    return (facts[next]?.start ?? to + 1) > to && (facts[next - 1]?.end ?? 0) <= from;
  };
  return {
    all: tokens.filter(isJoining),
    plain: tokens.filter((token, at) => isJoining(token, at) && isPlain(token, at)),
  };
}

/** Returns the "or" of a sentence of which the other makes an "and": a paragraph has other words for either. */
function findTurned(source: Reading, target: Reading): Difference[] {
  if (source.tokens.length > 50) return [];
  const [one, other] = [source, target].map((side) => {
    const plain = findJoined(side).plain.filter(({ lower }) => !NOR.test(lower));
    return { all: plain.length, or: plain.filter(({ lower }) => OR[side.spoken].has(lower)) };
  });
  if (!one || !other || one.all !== other.all || one.or.length === other.or.length) return [];
  return [{ kind: 'opposite', source: one.or[0] ?? null, target: other.or[0] ?? null }];
}

/** Returns whether a text joins more than another, and has no fewer commas in its place. */
function hasMore(one: Reading, other: Reading): boolean {
  const [most, fewest] = [findJoined(one), findJoined(other)];
  const countParts = ({ plain: { text } }: Reading) => text.match(/[,;:–(]/g)?.length ?? 0;
  return (
    most.all.length > fewest.all.length &&
    most.plain.length > fewest.plain.length &&
    countParts(one) >= countParts(other)
  );
}

const ENDED = /[.!?…:][)"'»“”’\]\s]*$/;
const BRACKET = /\((?!\d\)|[a-z]\))/g;
/** A dash may stand for brackets. */
const DASHED = /[–—]/;
const QUOTED = /[«»„“”‹›]|(?<!\d)"/;

/** Returns whether a text was cut off, or lost its brackets or all its quotation marks. */
function hasOtherPunctuation(source: string, target: string): boolean {
  const countBrackets = (text: string) => text.match(BRACKET)?.length ?? 0;
  const [from, to] = [countBrackets(source), countBrackets(target)];
  return (
    (ENDED.test(source.trim()) && !ENDED.test(target.trim())) ||
    (from > to && !DASHED.test(target)) ||
    (to > from && !DASHED.test(source)) ||
    // One language quotes what another one emphasises.
    (QUOTED.test(source) && !QUOTED.test(target))
  );
}

/**
 * The least and most length of a translation by that of the longer text: short ones differ more, as "BP" and "tensión arterial". Measured
 * on all correct pairs: two of a thousand have another length.
 */
const BOUNDS = [
  [30, 0.2, 5],
  [60, 0.45, 2.3],
  [90, 0.57, 1.8],
  [140, 0.64, 1.6],
  [300, 0.73, 1.42],
  [Number.POSITIVE_INFINITY, 0.77, 1.33],
] as const;

const RUN = 6;

/** Finds sentences and runs of six words that the target has more often than the source has any. */
function findDoubled(source: Reading, target: Reading): Difference[] {
  if (findRepeatedRun(source.sentences.flat())) return [];
  const seen = new Set<string>();
  for (const sentence of target.sentences) {
    const text = sentence.map(({ lower }) => lower).join(' ');
    if (sentence.length >= 4 && seen.has(text))
      return [{ kind: 'doubled', source: null, target: spanOf(sentence) }];
    seen.add(text);
  }
  const run = findRepeatedRun(target.sentences.flat());
  return run ? [{ kind: 'doubled', source: null, target: run }] : [];
}

function findRepeatedRun(tokens: readonly Token[]): Span | undefined {
  const words = tokens.filter(({ kind }) => kind === 'word' || kind === 'number');
  const seen = new Set<string>();
  for (let at = 0; at + RUN <= words.length; at += 1) {
    const run = words.slice(at, at + RUN);
    const text = run.map(({ lower }) => lower).join(' ');
    if (seen.has(text)) return spanOf(run) ?? undefined;
    seen.add(text);
  }
  return undefined;
}
