import { recogniseOther } from '../../apps/journal/project/recognise-language.ts';
import { compareSegments, type Finding } from '../../packages/dose-guard/src/index.ts';
import { randomFrom } from '../peers/random.ts';
import { type Injected, injectErrors } from './inject-errors.ts';
import type { Pair } from './read-sentences.ts';

/** Tells how often a thing was tried and came out right. */
export interface Count {
  right: number;
  all: number;
}

/** An error that the guard did not notice, or a correct pair that it found fault with. */
export interface Fault {
  pair: Pair;
  error: Injected | null;
  findings: readonly Finding[];
}

export interface Measured {
  /** Correct pairs without any block, and without any finding. */
  silent: Count;
  quiet: Count;
  byDirection: Map<string, { silent: Count; caught: Count }>;
  byKind: Map<string, Count>;
  blocked: Count;
  warned: Count;
  faults: Fault[];
}

const SEED = 20_261_122;

const blocks = (findings: readonly Finding[]) => findings.some(({ severity }) => severity !== 'warning');

/** Runs the guard over correct pairs, and over one in so many of them with errors of all kinds. */
export function measure(pairs: readonly Pair[], { errorsInOneOf = 1 } = {}): Measured {
  const random = randomFrom(SEED);
  const count = (): Count => ({ right: 0, all: 0 });
  const measured: Measured = {
    silent: count(),
    quiet: count(),
    byDirection: new Map(),
    byKind: new Map(),
    blocked: count(),
    warned: count(),
    faults: [],
  };
  const add = (isRight: boolean, ...counts: Count[]) => {
    for (const one of counts) {
      one.all += 1;
      if (isRight) one.right += 1;
    }
  };
  for (const [place, pair] of pairs.entries()) {
    const direction = `${pair.source.language} → ${pair.target.language}`;
    const both = measured.byDirection.get(direction) ?? { silent: count(), caught: count() };
    measured.byDirection.set(direction, both);
    const findings = compareSegments(pair.source, pair.target, { recogniseOther });
    add(!blocks(findings), measured.silent, both.silent);
    add(findings.length === 0, measured.quiet);
    if (blocks(findings)) measured.faults.push({ pair, error: null, findings });
    if (place % errorsInOneOf !== 0) continue;
    for (const error of injectErrors(pair, random)) {
      const found = compareSegments(
        pair.source,
        { ...pair.target, text: error.text },
        { ...error.options, recogniseOther },
      );
      const isCaught = error.blocks ? blocks(found) : found.length > findings.length;
      const ofKind = measured.byKind.get(error.kind) ?? count();
      measured.byKind.set(error.kind, ofKind);
      add(isCaught, ofKind, both.caught, error.blocks ? measured.blocked : measured.warned);
      if (!isCaught) measured.faults.push({ pair, error, findings: found });
    }
  }
  return measured;
}

export const share = ({ right, all }: Count): number => (all === 0 ? 1 : right / all);
