import type { Language } from '../findings.ts';
import { AND, BETWEEN, LABELS, OR } from '../words/grammar-words.ts';
import { Lexicon } from '../words/lexicon.ts';
import { UNIT_WORDS, type Unit } from '../words/units.ts';
import { type ComparatorsBefore, comparatorAfter, comparatorBefore, optionsOf } from './comparators.ts';
import { readJoiner, readWholeNumeral } from './counts.ts';
import type { Fact, Pair, Quantity, Range } from './facts.ts';
import { readRomanNumeral } from './names.ts';
import { type Numeral, readAndAHalf } from './numerals.ts';
import type { Token } from './tokens.ts';
import { isTime, readUnit } from './units.ts';

const MINUS_WORDS: Readonly<Record<Language, string>> = {
  en: 'minus',
  es: 'menos',
  fr: 'moins',
  de: 'minus',
};
const BELOW_ZERO = new Lexicon<true>([
  [
    'below zero|bajo cero|unter null|unter dem gefrierpunkt|en dessous de zéro|au dessous de zéro|sous zéro|below freezing|por debajo de cero',
    true,
  ],
]);

/** A quantity while it is read: without its comparator. */
interface Amount extends Quantity {
  next: number;
}

interface Found<Read> {
  fact: Read;
  next: number;
}

/** Returns the index of the first token of a negative or positive sign in front of a number. */
function signBefore(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { sign: 1 | -1; start: number } | undefined {
  const sign = tokens[at - 1];
  const number = tokens[at];
  if (!sign || !number) return undefined;
  const before = tokens[at - 2];
  const isFree = sign.spaced || before === undefined || /^[([{<>≤≥=≈~:/,;]$|^[<>]=$/.test(before.text);
  if (/^[-−–]$/.test(sign.text) && !number.spaced && isFree) return { sign: -1, start: at - 1 };
  if (sign.text === '+' && !number.spaced && isFree) return { sign: 1, start: at - 1 };
  if (sign.lower === MINUS_WORDS[language] && !/^(?:lo|al|ou|du|o|au|le|cuando)$/.test(before?.lower ?? '')) {
    return { sign: -1, start: at - 1 };
  }
  return undefined;
}

/** Reads the one that Spanish leaves out in "litro y medio". */
function readUncounted(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  if (language !== 'es' || tokens[at]?.kind !== 'word') return undefined;
  const unit = UNIT_WORDS.es.has(tokens[at].lower) ? readUnit(tokens, at, language) : undefined;
  const isHalf = unit && readAndAHalf(tokens, unit.next, language) !== undefined;
  return isHalf ? { value: 1, next: at, strength: 'strong', inWords: true, misread: false } : undefined;
}

/** Reads a number with its unit, without what stands before it. */
function readAmount(tokens: readonly Token[], at: number, language: Language): Amount | undefined {
  const numeral =
    readWholeNumeral(tokens, at, language) ??
    readRomanNumeral(tokens, at, language) ??
    readUncounted(tokens, at, language);
  if (!numeral) return undefined;
  const signed = signBefore(tokens, at, language);
  const { unit, next } = readUnitBehind(tokens, numeral.next, language, numeral.inWords && numeral.value < 1);
  const half = readAndAHalf(tokens, next, language);
  const zero = BELOW_ZERO.find(tokens, half ?? next);
  const isNegative = signed?.sign === -1 || zero !== undefined;
  const end = zero?.next ?? half ?? next;
  const value = (numeral.value + (half === undefined ? 0 : 0.5)) * (isNegative ? -1 : 1);
  const isWord = numeral.inWords && isTime(unit) && (numeral.value === 15 || numeral.value === 8);
  const isFortnight = (language === 'fr' || language === 'es') && isWord && unit?.code === 'd';
  return {
    type: 'quantity',
    value,
    ...(numeral.inWords ? { spelled: true } : {}),
    ...(isFortnight ? { others: [value - 1] } : {}),
    unit: tokens[next - 1]?.lower === 'fortnight' && unit ? { ...unit, factor: unit.factor * 2 } : unit,
    comparators: ['none'],
    strength: half === undefined ? numeral.strength : 'strong',
    ...(numeral.misread && !isReference(tokens, at, language) ? { misread: true } : {}),
    ...(isNegative ? { negative: true } : {}),
    start: tokens[signed?.start ?? at]?.start ?? 0,
    end: tokens[end - 1]?.end ?? 0,
    next: end,
  };
}

const BEFORE_TIMES =
  /^(?:premi[eè]re?s?|derni[eè]re?s?|prochaine?s?|primer[oa]s|últim[oa]s|próxim[oa]s|siguientes|first|last|next|more|consecutive|aufeinanderfolgenden?|consecutiv[oa]s|consécuti(?:fs|ves)|weiteren?|más|calendar|full|ganzen?|letzten|ersten|nächsten|naturales|hábiles|complet[oa]s|lange|volle)$/;

/** Reads the unit behind a number. A part such as a quarter may have "of an" in between. */
function readUnitBehind(
  tokens: readonly Token[],
  at: number,
  language: Language,
  isPart: boolean,
): { unit: Unit | null; next: number } {
  const token = tokens[at];
  const isHyphen = token?.text === '-' && !token.spaced && tokens[at + 1] && !tokens[at + 1]?.spaced;
  const behind = isHyphen ? at + 1 : at;
  const article = tokens[behind];
  const isDecade =
    article?.lower === 's' && !article.spaced && /^(?:1[89]|20)\d0$/.test(tokens[at - 1]?.text ?? '');
  if (isDecade) return { unit: null, next: behind + 1 };
  const found = readUnit(tokens, behind, language);
  if (found) return found;
  // "les 12 premières semaines", "a quarter of an hour"
  const isBefore = BEFORE_TIMES.test(tokens[at]?.lower ?? '');
  let far = at;
  while (far < at + 2 && /^(?:of|an?|de|d|l)$/.test(tokens[far]?.lower ?? '')) far += 1;
  const time = isBefore
    ? readUnit(tokens, at + 1, language)
    : isPart && far > at
      ? readUnit(tokens, far, language)
      : undefined;
  return time && isTime(time.unit) ? time : { unit: null, next: at };
}

/** Numbers of sections and p values are written with a point in every language. */
function isReference(tokens: readonly Token[], at: number, language: Language): boolean {
  const before = tokens[at - 1]?.lower ?? '';
  return (
    LABELS[language].has(before) || (/^[<>=≤≥]$/.test(before) && /^p$/.test(tokens[at - 2]?.lower ?? ''))
  );
}

/** Reads a quantity, a range or a pair of numbers, with the comparator before or behind it. */
export function readQuantity(
  tokens: readonly Token[],
  at: number,
  language: Language,
  comparators: ComparatorsBefore,
): Found<Quantity | Range | Pair> | undefined {
  const first = readAmount(tokens, at, language);
  if (!first) return undefined;
  const start = signBefore(tokens, at, language)?.start ?? at;
  const pair = readPair(tokens, at, first, language);
  if (pair) {
    const limit =
      comparatorBefore(tokens, start, language, comparators, first) ??
      comparatorAfter(tokens, pair.next, language)?.word;
    return limit ? { fact: withLimit(pair.fact, optionsOf(limit)), next: pair.next } : pair;
  }
  const range = readRange(tokens, start, first, language);
  const next = range?.next ?? first.next;
  const before = comparatorBefore(tokens, start, language, comparators, first);
  const after = comparatorAfter(tokens, next, language);
  const word = before ?? after?.word;
  const options = word ? optionsOf(word) : (['none'] as const);
  if (range) {
    const [low, high] = range.fact.ends;
    return {
      fact: { ...range.fact, ends: [withComparators(low, options), high] },
      next: after ? after.next : next,
    };
  }
  const { next: _, ...quantity } = first;
  const end = after && !before ? (tokens[after.next - 1]?.end ?? quantity.end) : quantity.end;
  return { fact: { ...withComparators(quantity, options), end }, next: after ? after.next : next };
}

const withComparators = (quantity: Quantity, comparators: Quantity['comparators']): Quantity => ({
  ...quantity,
  comparators,
});

function withLimit(fact: Quantity | Pair, options: Quantity['comparators']): Quantity | Pair {
  if (fact.type === 'quantity') return withComparators(fact, options);
  return { ...fact, parts: [withComparators(fact.parts[0], options), fact.parts[1]] };
}

/** Returns whether a number is where something comes from: "from 10 to 5 mg", but not "10 à cinq minutes". */
function isFrom(tokens: readonly Token[], start: number): boolean {
  return [1, 2].some((back) => /^(?:from|de|del|des|du|von|desde)$/.test(tokens[start - back]?.lower ?? ''));
}

function readRange(
  tokens: readonly Token[],
  start: number,
  first: Amount,
  language: Language,
): Found<Range> | undefined {
  const isBetween = [1, 2].some((back) => BETWEEN[language].has(tokens[start - back]?.lower ?? ''));
  const isAnd = isBetween && AND[language].has(tokens[first.next]?.lower ?? '');
  const joined = isAnd ? { joiner: 'range', next: first.next + 1 } : readJoiner(tokens, first.next, language);
  if (joined?.joiner !== 'range') return undefined;
  const isWord = tokens[joined.next - 1]?.kind === 'word';
  let secondAt = joined.next;
  // "5 bis maximal 10", "de 5 a los 10", "von 5 bis zu 10", "-5 to -2"
  while (
    secondAt < joined.next + 2 &&
    /^(?:los|las|les|the|zu|maximal|[-−–])$/.test(tokens[secondAt]?.lower ?? '')
  )
    secondAt += 1;
  const second = readAmount(tokens, secondAt, language);
  if (second?.strength !== 'strong' || first.strength === 'ordinal') return undefined;
  if (first.unit && second.unit && first.unit.dimension !== second.unit.dimension) return undefined;
  if (first.unit && !second.unit && isWord) return undefined;
  if (
    /^(?:à|au|a|al|to)$/.test(tokens[joined.next - 1]?.lower ?? '') &&
    first.value > second.value &&
    !isFrom(tokens, start)
  ) {
    return undefined;
  }
  if (first.strength === 'weak' && (first.value !== 1 || /^an?$/.test(tokens[start]?.lower ?? '')))
    return undefined;
  const unit = second.unit ?? first.unit;
  const { next, ...high } = second;
  const { next: _, ...low } = first;
  return {
    fact: {
      type: 'range',
      start: first.start,
      end: second.end,
      ends: [
        { ...low, unit: first.unit ?? unit, strength: 'strong' },
        { ...high, unit },
      ],
    },
    next,
  };
}

/** Reads 1:1000, 120/80 mmHg and 1/2. */
function readPair(
  tokens: readonly Token[],
  at: number,
  first: Amount,
  language: Language,
): Found<Quantity | Pair> | undefined {
  const sign = tokens[first.next];
  const second = tokens[first.next + 1];
  if (first.unit || tokens[at]?.kind !== 'number' || second?.kind !== 'number') return undefined;
  if (sign?.text !== '/' && sign?.text !== ':') return undefined;
  if (sign.spaced !== second.spaced) return undefined;
  const other = readAmount(tokens, first.next + 1, language);
  if (!other) return undefined;
  const { next, ...high } = other;
  const { next: _, ...low } = first;
  const span = { start: first.start, end: other.end };
  const isFraction =
    sign.text === '/' &&
    low.value < high.value &&
    low.value <= 5 &&
    [2, 3, 4, 5, 6, 8].includes(high.value) &&
    !sign.spaced;
  if (isFraction && other.unit?.dimension !== 'pressure') {
    return { fact: { ...high, ...span, value: low.value / high.value }, next };
  }
  return {
    fact: { type: 'pair', sign: sign.text, ...span, parts: [{ ...low, unit: high.unit }, high] },
    next,
  };
}

/** Lets "5 or 10 mg" and "5, 10 und 20 mg" share their unit. */
export function shareUnits(
  facts: Fact[],
  tokensBetween: (from: number, to: number) => string[],
  language: Language,
): Fact[] {
  const shared = [...facts];
  for (let index = shared.length - 2; index >= 0; index -= 1) {
    const [one, other] = [shared[index], shared[index + 1]];
    if (one?.type !== 'quantity' || one.unit || !other || one.strength !== 'strong') continue;
    const unit = other.type === 'quantity' ? other.unit : other.type === 'range' ? other.ends[0].unit : null;
    if (!unit) continue;
    const between = tokensBetween(one.end, other.start);
    const isJoined =
      between.length > 0 &&
      between.length <= 3 &&
      between.every(
        (word) => /^[,/;&]$|^(?:bzw|\.)$/.test(word) || AND[language].has(word) || OR[language].has(word),
      );
    if (isJoined) shared[index] = { ...one, unit, sharedUnit: true };
  }
  return shared;
}
