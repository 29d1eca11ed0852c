import type { Language } from '../findings.ts';
import {
  COUNTS,
  EVERY,
  type FrequencyWord,
  GERMAN_ENDINGS,
  GERMAN_PERIOD_COMPOUND,
  GERMAN_PERIODS,
  INTERVAL_ENDINGS,
  PERIODS,
  TIMES,
} from '../words/frequency-words.ts';
import { OR } from '../words/grammar-words.ts';
import { NUMBER_WORDS } from '../words/number-words.ts';
import { setOf } from '../words/table.ts';
import { readCount } from './counts.ts';
import type { Found, Frequency, Quantity, Range, Times } from './facts.ts';
import { readGermanNumeral, splitGermanCompound } from './german-numerals.ts';
import { readAndAHalf } from './numerals.ts';
import { spanOf, type Token } from './tokens.ts';
import { DAY, isTime, PERCENT, readUnit } from './units.ts';

/** Words behind "a day" that make it a day of its own: a day later, al día siguiente, am Tag der Operation. */
const NO_PERIOD_BEFORE = setOf(
  'later after before ago earlier or siguiente después antes der des nach vor danach zuvor davor post suivant dernier prochain passé y old',
);

/** English words before "a day" that make it a length of time: for a year, at least a week. */
const LENGTH_BEFORE = setOf(
  'for in within over after during than least most about nearly almost of by under',
);

const COUNTED = /^(?:once|twice|thrice|times?|veces|vez|fois|x|×|\p{L}*mal)$/u;

type Reading = Frequency | Times | Quantity | Range;

/** Reads a frequency that begins at a token; `hasQuantity` says whether a number stands before it in the sentence. */
export function readFrequency(
  tokens: readonly Token[],
  at: number,
  language: Language,
  hasQuantity: boolean,
): Found<Reading> | undefined {
  return (
    readInterval(tokens, at, language) ??
    readPeriod(tokens, at, language, hasQuantity) ??
    (language === 'de' ? readGermanRange(tokens, at) : undefined) ??
    readTimes(tokens, at, language) ??
    (language === 'de' ? readGermanCompound(tokens, at) : undefined)
  );
}

/** Reads "every 8 hours", "q8h", "8-hourly" and "alle 4 bis 6 Stunden". */
function readInterval(
  tokens: readonly Token[],
  at: number,
  language: Language,
): Found<Frequency> | undefined {
  const every = EVERY[language].find(tokens, at);
  if (!every) return undefined;
  const count = readCount(tokens, every.next, language);
  if (!count) return undefined;
  // "every 21-day cycle" is no interval, but "every third day" is.
  const unit = readUnit(tokens, count.next, language);
  if (!isTime(unit?.unit ?? null) || !unit) return undefined;
  // "alle 5 Tage" counts once; "jede zweite Woche" is among the periods.
  const { factor } = unit.unit;
  const isFortnight = /^(?:quin[cz]e)$/.test(tokens[every.next]?.lower ?? '') && factor === DAY.factor;
  const [low, high] = isFortnight ? [14, 14] : [count.low.value, count.high.value];
  return intervalFact(tokens, at, unit.next, [low * factor, high * factor]);
}

/** Returns a frequency of which only the period is said. */
function intervalFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  seconds: Frequency['seconds'],
  strength: Frequency['strength'] = 'strong',
): Found<Frequency> {
  const span = spanOf(tokens, at, next);
  return { fact: { type: 'frequency', ...span, counts: [1, 1], counted: false, seconds, strength }, next };
}

function readPeriod(
  tokens: readonly Token[],
  at: number,
  language: Language,
  hasQuantity: boolean,
): Found<Frequency> | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const found =
    (hasQuantity ? slashPeriod(tokens, at, language) : undefined) ?? PERIODS[language].find(tokens, at);
  if (found) {
    const { count, seconds, needsQuantity, weak } = found.meaning;
    const following = tokens[found.next]?.lower ?? '';
    // "twice a day before meals" counts, "a day before the operation" does not.
    const isCounted = COUNTED.test(tokens[at - 1]?.lower ?? '');
    if (needsQuantity && !isCounted && (!hasQuantity || NO_PERIOD_BEFORE.has(following))) return undefined;
    // "Bd. II" is a volume.
    if (token.text === 'Bd') return undefined;
    if (language === 'en' && needsQuantity && LENGTH_BEFORE.has(tokens[at - 1]?.lower ?? ''))
      return undefined;
    // "a year and a half" is a length of time.
    if (count === undefined && readAndAHalf(tokens, found.next, language) !== undefined) return undefined;
    const orTwo =
      language === 'en' &&
      following === 'or' &&
      tokens[found.next + 1]?.lower === 'two' &&
      count === undefined;
    return {
      fact: {
        type: 'frequency',
        ...spanOf(tokens, at, found.next + (orTwo ? 2 : 0)),
        counts: [count ?? 1, count ?? 1],
        counted: count !== undefined,
        seconds: [seconds, orTwo ? 2 * seconds : seconds],
        strength: weak ? 'weak' : 'strong',
      },
      next: found.next + (orTwo ? 2 : 0),
    };
  }
  if (language !== 'de') return undefined;
  const [, beginning = '', isOfPeriod] = GERMAN_PERIOD_COMPOUND.exec(token.lower) ?? [];
  const seconds = GERMAN_PERIODS.get(beginning);
  return seconds === undefined
    ? undefined
    : intervalFact(tokens, at, at + 1, [seconds, seconds], isOfPeriod ? 'strong' : 'weak');
}

/** Reads "/day", "/h" and "·d⁻¹" behind a unit or a count. */
function slashPeriod(tokens: readonly Token[], at: number, language: Language) {
  const token = tokens[at];
  if (!token) return undefined;
  const isSlash = /^[/∕]$/.test(token.text);
  const unitAt = isSlash || /^[·.*]$/.test(token.text) ? at + 1 : at;
  const raised = tokens[unitAt + 1];
  if (!isSlash && (raised?.text !== '⁻¹' || raised.spaced)) return undefined;
  const unit = readUnit(tokens, unitAt, language);
  const meaning: FrequencyWord = { seconds: unit?.unit.factor ?? 0 };
  return unit && isTime(unit.unit) ? { meaning, next: isSlash ? unit.next : unitAt + 2 } : undefined;
}

/** Reads "three times", "2–3×", "zwei Mal", "twice" and "8-hourly". */
function readTimes(tokens: readonly Token[], at: number, language: Language): Found<Reading> | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const countAt = (place: number) => COUNTS[language].indexOf(tokens[place]?.lower ?? '') + 1;
  const word = countAt(at);
  const other = joinsCounts(tokens[at + 1], language) ? countAt(at + 2) : 0;
  // "once or twice"
  if (word && other) return timesFact(tokens, at, at + 3, [word, other]);
  if (word) return timesFact(tokens, at, at + 1, [word, word]);
  const fold = language === 'en' ? readFold(token) : undefined;
  if (fold !== undefined) return timesFact(tokens, at, at + 1, [fold, fold], 'weak');
  const count = readCount(tokens, at, language);
  if (!count || count.low.strength === 'ordinal') return undefined;
  const hyphen = tokens[count.next]?.text === '-' && !tokens[count.next]?.spaced ? 1 : 0;
  const behind = tokens[count.next + hyphen];
  if (!behind) return undefined;
  const interval = INTERVAL_ENDINGS.get(behind.lower);
  if (interval !== undefined && hyphen) {
    const seconds = [count.low.value * interval, count.high.value * interval] as const;
    return intervalFact(tokens, at, count.next + 2, seconds);
  }
  const compound =
    language === 'de' && hyphen ? GERMAN_ENDINGS.find(([ending]) => ending.test(behind.lower)) : undefined;
  if (compound) {
    const found = germanFact(tokens, at, count.next + 2, [count.low.value, count.high.value], compound);
    return found?.fact.type === 'times' && count.low.misread
      ? { ...found, fact: { ...found.fact, misread: true } }
      : found;
  }
  if (!TIMES[language].has(behind.lower)) return undefined;
  const next = count.next + hyphen + 1;
  // 1.5 × 10⁹, 2 × 5 mg and "acht mal sechs Zentimeter" are products.
  if (/^[x×]$/.test(behind.lower) && tokens[next]?.kind === 'number') return undefined;
  if (behind.lower === 'mal' && !hyphen && readCount(tokens, next, language)?.low.strength === 'strong')
    return undefined;
  const { fact } = timesFact(tokens, at, next, [count.low.value, count.high.value]);
  return { fact: { ...fact, ...(count.low.misread && { misread: true }) }, next };
}

/** Returns a count without its period. "once" may be left out. */
function timesFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  counts: Times['counts'],
  strength: Times['strength'] = counts[1] === 1 ? 'weak' : 'strong',
): Found<Times> {
  return { fact: { type: 'times', ...spanOf(tokens, at, next), counts, strength }, next };
}

/** Returns 10 for "tenfold". */
function readFold({ lower }: Token): number | undefined {
  const [, stem] = /^(\p{L}+)fold$/u.exec(lower) ?? [];
  const word = stem === undefined ? undefined : NUMBER_WORDS.en.get(stem);
  return word?.kind === 'small' || word?.kind === 'hundred' ? word.value : undefined;
}

const joinsCounts = (token: Token | undefined, language: Language): boolean =>
  OR[language].has(token?.lower ?? '') || /^(?:to|bis)$/.test(token?.lower ?? '');

/** Reads "ein- bis zweimal", "vier- bis fünffach" and "drei- bis viertägig". */
function readGermanRange(tokens: readonly Token[], at: number): Found<Reading> | undefined {
  const [word, hyphen, joiner, compound] = [tokens[at], tokens[at + 1], tokens[at + 2], tokens[at + 3]];
  if (word?.kind !== 'word' || hyphen?.text !== '-' || hyphen.spaced || compound?.kind !== 'word')
    return undefined;
  if (!joinsCounts(joiner, 'de')) return undefined;
  const low = /^einf?$/.test(word.lower) ? 1 : readGermanNumeral(word.lower);
  const split = splitGermanCompound(compound.lower);
  const ending = split && GERMAN_ENDINGS.find(([one]) => one.test(split.rest));
  return low === undefined || !split || !ending
    ? undefined
    : germanFact(tokens, at, at + 4, [low, split.value], ending);
}

/** Reads "zweimal", "dreitägig", "achtstündlich" and "zehnprozentig". */
function readGermanCompound(tokens: readonly Token[], at: number): Found<Reading> | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const split = splitGermanCompound(token.lower);
  if (!split || split.rest === '') return undefined;
  const ending = GERMAN_ENDINGS.find(([one]) => one.test(split.rest));
  if (!ending || token.lower.startsWith('einfach')) return undefined;
  return germanFact(tokens, at, at + 1, [split.value, split.value], ending);
}

function germanFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  counts: readonly [number, number],
  [, meaning, seconds]: (typeof GERMAN_ENDINGS)[number],
): Found<Reading> | undefined {
  const span = spanOf(tokens, at, next);
  const [low, high] = counts;
  if (meaning === 'each') return intervalFact(tokens, at, next, [low * seconds, high * seconds]);
  if (meaning === 'times') return timesFact(tokens, at, next, counts);
  if (meaning === 'fold') return timesFact(tokens, at, next, counts, 'weak');
  const unit = meaning === 'percent' ? PERCENT : { code: `${seconds}.s`, dimension: 's', factor: seconds };
  const quantity = (value: number): Quantity => ({
    type: 'quantity',
    ...span,
    value,
    unit,
    comparators: ['none'],
    strength: 'strong',
  });
  return {
    fact: low === high ? quantity(low) : { type: 'range', ...span, ends: [quantity(low), quantity(high)] },
    next,
  };
}
