import type { Language } from '../findings.ts';
import type { Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';

/** Tells how long a text of each language is where an English one has a hundred characters. */
const LENGTHS: Readonly<Record<Language, number>> = { en: 1, es: 1.14, fr: 1.18, de: 1.13 };

interface ExtentDifference {
  kind: 'missing' | 'doubled' | 'length';
  source: Span | null;
  target: Span | null;
}

interface Side {
  text: string;
  /** Numbers are as long as their way of writing: "5 mg" or "fünf Milligramm". */
  facts: readonly Span[];
  sentences: readonly (readonly Token[])[];
  language: Language;
}

const spanOf = (tokens: readonly Token[]): Span | null => {
  const [first, last] = [tokens[0], tokens.at(-1)];
  return first && last ? { start: first.start, end: last.end } : null;
};

/** Each number counts as so many characters. */
const NUMBER_LENGTH = 6;

function lengthOf({ text, facts }: Side): number {
  const numbers = facts.reduce((sum, { start, end }) => sum + (end - start) - NUMBER_LENGTH, 0);
  return Math.max(0, text.trim().length - numbers);
}

/** Returns what is missing, said twice, or far too long. */
export function compareExtent(source: Side, target: Side): ExtentDifference[] {
  const [from, to] = [lengthOf(source), lengthOf(target)];
  if (from === 0 || to === 0) {
    const all = (side: Side) => spanOf(side.sentences.flat());
    return from === to ? [] : [{ kind: 'missing', source: all(source), target: all(target) }];
  }
  const doubled = findDoubled(source, target);
  if (doubled.length > 0) return doubled;
  const ratio = to / LENGTHS[target.language] / (from / LENGTHS[source.language]);
  const [least, most] = boundsFor(Math.max(from, to));
  const fewer = source.sentences.length - target.sentences.length;
  if (ratio < least || (fewer > 0 && source.sentences.length > 1 && ratio < least + 0.1)) {
    const last = source.sentences.at(-1);
    return [
      { kind: 'missing', source: spanOf(fewer > 0 && last ? last : source.sentences.flat()), target: null },
    ];
  }
  return ratio > most
    ? [{ kind: 'length', source: spanOf(source.sentences.flat()), target: spanOf(target.sentences.flat()) }]
    : [];
}

/** Short texts differ more in length: "BP" is "tensión arterial". */
function boundsFor(length: number): [least: number, most: number] {
  if (length < 25) return [0.2, 5];
  if (length < 50) return [0.45, 2.4];
  if (length < 90) return [0.6, 1.8];
  return [0.64, 1.6];
}

const RUN = 5;

/** Finds sentences and runs of five words that the target has more often than the source has any. */
function findDoubled(source: Side, target: Side): ExtentDifference[] {
  if (repetitions(source) > 0) return [];
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

const repetitions = (side: Side): number => (findRepeatedRun(side.sentences.flat()) ? 1 : 0);

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
