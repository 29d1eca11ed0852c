import type { Language } from '../findings.ts';
import { type Comparator, type ComparatorWord, LIMIT_WORDS } from '../words/grammar-words.ts';
import { Lexicon } from '../words/lexicon.ts';
import { NEGATIONS } from '../words/negation-words.ts';
import { type Fact, indexFrom, type Quantity } from './facts.ts';
import type { Token } from './tokens.ts';
import { isTime } from './units.ts';

const LIMITS = {
  en: new Lexicon<ComparatorWord>(LIMIT_WORDS.en),
  es: new Lexicon<ComparatorWord>(LIMIT_WORDS.es),
  fr: new Lexicon<ComparatorWord>(LIMIT_WORDS.fr),
  de: new Lexicon<ComparatorWord>(LIMIT_WORDS.de),
};

const NEGATED: Readonly<Partial<Record<Comparator, Comparator>>> = { gt: 'le', lt: 'ge' };
const LIMIT_BACK = 6;
const LIMIT_AHEAD = 5;
const NEGATION_BACK = 12;
const NEGATION_AHEAD = 4;
const STOPS = new Set(['.', ';', ':', '!', '?']);

/**
 * Lets quantities also say what limits in their neighbourhood do: "The maximum dose is 40 mg" may be "höchstens 40 mg",
 * and "do not take more than 5 mg" may be "at most 5 mg".
 */
export function applyLimits(facts: readonly Fact[], tokens: readonly Token[], language: Language): Fact[] {
  let at = 0;
  return facts.map((fact, index) => {
    const first = fact.type === 'range' ? fact.ends[0] : fact.type === 'pair' ? fact.parts[0] : fact;
    if (first.type !== 'quantity' || first.strength !== 'strong') return fact;
    while (at < tokens.length && (tokens[at]?.start ?? 0) < fact.start) at += 1;
    const bounds = {
      from: neighbour(facts, index, -1)?.end ?? 0,
      to: neighbour(facts, index, 1)?.start ?? Number.POSITIVE_INFINITY,
    };
    const next = neighbour(facts, index, 1);
    // "three days, or exceeds 39 °C": what compares the next number is not said of this one.
    const ahead = isFirm(next) ? { ...bounds, to: startOfComparator(tokens, bounds.to) } : bounds;
    const comparators = optionsNear(first, tokens, at, fact.end, ahead, language);
    if (comparators === first.comparators) return fact;
    const changed = { ...first, comparators };
    if (fact.type === 'pair') return { ...fact, parts: [changed, fact.parts[1]] as const };
    return fact.type === 'range' ? { ...fact, ends: [changed, fact.ends[1]] as const } : changed;
  });
}

const isFirm = (fact: Fact | undefined): boolean => {
  const first = fact?.type === 'range' ? fact.ends[0] : fact;
  return first?.type === 'quantity' && !first.comparators.includes('none');
};

const COMPARATOR_WORDS = 3;

/** Returns the offset of the words before a number that its comparator may have. */
function startOfComparator(tokens: readonly Token[], start: number): number {
  const at = indexFrom(tokens, start);
  return tokens[Math.max(0, at - COMPARATOR_WORDS)]?.start ?? start;
}

/** Returns the fact before or behind another one. A frequency belongs to its quantity: "40 mg par jour au maximum". */
function neighbour(facts: readonly Fact[], index: number, step: 1 | -1): Fact | undefined {
  const next = facts[index + step];
  return next?.type === 'frequency' ? facts[index + 2 * step] : next;
}

function optionsNear(
  { comparators, unit }: Quantity,
  tokens: readonly Token[],
  at: number,
  end: number,
  { from, to }: { from: number; to: number },
  language: Language,
): Quantity['comparators'] {
  const options = new Set(comparators);
  if (options.has('none')) {
    const isInside = (token: Token | undefined) =>
      token !== undefined && token.start >= from && token.end <= to;
    for (let index = at - 1; index >= at - LIMIT_BACK && isInside(tokens[index]); index -= 1) {
      if (STOPS.has(tokens[index]?.text ?? '')) break;
      addLimit(options, tokens, index, language);
    }
    for (let index = at, ahead = 0; ahead < LIMIT_AHEAD && isInside(tokens[index]); index += 1) {
      if ((tokens[index]?.start ?? 0) < end) continue;
      if (STOPS.has(tokens[index]?.text ?? '')) break;
      ahead += 1;
      addLimit(options, tokens, index, language);
    }
  }
  for (const comparator of [...options]) {
    const negated = comparator === 'none' ? undefined : NEGATED[comparator];
    // "unter 6 Jahren nicht anwenden" denies what is done, and not the age.
    if (negated && isNegated(tokens, at, end, isTime(unit) ? undefined : language, language))
      options.add(negated);
  }
  return options.size === comparators.length ? comparators : [...options];
}

function addLimit(
  options: Set<Comparator | 'none'>,
  tokens: readonly Token[],
  at: number,
  language: Language,
): void {
  const limit = LIMITS[language].find(tokens, at);
  if (limit) options.add(limit.meaning.comparator);
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
