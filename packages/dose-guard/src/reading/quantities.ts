import type { Language } from '../findings.ts';
import { DAY_HALVES } from '../words/calendar-words.ts';
import { AND, LABELS, OR } from '../words/grammar-words.ts';
import { Lexicon } from '../words/lexicon.ts';
import { NUMBER_WORDS } from '../words/number-words.ts';
import { wordsIn } from '../words/table.ts';
import { UNIT_WORDS, type Unit, unitByCode } from '../words/units.ts';
import { type ComparatorsBefore, comparatorAfter, comparatorBefore, optionsOf } from './comparators.ts';
import { isDash, readJoiner, readWholeNumeral } from './counts.ts';
import { type Found, type Pair, type Quantity, type Range, withComparators } from './facts.ts';
import { readRomanNumeral } from './names.ts';
import { type Numeral, readAndAHalf } from './numerals.ts';
import { spanOf, type Token } from './tokens.ts';
import { DAY, HOUR, isTime, readUnit, YEAR } from './units.ts';

const MINUS_WORDS: Readonly<Record<Language, string>> = {
  en: 'minus',
  es: 'menos',
  fr: 'moins',
  de: 'minus',
};
const POUND = unitByCode('[lb_av]');
const BELOW_ZERO = new Lexicon(
  wordsIn(
    'below_zero bajo_cero unter_null unter_dem_gefrierpunkt en_dessous_de_zéro au_dessous_de_zéro sous_zéro below_freezing por_debajo_de_cero',
  ).map((phrase) => [phrase, true] as const),
);

/** A quantity while it is read: without its comparator. */
interface Amount extends Quantity {
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

/** French says that a number is round: une trentaine. Spanish has centenares, English and German dozens. */
const isRound = (token: Token | undefined, language: Language): boolean =>
  language === 'fr' &&
  /^(?:dou|d[ií]|quin|ving|tren|quaran|cinquan|soixan|cen)[zt]?aines?$/.test(token?.lower ?? '');

/** Reads a number with its unit, without what stands before it. */
function readAmount(tokens: readonly Token[], at: number, language: Language): Amount | undefined {
  const numeral =
    readWholeNumeral(tokens, at, language) ??
    readRomanNumeral(tokens, at, language) ??
    readUncounted(tokens, at, language);
  if (!numeral) return undefined;
  const decade = readDecade(tokens, at, numeral, language);
  if (decade) return decade;
  const signed = signBefore(tokens, at, language);
  const behind = numeral.next + (isGermanOrdinal(tokens, numeral.next, language) ? 1 : 0);
  const read = readUnitBehind(tokens, behind, language, numeral.inWords && numeral.value < 1);
  const label = read.unit === null && !numeral.inWords ? labelUnit(tokens, at, language) : undefined;
  const { unit, next } = label ? { unit: label, next: read.next } : read;
  const isWhole = numeral.strength !== 'ordinal' && numeral.value >= 1;
  // "a pack and a half" has a noun in between.
  const isNoun = isWhole && numeral.inWords && numeral.value === 1 && !unit && tokens[next]?.kind === 'word';
  const half = isWhole
    ? (readAndAHalf(tokens, next, language) ??
      (isNoun ? readAndAHalf(tokens, next + 1, language) : undefined))
    : undefined;
  const zero = BELOW_ZERO.find(tokens, half ?? next);
  const isNegative = signed?.sign === -1 || zero !== undefined;
  const end = zero?.next ?? half ?? next;
  const value = (numeral.value + (half === undefined ? 0 : 0.5)) * (isNegative ? -1 : 1);
  const isWord = numeral.inWords && isTime(unit) && (numeral.value === 15 || numeral.value === 8);
  const isFortnight =
    language !== 'en' && isWord && unit?.code === 'd' && (language !== 'de' || numeral.value === 8);
  return {
    type: 'quantity',
    value,
    ...(numeral.inWords ? { spelled: true } : {}),
    ...(isFortnight ? { others: [value - 1] } : {}),
    ...(label || read.isFar ? { sharedUnit: true } : {}),
    unit,
    comparators: isRound(tokens[numeral.next - 1], language) ? ['about', 'none'] : ['none'],
    strength: half === undefined ? numeral.strength : 'strong',
    ...(numeral.misread && !isReference(tokens, at, language) ? { misread: true } : {}),
    ...spanOf(tokens, signed?.start ?? at, end),
    next: end,
  };
}

/** Returns whether the point behind a number makes it an ordinal: "der 9. und 12. Woche". */
function isGermanOrdinal(tokens: readonly Token[], at: number, language: Language): boolean {
  const [number, point, word] = [tokens[at - 1], tokens[at], tokens[at + 1]];
  if (language !== 'de' || point?.text !== '.' || point.spaced || !/^\d{1,2}$/.test(number?.text ?? ''))
    return false;
  if (word?.kind !== 'word') return false;
  const isJoiner = AND.de.has(word.text) || OR.de.has(word.text) || word.text === 'bis';
  return isJoiner || isTime(readUnit(tokens, at + 1, language)?.unit ?? null);
}

/** Returns the time that stands before its number: week 9, las semanas 9. */
function labelUnit(tokens: readonly Token[], at: number, language: Language): Unit | undefined {
  const unit = UNIT_WORDS[language].get(tokens[at - 1]?.lower ?? '');
  const isLabel = unit && isTime(unit) && unit.factor >= DAY.factor && unit.factor < YEAR.factor;
  return isLabel && tokens[at - 2]?.kind !== 'number' && !readWholeNumeral(tokens, at - 2, language)
    ? unit
    : undefined;
}

/** Reads "les années 50", "los años cincuenta", "die 50er-Jahre" and "die achtziger Jahre" as 1950 and 1980. */
function readDecade(
  tokens: readonly Token[],
  at: number,
  { value, next, inWords, strength }: Numeral,
  language: Language,
): Amount | undefined {
  if (strength !== 'strong' || value < 20 || value > 90 || value % 10 !== 0) return undefined;
  const before = tokens[at - 1]?.lower ?? '';
  const isNamed = (language === 'es' && before === 'años') || (language === 'fr' && before === 'années');
  const years = /^(?:er(?: -)? jahren?|jahren?)/.exec(
    tokens
      .slice(next, next + 3)
      .map(({ lower }) => lower)
      .join(' '),
  )?.[0];
  const isGerman =
    language === 'de' && years && (years.startsWith('er') || /ziger$/.test(tokens[at]?.lower ?? ''));
  if (!isNamed && !isGerman) return undefined;
  const end = isGerman ? next + years.split(' ').length : next;
  return {
    type: 'quantity',
    value: 1900 + value,
    ...(inWords && { spelled: true }),
    unit: null,
    comparators: ['none'],
    strength,
    ...spanOf(tokens, at, end),
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
): { unit: Unit | null; next: number; isFar?: true } {
  const token = tokens[at];
  const isHyphen = token?.text === '-' && !token.spaced && tokens[at + 1] && !tokens[at + 1]?.spaced;
  const behind = isHyphen ? at + 1 : at;
  const article = tokens[behind];
  const isDecade =
    article?.lower === 's' && !article.spaced && /^(?:1\d|20)\d0$/.test(tokens[at - 1]?.text ?? '');
  if (isDecade) return { unit: null, next: behind + 1 };
  const found = readUnit(tokens, behind, language);
  if (found) return found;
  // Money in pounds may be written with their sign, which other languages put behind the number.
  const isPound = tokens[at]?.text === '£';
  if (isPound || tokens[at - 2]?.text === '£') return { unit: POUND, next: isPound ? at + 1 : at };
  // "2,4 millones de unidades"
  const isScaled =
    NUMBER_WORDS[language].get(tokens[at - 1]?.lower ?? '')?.kind === 'scale' &&
    /^(?:de|d)$/.test(tokens[at]?.lower ?? '');
  const counted = isScaled ? readUnit(tokens, at + 1, language) : undefined;
  if (counted) return { ...counted, isFar: true };
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

/** Money has no unit here, and may stand between a number and its comparator. */
const CURRENCIES = /^(?:[€$£]|eur|euros?|chf|usd|dollars?|dólares)$/;

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
    return limit ? { fact: withComparators(pair.fact, optionsOf(limit)), next: pair.next } : pair;
  }
  const range = readRange(tokens, start, first, language);
  const end = range?.next ?? first.next;
  const next =
    CURRENCIES.test(tokens[end]?.lower ?? '') && comparatorAfter(tokens, end + 1, language) ? end + 1 : end;
  const measured = range ? { ...first, unit: range.fact.ends[1].unit, next: end } : first;
  // "unter 0800 123" is whom to call.
  const isTelephone = /^0\d+$/.test(tokens[at]?.text ?? '');
  const before = isTelephone ? undefined : comparatorBefore(tokens, start, language, comparators, measured);
  const after = comparatorAfter(tokens, next, language);
  // "hasta los 25 años o más": what may say nothing gives way.
  const isContrary = before && after && !after.word.weak && before.comparator !== after.word.comparator;
  const word = before && !(before.weak && after) && !isContrary ? before : (after?.word ?? before);
  const options = word ? optionsOf(word) : first.comparators;
  if (range) {
    return { fact: withComparators(range.fact, options), next: after ? after.next : next };
  }
  const { next: _, ...quantity } = first;
  const last = after && !before ? (tokens[after.next - 1]?.end ?? quantity.end) : quantity.end;
  // "a year" may be left out, "at least a year" may not.
  const isLeast = options.length === 1 && (options[0] === 'ge' || options[0] === 'le');
  const isFirm =
    ((quantity.unit && !quantity.unit.loose) || (isLeast && !isPlaceholder(tokens, at, next))) &&
    !options.includes('none') &&
    options.some((option) => option !== 'about');
  const strength = isFirm && quantity.strength === 'weak' ? 'strong' : quantity.strength;
  return {
    fact: { ...withComparators(quantity, options), strength, end: last },
    next: after ? after.next : next,
  };
}

/** "up to a total", "hasta un máximo": the article counts nothing. */
const isPlaceholder = (tokens: readonly Token[], at: number, next: number): boolean =>
  /^(?:to|zu|hasta|à|por|über)$/.test(tokens[at - 1]?.lower ?? '') ||
  /^(?:total|max\p{L}*|máx\p{L}*|minim\p{L}*|mínim\p{L}*|insgesamt)$/u.test(tokens[next]?.lower ?? '');

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
  const joined = readJoiner(tokens, start, first.next, language);
  if (joined?.joiner !== 'range') return undefined;
  // "drei bis zu 9 mm große Steine"
  if (tokens[joined.next - 1]?.lower === 'zu' && !isFrom(tokens, start)) return undefined;
  const isWord = tokens[joined.next - 1]?.kind === 'word';
  let secondAt = joined.next;
  // "5 bis maximal 10", "de 5 a los 10", "von 5 bis zu 10", "-5 to -2"
  while (
    secondAt < joined.next + 2 &&
    /^(?:los|las|les|the|zu|maximal|[-−–])$/.test(tokens[secondAt]?.lower ?? '')
  )
    secondAt += 1;
  const second = expandYear(tokens, start, secondAt, readAmount(tokens, secondAt, language));
  if (/^[IVX]/.test(tokens[start]?.text ?? '') && !/^[IVX]/.test(tokens[secondAt]?.text ?? ''))
    return undefined;
  if (second?.strength !== 'strong' || first.strength === 'ordinal') return undefined;
  // "9 al minuto y de 10 a los cinco minutos"
  if (secondAt > joined.next && language === 'es' && first.spelled !== second.spelled) return undefined;
  if (first.unit && second.unit && first.unit.dimension !== second.unit.dimension) return undefined;
  if (first.unit && !second.unit && isWord) return undefined;
  if (first.strength === 'weak' && (first.value !== 1 || /^an?$/.test(tokens[start]?.lower ?? '')))
    return undefined;
  // "10 bis 18 Uhr"
  const isClock = second.unit === null && language === 'de' && tokens[second.next]?.lower === 'uhr';
  const unit = second.unit ?? first.unit ?? (isClock ? HOUR : null);
  const { next: behind, ...read } = second;
  const half =
    unit === null && first.value < second.value && second.value <= 12
      ? DAY_HALVES[language].find(tokens, behind)
      : undefined;
  const next = half?.next ?? behind + (isClock ? 1 : 0);
  const hours = half
    ? { unit: HOUR, shift: half.meaning === 'pm' && second.value < 12 ? 12 : 0 }
    : { unit, shift: 0 };
  const high = { ...read, value: read.value + hours.shift };
  const { next: _, ...low } = first;
  return {
    fact: {
      type: 'range',
      start: first.start,
      end: second.end,
      ends: [
        { ...low, value: low.value + hours.shift, unit: first.unit ?? hours.unit, strength: 'strong' },
        { ...high, unit: hours.unit },
      ],
    },
    next,
  };
}

/** Completes the second year of 1918–19 and 1918/19. */
function expandYear(
  tokens: readonly Token[],
  at: number,
  secondAt: number,
  second: Amount | undefined,
): Amount | undefined {
  const [one, other] = [tokens[at]?.text ?? '', tokens[secondAt]?.text ?? ''];
  const isJoined = isDash(tokens[secondAt - 1]) || tokens[secondAt - 1]?.text === '/';
  const isShort = isJoined && /^(?:1[5-9]|20)\d\d$/.test(one) && /^\d\d$/.test(other) && secondAt === at + 2;
  if (!second || second.unit || !isShort || other <= one.slice(2)) return second;
  return { ...second, value: Number(one.slice(0, 2) + other) };
}

/** Reads 1:1000, 120/80 mmHg and 1/2. */
function readPair(
  tokens: readonly Token[],
  at: number,
  first: Amount,
  language: Language,
): Found<Quantity | Pair | Range> | undefined {
  const sign = tokens[first.next];
  const second = tokens[first.next + 1];
  if (first.unit || tokens[at]?.kind !== 'number' || second?.kind !== 'number') return undefined;
  if (sign?.text !== '/' && sign?.text !== ':') return undefined;
  if (sign.spaced !== second.spaced) return undefined;
  const read = readAmount(tokens, first.next + 1, language);
  const other = sign.text === '/' ? expandYear(tokens, at, first.next + 1, read) : read;
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
  if (read && other.value !== read.value)
    return { fact: { type: 'range', ...span, ends: [low, high] }, next };
  return {
    fact: { type: 'pair', sign: sign.text, ...span, ends: [{ ...low, unit: high.unit }, high] },
    next,
  };
}
