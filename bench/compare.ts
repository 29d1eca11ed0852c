import { readFileSync } from 'node:fs';
import type { SavedFigure } from './figures.ts';

/** A loss of more than this share, beyond the noise of both runs, fails. */
const MAX_LOSS = 0.1;
/** A run whose rounds differ more than this forgives no more: it says little, and no great loss is to pass for noise. */
const MAX_NOISE = 0.2;

/** A figure of two runs. */
export interface ComparedFigure {
  what: string;
  before: number;
  after: number;
  /** The part that has been added, as a share of the figure before. */
  change: number;
  isLost: boolean;
  /** Whether the rounds of a run differed so much that it should be repeated. */
  isNoisy: boolean;
}

/**
 * Prints the figures of two runs (`npm run bench rest -- --save=before.json`) side by side, and returns whether the second
 * one has lost nothing.
 */
export function compareRuns(before: string, after: string): boolean {
  const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as SavedFigure[];
  const compared = compareFigures(read(before), read(after));
  for (const { what, before, after, change, isLost, isNoisy } of compared) {
    const shown = `${before.toPrecision(3)} → ${after.toPrecision(3)} (${(change * 100).toFixed(1)} %)`;
    console.log(
      `${isLost ? 'LOST' : 'ok  '} ${what}: ${shown}${isNoisy ? ', of rounds that differ much' : ''}`,
    );
  }
  return compared.every(({ isLost }) => !isLost);
}

/** Sets the figures side by side that both runs have. Throws if there is none. */
export function compareFigures(
  before: readonly SavedFigure[],
  after: readonly SavedFigure[],
): ComparedFigure[] {
  const first = new Map(before.map((figure) => [figure.what, figure]));
  const compared = after.flatMap((now) => {
    const then = first.get(now.what);
    return then ? [compareFigure(then, now)] : [];
  });
  if (compared.length === 0) throw new Error('The two runs have no figure in common.');
  return compared;
}

function compareFigure(then: SavedFigure, now: SavedFigure): ComparedFigure {
  const change = now.value === then.value ? 0 : (now.value - then.value) / Math.abs(then.value);
  const noise = Math.max(then.noise, now.noise);
  const loss = now.better === 'atLeast' ? -change : change;
  return {
    what: now.what,
    before: then.value,
    after: now.value,
    change,
    isLost: loss > MAX_LOSS + Math.min(noise, MAX_NOISE),
    isNoisy: noise > MAX_NOISE,
  };
}
