import type { Difference } from '../findings.ts';
import type { Match } from '../matching/match-facts.ts';
import type { Fact } from '../reading/facts.ts';
import type { Reading } from '../reading/read-segment.ts';
import type { Token } from '../reading/tokens.ts';

const PERCENT =
  /^(?:%|％|percent|porciento|pourcent|prozent\p{L}*|percentages?|pourcentages?|porcentajes?|porcentual\p{L}*|\p{L}+prozentig\p{L}*)$/u;

/** "por ciento" and "pour cent" are percent, "cien" and "cent" a hundred. */
const isPercent = (tokens: readonly Token[], at: number): boolean =>
  (PERCENT.test(tokens[at]?.lower ?? '') &&
    // Percentage points may be points.
    !/punkt|^(?:percentage|pourcentage|porcentual)/.test(tokens[at]?.lower ?? '')) ||
  (/^(?:cent|ciento)$/.test(tokens[at]?.lower ?? '') &&
    /^(?:per|por|pour)$/.test(tokens[at - 1]?.lower ?? ''));

/** Returns the first percent sign of a text when the other one has none. Half of something is 50 % of it, and may be said so. */
export function comparePercents(matches: readonly Match[], source: Reading, target: Reading): Difference[] {
  const [one, other] = [source, target].map(({ tokens }) => tokens.find((_, at) => isPercent(tokens, at)));
  if ((one === undefined) === (other === undefined)) return [];
  const hasPercent = (fact: Fact) => fact.type === 'quantity' && fact.unit?.dimension === '%';
  const isPut = matches.some((match) => hasPercent(match.source) !== hasPercent(match.target));
  return isPut ? [] : [{ kind: 'percentage', source: one ?? null, target: other ?? null }];
}
