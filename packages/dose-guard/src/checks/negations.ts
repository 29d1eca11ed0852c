import type { Difference, Language, Span } from '../findings.ts';
import { type Fact, quantityOf } from '../reading/facts.ts';
import type { Token } from '../reading/tokens.ts';
import { NEGATIONS } from '../words/negation-words.ts';

/** The negations of a sentence: those that are clear, and how many words there are that may stand for one. */
interface Negations {
  strong: Span[];
  /** Tells how many of the strong ones stand close to a number, so that a comparator may say them: "not more than 5". */
  near: number;
  weak: number;
  /** Comparators that may stand for a negation: "at most 5". */
  hidden: number;
}

/** So many tokens behind a negation, another word repeats it: "no se debe tomar nunca". */
const REPEATED_WITHIN = 6;
/** Spanish repeats it further behind, within a clause: "no debe aumentarse más de 8 mmol/l en ningún período". */
const REPEATED_IN_CLAUSE = 14;

/** "not more than" is a comparator as a whole. */
const COMPARED =
  /^(?:more|less|fewer|over|above|below|later|longer|higher|greater|lower|mehr|weniger|über|unter|länger|kürzer|höher|niedriger|später|älter|jünger|größer|kleiner|más|menos|superior|superiores|mayor|inferior|menor|plus|moins|inférieure?s?|supérieure?s?)$/;

const ALMOST = /^(?:apenas|casi|presque|fast|almost|nearly|beinahe)$/;

/** "almost nobody", "nothing but" and "no bebe más que" deny less than they seem to. */
function isAlmost(tokens: readonly Token[], at: number): boolean {
  const word = (index: number) => tokens[index]?.lower ?? '';
  if (ALMOST.test(word(at - 1)) || (word(at) === 'nada' && ALMOST.test(word(at - 2)))) return true;
  if (/^(?:nothing|none|no)$/.test(word(at)) && /^(?:but|except|other)$/.test(word(at + 1))) return true;
  const behind = tokens.slice(at + 1, at + 6).map(({ lower }) => lower);
  return word(at) === 'no' && (behind.includes('sino') || /\bmás que\b/.test(behind.join(' ')));
}

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
    if (isAlmost(tokens, at) && (strong.has(token.lower) || /^(?:nada|personne)$/.test(token.lower))) {
      lastAt = at;
      weakCount += 1;
      return;
    }
    const isNone = token.lower === 'nada' && at - lastAt > REPEATED_WITHIN;
    const isFrench = language === 'fr' && isNoMore(tokens, at);
    if (strong.has(token.lower) || isContracted || isNone || isFrench || isExcept(tokens, at)) {
      const isRepeated = doubling.has(token.lower) && repeats(tokens, lastAt, at, language);
      if (!isRepeated && !isIdiom(tokens, at) && !isComparator(tokens, at, facts)) {
        found.push(token);
        if (isNear(tokens, at, facts)) near += 1;
      } else if (!isRepeated) weakCount += 1;
      lastAt = at;
    } else if (/^(?:ne|n)$/.test(token.lower)) {
      // "ne … que" is only.
      if (partnersOf(tokens, at).every((word) => /^qu/.test(word))) weakCount += 1;
    } else if (weak.test(token.lower) || isContraindicated(tokens, at) || isGone(tokens, at, language)) {
      // "not … until" is one: erst.
      if (found.length === 0 || !/^(?:until|hasta)$/.test(token.lower)) weakCount += 1;
    }
  });
  for (const fact of facts) {
    const { comparators = [] } = quantityOf(fact) ?? {};
    const isHidden =
      comparators.includes('le') || (comparators.includes('ge') && !comparators.includes('none'));
    if (isHidden && !comparators.includes('gt') && !comparators.includes('lt')) hidden += 1;
  }
  return { strong: found, near, weak: weakCount, hidden };
}

/** Returns whether a word repeats the negation before it, and does not deny another clause: "no fuma y nunca ha fumado". */
function repeats(tokens: readonly Token[], negation: number, at: number, language: Language): boolean {
  const between = tokens.slice(Math.max(0, negation + 1), at).map(({ lower }) => lower);
  const opensClause = between.at(-1) === 'y' || between.some((word) => /^(?:ne|n)$/.test(word));
  if (opensClause && between.length > 1) return false;
  if (at - negation <= REPEATED_WITHIN) return true;
  const isOneClause = !between.some((word) => /^[,;:.()]$|^(?:y|e|o|pero)$/.test(word));
  return language === 'es' && at - negation <= REPEATED_IN_CLAUSE && isOneClause;
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
  // "no longer in use" compares nothing.
  if (tokens[at + 1]?.lower === 'longer' && tokens[at + 2]?.lower !== 'than') return false;
  const isCompared = COMPARED.test(tokens[at + 1]?.lower ?? '') || isComparative(tokens, at + 1);
  if (/^n(?:iemand|obody)$/.test(tokens[at]?.lower ?? '') || !isCompared) return false;
  const [from, to] = [tokens[at]?.end ?? 0, tokens[Math.min(at + 5, tokens.length - 1)]?.end ?? 0];
  return facts.some(({ start }) => start >= from && start < to);
}

/** "earlier than", "häufiger als" */
const isComparative = (tokens: readonly Token[], at: number): boolean =>
  /er$/.test(tokens[at]?.lower ?? '') && /^(?:than|als)$/.test(tokens[at + 1]?.lower ?? '');

const NE_WITH = /^(?:pas|plus|jamais|rien|aucune?|personne|que|qu|ni|guère|nul|nulle)$/;

/** Returns the words close behind "ne" that it denies with. */
const partnersOf = (tokens: readonly Token[], at: number): string[] =>
  tokens
    .slice(at, at + 8)
    .map(({ lower }) => lower)
    .filter((word) => NE_WITH.test(word));

/** French "ne … plus" is "no longer", and "personne … ne" is "nobody". */
function isNoMore(tokens: readonly Token[], at: number): boolean {
  if (tokens[at]?.lower === 'personne')
    return tokens.slice(at, at + 8).some(({ lower }) => lower === 'ne' || lower === 'n');
  // "ne peut être estimé" does without "pas", and so does "ne … ni … ni".
  if (/^(?:ne|n)$/.test(tokens[at]?.lower ?? '')) {
    const partners = partnersOf(tokens, at);
    return partners.length > 0
      ? partners.every((word) => word === 'ni')
      : /^(?:peu[tx]|peuvent|pourrait|pouvait|saurai[ts]|cesse|ose)$/.test(tokens[at + 1]?.lower ?? '');
  }
  if (tokens[at]?.lower !== 'plus' || tokens[at - 1]?.lower === 'de') return false;
  const before = tokens.slice(Math.max(0, at - 4), at).map(({ lower }) => lower);
  return (
    before.some((word) => word === 'ne' || word === 'n') &&
    !before.includes('pas') &&
    !before.includes('jamais') &&
    !before.includes('guère')
  );
}

const EXCEPT = /^(?:unless|except|excepting|salvo|excepto|sauf|excepté|hormis|außer|ausgenommen)$/;

/** "unless" and "sofern nicht" say the same. */
const isExcept = (tokens: readonly Token[], at: number): boolean =>
  EXCEPT.test(tokens[at]?.lower ?? '') ||
  /^(?:a menos que|à moins qu?e?|es sei denn)$/.test(
    [-1, 0, 1].map((step) => tokens[at + step]?.lower).join(' '),
  );

/** "; plus d'ascite" may be none any more. */
const isGone = (tokens: readonly Token[], at: number, language: Language): boolean =>
  language === 'fr' &&
  tokens[at]?.lower === 'plus' &&
  (at === 0 || /^[;,.:(]$/.test(tokens[at - 1]?.text ?? '')) &&
  /^(?:de|d|aucune?)$/.test(tokens[at + 1]?.lower ?? '');

/** French writes "contre-indiqué" in two. */
function isContraindicated(tokens: readonly Token[], at: number): boolean {
  return tokens[at]?.lower === 'contre' && /^indi/.test(tokens[at + 2]?.lower ?? '');
}

const IDIOMS =
  /^(?:obstante|only|sol[oa]|sólo|solamente|únicamente|seulement|uniquement|nur|bloß|allein|zuletzt)$/;

/** "no obstante" is however, and "not only" denies nothing. */
const isIdiom = (tokens: readonly Token[], at: number): boolean => IDIOMS.test(tokens[at + 1]?.lower ?? '');

/** Returns the negation that one side has and the other lacks. */
export function compareNegations(one: Negations, other: Negations): Difference[] {
  const lost = one.strong.length - other.strong.length;
  const [more, fewer] = lost > 0 ? [one, other] : [other, one];
  const credit =
    Math.max(0, fewer.weak - more.weak) + Math.min(Math.max(0, fewer.hidden - more.hidden), more.near);
  if (Math.abs(lost) <= credit) return [];
  const found = more.strong.at(-1) ?? null;
  const places = lost > 0 ? { source: found, target: null } : { source: null, target: found };
  return [{ kind: 'negation', ...places }];
}
