import type { Language } from '../findings.ts';
import { DATE_FILLERS, DAY_HALVES, MONTHS, NAMED_TIMES } from '../words/calendar-words.ts';
import { NUMBER_WORDS } from '../words/number-words.ts';
import { setOf } from '../words/table.ts';
import type { CalendarDate, Clock, Found } from './facts.ts';
import { readNumeral } from './numerals.ts';
import { spanOf, type Token } from './tokens.ts';

/** Months that are other words too, unless a number stands beside them: may, march, Mars. */
const DOUBTFUL_MONTHS = setOf(
  'may march mar mars sep sept jan dec dic ago ene nov oct jun jul feb abr apr okt dez aug',
);

/** Reads the day of a date in digits: 3, 3rd, 1er, 3. */
function readDay(tokens: readonly Token[], at: number): { value: number; next: number } | undefined {
  const [day, ending] = [tokens[at], tokens[at + 1]];
  if (!/^(?:[1-9]|0[1-9]|[12]\d|3[01])$/.test(day?.text ?? '')) return undefined;
  const isOrdinal = ending && !ending.spaced && /^(?:st|nd|rd|th|er|º|°|\.)$/.test(ending.lower);
  return { value: Number(day?.text), next: at + (isOrdinal ? 2 : 1) };
}

/** Reads the year behind a month, if there is one. */
function readYear(tokens: readonly Token[], at: number, language: Language): { year: string; next: number } {
  const yearAt = skipFillers(tokens, at);
  const year = tokens[yearAt]?.text ?? '';
  // "el 26 de marzo, 1700 millones": a number that goes on is no year.
  const isScale = NUMBER_WORDS[language].get(tokens[yearAt + 1]?.lower ?? '')?.kind === 'scale';
  return /^(?:1[5-9]|20|21)\d\d$/.test(year) && !isScale
    ? { year, next: yearAt + 1 }
    : { year: '', next: at };
}

/** Returns the index of the token behind fillers such as "de" and a comma, two at most. */
function skipFillers(tokens: readonly Token[], at: number): number {
  let next = at;
  while (next < at + 2 && DATE_FILLERS.has(tokens[next]?.lower ?? '')) next += 1;
  return next;
}

function monthAt(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { month: number; next: number } | undefined {
  const token = tokens[at];
  // "Septembertagen", "Maihälfte"
  const word =
    language === 'de'
      ? token?.lower.replace(/(?:tage?n?|wochen?|hälfte|mitte|nacht|ende)$/, '')
      : token?.lower;
  const month = token?.kind === 'word' ? MONTHS[language].get(word ?? '') : undefined;
  if (month === undefined) return undefined;
  // English and German write months with a capital.
  if ((language === 'en' || language === 'de') && token?.text[0] === token?.lower[0]) return undefined;
  const isShort = (token?.text.length ?? 0) < 6 && tokens[at + 1]?.text === '.' && !tokens[at + 1]?.spaced;
  return { month, next: at + (isShort ? 2 : 1) };
}

function dateFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  readings: readonly string[],
): Found<CalendarDate> {
  return { fact: { type: 'date', ...spanOf(tokens, at, next), readings }, next };
}

/** Reads 12 March 2024, March 12, 2024, 12.03.2024, 12/03/2024, 2024-03-12 and March 2024. */
export function readDate(
  tokens: readonly Token[],
  at: number,
  language: Language,
): Found<CalendarDate> | undefined {
  return (
    readNumericDate(tokens, at, language) ??
    readDayFirst(tokens, at, language) ??
    readMonthFirst(tokens, at, language)
  );
}

function readDayFirst(tokens: readonly Token[], at: number, language: Language) {
  const day = readDay(tokens, at) ?? readSpelledDay(tokens, at, language);
  const month = day && monthAt(tokens, skipFillers(tokens, day.next), language);
  if (!month) return undefined;
  const { year, next } = readYear(tokens, month.next, language);
  return dateFact(tokens, at, next, [`${year}-${month.month}-${day.value}`]);
}

/** Reads "the first of", "uno de", "premier" and "ersten" before a month. */
function readSpelledDay(tokens: readonly Token[], at: number, language: Language) {
  const day = tokens[at]?.kind === 'word' ? readNumeral(tokens, at, language) : undefined;
  if (
    !day ||
    day.value > 31 ||
    !Number.isInteger(day.value) ||
    (/^(?:en|de)$/.test(language) && day.strength !== 'ordinal')
  )
    return undefined;
  return /^(?:in|im)$/.test(tokens[day.next]?.lower ?? '') ? undefined : day;
}

function readMonthFirst(tokens: readonly Token[], at: number, language: Language) {
  const month = monthAt(tokens, at, language);
  if (!month) return undefined;
  const found = language === 'en' ? readDay(tokens, month.next) : undefined;
  const isQuantity = /^(?:mg|g|ml|patients)$/.test(tokens[found?.next ?? at]?.lower ?? '');
  const day = isQuantity ? undefined : found;
  const { year, next } = readYear(tokens, day?.next ?? month.next, language);
  const isDoubtful = !day && !year && DOUBTFUL_MONTHS.has(tokens[at]?.lower ?? '');
  return isDoubtful && !isMonth(tokens, at, language)
    ? undefined
    : dateFact(tokens, at, next, [`${year}-${month.month}-${day?.value ?? ''}`]);
}

/** A word such as "March" is a month behind a preposition, and where another month follows. */
function isMonth(tokens: readonly Token[], at: number, language: Language): boolean {
  const before = tokens[at - 1]?.lower ?? '';
  if (
    /^(?:in|between|since|until|early|late|mid|en|entre|depuis|début|fin|mi|seit|zwischen|ab|im|desde)$/.test(
      before,
    )
  )
    return true;
  const isJoined = /^(?:and|to|et|y|a|à|und|bis|-|–)$/;
  return (
    (isJoined.test(tokens[at + 1]?.lower ?? '') && monthAt(tokens, at + 2, language) !== undefined) ||
    (isJoined.test(before) && monthAt(tokens, at - 2, language) !== undefined)
  );
}

const DAY_FIRST = /^(\d{1,2})([./–-])(\d{1,2})\2(\d{4})$/;
const YEAR_FIRST = /^(\d{4})([/–-])(\d{1,2})\2(\d{1,2})$/;
const MONTH_AND_YEAR = /^(0?[1-9]|1[0-2])\/((?:19|20)\d\d)$/;

function readNumericDate(tokens: readonly Token[], at: number, language: Language) {
  if (tokens[at]?.kind !== 'number') return undefined;
  for (const length of [5, 3, 1]) {
    const parts = tokens.slice(at, at + length);
    if (parts.slice(1).some(({ spaced }) => spaced)) continue;
    const written = parts.map(({ text }) => text).join('');
    const [, first = '', sign, second = '', lastYear] = DAY_FIRST.exec(written) ?? [];
    const [, firstYear, , month = '', day = ''] = YEAR_FIRST.exec(written) ?? [];
    const orders = lastYear ? [[first, second]] : firstYear ? [[day, month]] : [];
    // In English the month may be first.
    if (lastYear && language === 'en' && sign !== '.') orders.push([second, first]);
    const readings = orders
      .map((order) => order.map(Number))
      .filter(([one = 0, other = 0]) => one >= 1 && one <= 31 && other >= 1 && other <= 12)
      .map(([one, other]) => `${lastYear ?? firstYear}-${other}-${one}`);
    const [, onlyMonth, ofYear] = MONTH_AND_YEAR.exec(written) ?? [];
    if (onlyMonth) readings.push(`${ofYear}-${Number(onlyMonth)}-`);
    if (readings.length > 0) return dateFact(tokens, at, at + length, readings);
  }
  return undefined;
}

/** Reads 8:30, 8.30 Uhr, 20h30, 8 am, 8 p.m., 8 Uhr, las 8 de la tarde, noon. */
export function readClock(
  tokens: readonly Token[],
  at: number,
  language: Language,
): Found<Clock> | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  const named = NAMED_TIMES[language].find(tokens, at);
  if (named && /^et demie?$/.test(`${tokens[named.next]?.lower} ${tokens[named.next + 1]?.lower}`))
    return clockFact(tokens, at, named.next + 2, named.meaning + 30, false);
  const moins = fiveMinutes(tokens, named ? named.next + 1 : 0, language);
  if (named && moins && tokens[named.next]?.lower === 'moins')
    return clockFact(tokens, at, moins.next, named.meaning + 1440 - moins.value, false);
  // "après-midi"
  if (named && tokens[at - 1]?.text !== '-') {
    const noon = clockFact(tokens, at, named.next, named.meaning, true);
    return { ...noon, fact: { ...noon.fact, strength: 'weak' } };
  }
  const time = readHoursAndMinutes(tokens, at, language) ?? readSpokenTime(tokens, at, language);
  if (!time) return undefined;
  const { hours, minutes, next, isSure } = time;
  const half = DAY_HALVES[language].find(tokens, next);
  if (half && hours <= 12) {
    // "1:15 Uhr nachts"
    const isSmallHour = hours < 5 && /^(?:nachts|night|noche)$/.test(tokens[half.next - 1]?.lower ?? '');
    const shifted = half.meaning === 'pm' && !isSmallHour ? (hours % 12) + 12 : hours % 12;
    return clockFact(tokens, at, half.next, shifted * 60 + minutes, true);
  }
  const word = tokens[next];
  if (language === 'en' && word?.lower === 'o' && tokens[next + 1]?.lower === 'clock')
    return clockFact(tokens, at, next + 2, hours * 60, false);
  if (language === 'de' && word?.lower === 'uhr') {
    const after = tokens[next + 1];
    const hasMinutes = minutes === 0 && /^[0-5]\d$/.test(after?.text ?? '');
    return clockFact(
      tokens,
      at,
      next + (hasMinutes ? 2 : 1),
      hours * 60 + (hasMinutes ? Number(after?.text) : minutes),
      true,
    );
  }
  if (isSure && time.isSpoken) return clockFact(tokens, at, next, hours * 60 + minutes, false);
  if (isSure) {
    const unit = /^(?:h|hrs|hours|horas|heures)$/.test(word?.lower ?? '') ? 1 : 0;
    return clockFact(tokens, at, next + unit, hours * 60 + minutes, true);
  }
  const isSpanish =
    language === 'es' && /^las?$/.test(tokens[at - 1]?.lower ?? '') && tokens[at - 2]?.lower === 'a';
  return isSpanish && word?.kind !== 'word' && word?.kind !== 'number' && word?.text !== '%'
    ? clockFact(tokens, at, next, hours * 60, false)
    : undefined;
}

function clockFact(
  tokens: readonly Token[],
  at: number,
  next: number,
  minutes: number,
  isCertain: boolean,
): Found<Clock> {
  return {
    fact: { type: 'clock', ...spanOf(tokens, at, next), minutes: minutes % 1440, isCertain },
    next,
  };
}

const TO_OR_PAST: Readonly<Record<string, 1 | -1>> = { past: 1, nach: 1, to: -1, vor: -1 };

/** Reads half past seven, a quarter to nine, las siete y media, sept heures et demie, halb acht and Viertel nach neun. */
function readSpokenTime(
  tokens: readonly Token[],
  at: number,
  language: Language,
): HoursAndMinutes | undefined {
  const word = (index: number) => tokens[index]?.lower ?? '';
  const hourAt = (index: number) => {
    if (word(index) === 'eins') return { value: 1, next: index + 1 };
    const hour = tokens[index] && readNumeral(tokens, index, language);
    return hour && hour.value >= 1 && hour.value <= 24 ? hour : undefined;
  };
  const told = (hours: number, minutes: number, next: number) => {
    const all = hours * 60 + minutes;
    return { hours: Math.floor(all / 60), minutes: all % 60, next, isSure: true, isSpoken: true };
  };
  if (language === 'en' || language === 'de') {
    const from = /^an?$/.test(word(at)) ? at + 1 : at;
    const part = { half: 30, halb: 30, quarter: 15, viertel: 15 }[word(from)];
    const isHalf = word(from) === 'halb';
    const sign = isHalf ? -1 : TO_OR_PAST[word(from + 1)];
    const hour = part && sign ? hourAt(from + (isHalf ? 1 : 2)) : undefined;
    const isHour = hour && Number.isInteger(hour.value) && hour.value <= 12;
    if (isHour && part && sign) return told(hour.value, sign * part, hour.next);
    const minutes = fiveMinutes(tokens, at, language);
    const isTime = /^(?:at|by|until|till|before|um|gegen|bis|ab|seit)$/.test(word(at - 1));
    const way = minutes && isTime ? TO_OR_PAST[word(minutes.next)] : undefined;
    const full = minutes && way ? hourAt(minutes.next + 1) : undefined;
    if (minutes && full && way && full.value <= 12) return told(full.value, way * minutes.value, full.next);
    // "ten in the evening"
    const bare = tokens[at]?.kind === 'word' ? hourAt(at) : undefined;
    const isBare = bare && bare.value > 1 && Number.isInteger(bare.value) && bare.value <= 12;
    return isBare && DAY_HALVES[language].find(tokens, bare.next)
      ? told(bare.value, 0, bare.next)
      : undefined;
  }
  const hour = tokens[at]?.kind === 'word' ? hourAt(at) : undefined;
  if (!hour) return undefined;
  const isAtTime = /^(?:à|vers|dès|avant|après|depuis|est|entre|de)$/.test(word(at - 1));
  const isHours = language === 'fr' && isAtTime && /^(?:heures?|h)$/.test(word(hour.next));
  const isSpanish = language === 'es' && /^las?$/.test(word(at - 1));
  if (!isHours && !isSpanish) return undefined;
  if (isSpanish && !Number.isInteger(hour.value)) return told(hour.value - 0.5, 30, hour.next);
  const next = hour.next + (isHours ? 1 : 0);
  const rest = [0, 1, 2].map((index) => word(next + index)).join(' ');
  const said = /^(et demie?|et quart|moins le quart|y media|y cuarto|menos cuarto)/.exec(rest)?.[1];
  const minutes = fiveMinutes(tokens, next + 1, language);
  const way = { menos: -1, moins: -1, y: 1 }[word(next)];
  if (!said && minutes && way) return told(hour.value, way * minutes.value, minutes.next);
  // "a las ocho de la tarde", "huit heures du soir"
  if (!said) return DAY_HALVES[language].find(tokens, hour.next) && told(hour.value, 0, hour.next);
  const part = /demi|media/.test(said) ? 30 : /^m/.test(said) ? -15 : 15;
  return told(hour.value, part, next + said.split(' ').length);
}

/** Reads five, ten, twenty and twenty-five, the minutes that are said before and after an hour. */
function fiveMinutes(tokens: readonly Token[], at: number, language: Language) {
  const minutes = tokens[at]?.kind === 'word' ? readNumeral(tokens, at, language) : undefined;
  return minutes && [5, 10, 20, 25].includes(minutes.value) ? minutes : undefined;
}

interface HoursAndMinutes {
  hours: number;
  minutes: number;
  next: number;
  isSure: boolean;
  isSpoken?: boolean;
}

/** Reads the digits of a time of day. Those with a colon or an h between them are one for sure. */
function readHoursAndMinutes(
  tokens: readonly Token[],
  at: number,
  language: Language,
): HoursAndMinutes | undefined {
  const token = tokens[at];
  if (token?.kind !== 'number') return undefined;
  const dotted = /^([01]?\d|2[0-4])\.([0-5]\d)$/.exec(token.text);
  if (dotted) {
    return tokens[at + 1]?.lower === 'uhr' || DAY_HALVES[language].find(tokens, at + 1)
      ? { hours: Number(dotted[1]), minutes: Number(dotted[2]), next: at + 1, isSure: false }
      : undefined;
  }
  if (!/^(?:[01]?\d|2[0-4])$/.test(token.text)) return undefined;
  const [sign, minutes] = [tokens[at + 1], tokens[at + 2]];
  const isJoined = sign && minutes && minutes.spaced === sign.spaced && (!sign.spaced || sign.lower === 'h');
  if (isJoined && /^[0-5]\d$/.test(minutes.text)) {
    const isHour = sign.lower === 'h';
    const isColon =
      sign.text === ':' &&
      (minutes.text === '00' ||
        DAY_HALVES[language].find(tokens, at + 3) !== undefined ||
        token.text.length === 2 ||
        Number(minutes.text) % 5 === 0);
    const isTold =
      DAY_HALVES[language].find(tokens, at + 3) ?? (tokens[at + 3]?.lower === 'uhr' || undefined);
    const isRatio = isColon && token.text === '1' && !isTold;
    if (isHour || (isColon && !isRatio)) {
      return { hours: Number(token.text), minutes: Number(minutes.text), next: at + 3, isSure: true };
    }
  }
  return { hours: Number(token.text), minutes: 0, next: at + 1, isSure: false };
}
