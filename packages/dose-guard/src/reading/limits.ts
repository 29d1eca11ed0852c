import type { Language } from '../findings.ts';
import type { Comparator } from '../words/grammar-words.ts';
import { NEGATIONS } from '../words/negation-words.ts';
import { setOf } from '../words/table.ts';
import { type Fact, type Quantity, withComparators } from './facts.ts';
import type { Token } from './tokens.ts';
import { isTime } from './units.ts';

const NEGATED: Readonly<Partial<Record<Comparator, Comparator>>> = { gt: 'le', lt: 'ge' };
const NEGATION_BACK = 12;
const NEGATION_AHEAD = 4;
const STOPS = setOf('. ; : ! ?');

/** Lets quantities also say what a negation makes of their comparator: "do not take more than 5 mg" may be "at most 5 mg". */
export function applyLimits(facts: readonly Fact[], tokens: readonly Token[], language: Language): Fact[] {
  let at = 0;
  return facts.map((fact) => {
    if (fact.type !== 'quantity' && !('ends' in fact)) return fact;
    const first = 'ends' in fact ? fact.ends[0] : fact;
    if (first.strength !== 'strong') return fact;
    while (at < tokens.length && (tokens[at]?.start ?? 0) < fact.start) at += 1;
    const comparators = withNegated(first, tokens, at, fact.end, language);
    return comparators === first.comparators ? fact : withComparators(fact, comparators);
  });
}

function withNegated(
  { comparators, unit }: Quantity,
  tokens: readonly Token[],
  at: number,
  end: number,
  language: Language,
): Quantity['comparators'] {
  const negated = comparators.flatMap((one) => (one === 'none' ? [] : (NEGATED[one] ?? [])));
  // "unter 6 Jahren nicht anwenden" denies what is done, and not the age.
  const isDenied =
    negated.length > 0 && isNegated(tokens, at, end, isTime(unit) ? undefined : language, language);
  return isDenied ? [...new Set([...comparators, ...negated])] : comparators;
}

function isNegated(
  tokens: readonly Token[],
  at: number,
  end: number,
  behind: Language | undefined,
  language: Language,
): boolean {
  const { strong } = NEGATIONS[language];
  const isNegation = (index: number) => {
    const lower = tokens[index]?.lower ?? '';
    return (
      strong.has(lower) || (language === 'en' && lower === 't') || /^(?:without|ohne|sin|sans)$/.test(lower)
    );
  };
  for (let index = at - 1; index >= Math.max(0, at - NEGATION_BACK); index -= 1) {
    if (STOPS.has(tokens[index]?.text ?? '')) break;
    if (isNegation(index)) return true;
  }
  // Only German denies behind the number: "mehr als 5 mg nicht einnehmen".
  if (behind !== 'de') return false;
  for (let index = at, ahead = 0; index < tokens.length && ahead <= NEGATION_AHEAD; index += 1) {
    if (tokens[index]?.lower === 'und' || tokens[index]?.lower === 'oder') break;
    if (STOPS.has(tokens[index]?.text ?? '')) break;
    if (isNegation(index)) return true;
    if ((tokens[index]?.start ?? 0) >= end) ahead += 1;
  }
  return false;
}
