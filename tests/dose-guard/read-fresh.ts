import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { recogniseOther } from '../../apps/journal/project/recognise-language.ts';
import { compareSegments, type Language, type Segment } from '../../packages/dose-guard/src/index.ts';
import type { Count } from './measure.ts';
import { type Pair, pairsOf, readSentenceFile } from './read-sentences.ts';

/** A source with its right translation and a wrong one, from `fresh/`. */
export interface WrongTranslation {
  kind: string;
  source: Segment;
  right: Segment;
  wrong: Segment;
}

const pathOf = (name: string) => fileURLToPath(new URL(`fresh/${name}.txt`, import.meta.url));

const segmentOf = (line = ''): Segment => ({
  language: line.slice(0, 2) as Language,
  text: line.replace(/^..!? /, ''),
});

/** The files of errors in `fresh/`: the later ones have more errors of meaning. */
export const ERRORS = [
  'errors-clinical',
  'errors-mixed',
  'unseen-clinical',
  'unseen-mixed',
  'likely',
] as const;

type ErrorFile = (typeof ERRORS)[number];

/** Returns the errors of a file of `fresh/`. */
export function readErrors(name: ErrorFile): WrongTranslation[] {
  return readFileSync(pathOf(name), 'utf8')
    .split(/^- /m)
    .slice(1)
    .map((block) => {
      const [kind = '', source, right, wrong] = block.trim().split('\n');
      return { kind, source: segmentOf(source), right: segmentOf(right), wrong: segmentOf(wrong) };
    });
}

const isHeld = (source: Segment, target: Segment): boolean =>
  compareSegments(source, target, { recogniseOther }).some(({ severity }) => severity !== 'warning');

export interface FreshMeasured {
  caught: Count;
  byKind: Map<string, Count>;
  /** The right translations of the errors. */
  passed: Count;
  missed: WrongTranslation[];
  held: Pick<Pair, 'source' | 'target'>[];
}

/** Measures the errors of a file: they are caught by a block or a doubt, which holds a translation back. */
export function measureFresh(name: ErrorFile): FreshMeasured {
  const errors = readErrors(name);
  const missed = errors.filter(({ source, wrong }) => !isHeld(source, wrong));
  const held = errors.filter(({ source, right }) => isHeld(source, right));
  const byKind = new Map<string, Count>();
  for (const error of errors) {
    const { right, all } = byKind.get(error.kind) ?? { right: 0, all: 0 };
    byKind.set(error.kind, { right: right + (missed.includes(error) ? 0 : 1), all: all + 1 });
  }
  return {
    caught: { right: errors.length - missed.length, all: errors.length },
    byKind,
    passed: { right: errors.length - held.length, all: errors.length },
    missed,
    held: held.map(({ source, right }) => ({ source, target: right })),
  };
}

/** Returns the correct sentences of `fresh/correct.txt` in all directions. */
export function readCorrect(): Pair[] {
  return pairsOf(readSentenceFile(pathOf('correct')));
}

/** Measures the correct sentences of `fresh/correct.txt`. */
export function measureCorrect(): Pick<FreshMeasured, 'passed' | 'held'> {
  const pairs = readCorrect();
  const held = pairs.filter(({ source, target }) => isHeld(source, target));
  return { passed: { right: pairs.length - held.length, all: pairs.length }, held };
}
