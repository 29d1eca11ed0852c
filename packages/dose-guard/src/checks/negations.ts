import type { Language } from '../findings.ts';
import type { Fact, Span } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { NEGATIONS } from '../words/negation-words.ts';

/** The negations of a sentence: those that are clear, and how many words there are that may stand for one. */
export interface Negations {
  strong: Span[];
  /** How many of the strong ones stand close to a number, so that a comparator may say them: "not more than 5". */
  near: number;
  weak: number;
  /** Comparators that may stand for a negation: "at most 5". */
  hidden: number;
}

/** So many tokens behind a negation, another word repeats it: "no se debe tomar nunca". */
const REPEATED_WITHIN = 6;

/** "not more than" is a comparator as a whole. */
const COMPARED =
  /^(?:more|less|fewer|over|above|below|later|longer|higher|greater|lower|mehr|weniger|über|unter|länger|kürzer|höher|niedriger|später|älter|jünger|größer|kleiner|más|menos|superior|superiores|mayor|inferior|menor|plus|moins)$/;

const ALMOST = /^(?:apenas|casi|presque|fast|almost|nearly|beinahe)$/;

/** Returns the negations among tokens; `facts` are those of the same sentence. */
export function readNegations(
  tokens: readonly Token[],
  facts: readonly Fact[],
  language: Language,
): Negations {
  const { strong, doubling, weak } = NEGATIONS[language];
  const found: Span[] = [];
  let weakCount = 0;
  let near = 0;
  let hidden = 0;
  let lastAt = Number.NEGATIVE_INFINITY;
  tokens.forEach((token, at) => {
    if (token.kind !== 'word') return;
    const isContracted = language === 'en' && token.lower === 't' && /n$/.test(tokens[at - 1]?.lower ?? '');
    // "apenas nadie", "presque personne" and "kaum jemand" are one.
    if (ALMOST.test(tokens[at - 1]?.lower ?? '') && strong.has(token.lower)) {
      lastAt = at;
      return;
    }
    if (strong.has(token.lower) || isContracted || (language === 'fr' && isNoMore(tokens, at))) {
      const isRepeated = doubling.has(token.lower) && at - lastAt <= REPEATED_WITHIN;
      if (!isRepeated && !isName(tokens, at) && !isComparator(tokens, at, facts)) {
        found.push(token);
        if (isNear(tokens, at, facts)) near += 1;
      }
      lastAt = at;
    } else if (weak.test(token.lower) || isContraindicated(tokens, at)) weakCount += 1;
  });
  for (const fact of facts) {
    const first = fact.type === 'range' ? fact.ends[0] : fact;
    if (first.type !== 'quantity') continue;
    const { comparators } = first;
    const isHidden =
      comparators.includes('le') || (comparators.includes('ge') && !comparators.includes('none'));
    if (isHidden && !comparators.includes('gt') && !comparators.includes('lt')) hidden += 1;
  }
  return { strong: found, near, weak: weakCount, hidden };
}

const NEAR_BEFORE = 12;
const NEAR_BEHIND = 6;

/** Returns whether a number stands a few words before or behind a negation. */
function isNear(tokens: readonly Token[], at: number, facts: readonly Fact[]): boolean {
  const from = tokens[Math.max(0, at - NEAR_BEHIND)]?.start ?? 0;
  const to = tokens[Math.min(at + NEAR_BEFORE, tokens.length - 1)]?.end ?? 0;
  return facts.some(({ start, end }) => end > from && start < to);
}

/** Returns whether a negation belongs to a comparator, with a number close behind: "not more than 5". */
function isComparator(tokens: readonly Token[], at: number, facts: readonly Fact[]): boolean {
  // "noch keine 12 Stunden" is less than 12 hours.
  const behind = tokens[at + 1]?.start ?? -1;
  if (tokens[at - 1]?.lower === 'noch' && facts.some(({ start }) => start === behind)) return true;
  if (/^n(?:iemand|obody)$/.test(tokens[at]?.lower ?? '') || !COMPARED.test(tokens[at + 1]?.lower ?? ''))
    return false;
  const [from, to] = [tokens[at]?.end ?? 0, tokens[Math.min(at + 5, tokens.length - 1)]?.end ?? 0];
  return facts.some(({ start }) => start >= from && start < to);
}

/** French "ne … plus" is "no longer", and "personne … ne" is "nobody". */
function isNoMore(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.lower === 'personne')
    return tokens.slice(at, at + 8).some(({ lower }) => lower === 'ne' || lower === 'n');
  if (tokens[at]?.lower !== 'plus') return false;
  const before = tokens.slice(Math.max(0, at - 4), at).map(({ lower }) => lower);
  return (
    before.some((word) => word === 'ne' || word === 'n') &&
    !before.includes('pas') &&
    !before.includes('guère')
  );
}

/** French writes "contre-indiqué" in two. */
function isContraindicated(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'contre' && /^indi/.test(tokens[at + 2]?.lower ?? '');
}

/** "No. 5" and "N.º" are numbers, "pas à pas" is step by step. */
function isName(tokens: readonly Token[], at: number): boolean {
  const [token, next, after] = [tokens[at], tokens[at + 1], tokens[at + 2]];
  if (token?.lower === 'no' && next?.text === '.' && after?.kind === 'number') return true;
  return token?.lower === 'pas' && next?.lower === 'à' && after?.lower === 'pas';
}

/** Returns the negation that one side has and the other lacks, or undefined. */
export function compareNegations(
  one: Negations,
  other: Negations,
): { source: Span | null; target: Span | null } | undefined {
  const lost = one.strong.length - other.strong.length;
  const [more, fewer] = lost > 0 ? [one, other] : [other, one];
  const credit =
    Math.max(0, fewer.weak - more.weak) + Math.min(Math.max(0, fewer.hidden - more.hidden), more.near);
  if (Math.abs(lost) <= credit) return undefined;
  return lost > 0
    ? { source: one.strong.at(-1) ?? null, target: null }
    : { source: null, target: other.strong.at(-1) ?? null };
}
