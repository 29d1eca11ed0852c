import type { Language } from '../findings.ts';
import { lexiconsOf } from '../words/lexicon.ts';
import { NUMBER_CONNECTORS, NUMBER_WORDS, type NumberWord } from '../words/number-words.ts';
import { setOf, setsOf } from '../words/table.ts';
import { UNIT_WORDS } from '../words/units.ts';
import { readDigits, readFraction, readRaised } from './digits.ts';
import type { Strength } from './facts.ts';
import { readGermanNumeral, readGermanOrdinal, readGermanPart } from './german-numerals.ts';
import type { Token } from './tokens.ts';

/** A number as it stands in a text, in digits or words, up to the token `next`. */
export interface Numeral {
  value: number;
  next: number;
  strength: Strength;
  inWords: boolean;
  misread: boolean;
}

const ORDINAL_ENDINGS = setsOf('st nd rd th', 'º ª er ro do ra to ta °', 'e er re ère ème eme nd nde ᵉ es');

/** Returns the number that begins at a token, or undefined. */
export function readNumeral(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const token = tokens[at];
  if (!token) return undefined;
  if (token.kind === 'fraction') return numeral(readFraction(token.text), at + 1);
  if (token.kind === 'number') return readWrittenNumber(tokens, at, language);
  return token.kind === 'word' ? readWords(tokens, at, language) : undefined;
}

function numeral(value: number, next: number, more: Partial<Numeral> = {}): Numeral {
  return { value, next, strength: 'strong', inWords: false, misread: false, ...more };
}

function readWrittenNumber(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const digits = readDigits(tokens[at]?.text ?? '', language);
  if (!digits) return undefined;
  const { misread } = digits;
  let { value } = digits;
  let next = at + 1;
  const following = tokens[next];
  if (following?.kind === 'fraction') {
    return numeral(value + readFraction(following.text), next + 1, { misread });
  }
  if (following && !following.spaced && ORDINAL_ENDINGS[language].has(following.lower)) {
    return numeral(value, next + 1, { misread });
  }
  // 1 1/2
  const [over, below] = [tokens[next + 1], tokens[next + 2]];
  if (
    following?.kind === 'number' &&
    over?.text === '/' &&
    below?.kind === 'number' &&
    following.spaced &&
    !over.spaced &&
    !below.spaced &&
    /^[1-7]$/.test(following.text) &&
    /^[2-8]$/.test(below.text)
  ) {
    return numeral(value + Number(following.text) / Number(below.text), next + 3, { misread });
  }
  const power = readPower(tokens, next);
  if (power && value === 10) return numeral(10 ** power.value, power.next);
  if (following && isTimesSign(following)) {
    const ten = tokens[next + 1];
    const exponent = ten?.text === '10' ? readPower(tokens, next + 2) : undefined;
    if (exponent) return numeral(value * 10 ** exponent.value, exponent.next, { misread });
  }
  for (let scale = scaleAt(tokens, next, language); scale; scale = scaleAt(tokens, next, language)) {
    value *= scale.value;
    next = scale.next;
  }
  return numeral(value, next, { misread });
}

const isTimesSign = ({ lower }: Token) => ['×', 'x', '·', '*', '∙', '⋅'].includes(lower);

/** Reads the exponent of ⁶, ^6 and of x10e6. */
function readPower(tokens: readonly Token[], at: number): { value: number; next: number } | undefined {
  const token = tokens[at];
  if (token?.kind === 'raised' && !token.spaced) {
    const value = readRaised(token.text);
    return Number.isNaN(value) ? undefined : { value, next: at + 1 };
  }
  if (token?.text !== '^' && !(token?.lower === 'e' && !token.spaced)) return undefined;
  const isNegative = /^[-−–]$/.test(tokens[at + 1]?.text ?? '');
  const exponent = tokens[at + (isNegative ? 2 : 1)];
  if (exponent?.kind !== 'number' || exponent.text.length > 2) return undefined;
  return { value: Number(exponent.text) * (isNegative ? -1 : 1), next: at + (isNegative ? 3 : 2) };
}

function scaleAt(tokens: readonly Token[], at: number, language: Language) {
  // Blood cells are counted in G/l and T/l.
  const cells = `${tokens[at]?.text}${tokens[at + 1]?.text}${tokens[at + 2]?.lower}`;
  if (/^[GT]\/l$/.test(cells)) return { value: cells.startsWith('G') ? 1e9 : 1e12, next: at + 1 };
  const word = tokens[at]?.kind === 'word' ? NUMBER_WORDS[language].get(tokens[at].lower) : undefined;
  return word && (word.kind === 'scale' || word.kind === 'hundred')
    ? {
        value: word.value,
        next: at + (tokens[at + 1]?.text === '.' && (tokens[at]?.lower.length ?? 0) < 4 ? 2 : 1),
      }
    : undefined;
}

/** Returns the word of a numeral at a token, where French has some of two words. */
function wordAt(
  tokens: readonly Token[],
  at: number,
  language: Language,
): { word: NumberWord; next: number } | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const words = NUMBER_WORDS[language];
  if (token.lower === 'quatre' && language === 'fr') {
    const second = at + (tokens[at + 1]?.text === '-' ? 2 : 1);
    const both = words.get(`quatre ${tokens[second]?.lower ?? ''}`);
    if (both) return { word: both, next: second + 1 };
  }
  const word = words.get(token.lower) ?? (language === 'de' ? germanWord(token.lower) : undefined);
  return word && { word, next: at + 1 };
}

/** Reads a German numeral by its parts. */
function germanWord(word: string): NumberWord | undefined {
  const [small, part, ordinal] = [readGermanNumeral(word), readGermanPart(word), readGermanOrdinal(word)];
  if (small !== undefined) return { kind: 'small', value: small };
  if (part !== undefined) return { kind: 'part', value: part };
  return ordinal === undefined ? undefined : { kind: 'ordinal', value: ordinal };
}

/** Returns whether a small word may follow what is counted so far: five after twenty, but not ten after five. */
function follows(current: number, small: number, language: Language): boolean {
  if (current === 0) return true;
  if (current >= 100 && current % 100 === 0) return small < 100;
  const tens = current % 100;
  if (language === 'fr' && (tens === 60 || tens === 80)) return small > 0 && small < 20;
  if (language === 'fr' && (tens === 10 || tens === 70 || tens === 90)) return small > 6 && small < 10;
  return tens >= 20 && tens % 10 === 0 && small > 0 && small < 10;
}

function readWords(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const first = wordAt(tokens, at, language);
  if (!first) return undefined;
  const { kind, value } = first.word;
  if (kind === 'ordinal') return numeral(value, first.next, { inWords: true, strength: 'ordinal' });
  if (kind === 'half') return readHalf(tokens, at, language);
  // "Millionen Menschen" may be many, while "mil" is a number; "quarter" is a time as well, and "Viertel" a part.
  if (kind === 'group' || (kind === 'part' && language !== 'de') || (kind === 'scale' && language === 'de'))
    return numeral(value, first.next, { inWords: true, strength: 'weak' });
  if (kind === 'part') return numeral(value, first.next, { inWords: true });
  if (kind === 'article') return readArticle(tokens, first, language);
  return readSum(tokens, at, language);
}

/** Adds up a numeral in words, such as two hundred and fifty thousand. */
function readSum(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  let total = 0;
  let current = 0;
  let next = at;
  let count = 0;
  for (let index = at; ; ) {
    const token = tokens[index];
    const isJoined = count > 0 && (token?.text === '-' || token?.lower === NUMBER_CONNECTORS[language]);
    const found = wordAt(tokens, isJoined ? index + 1 : index, language);
    if (!found) break;
    const { kind, value } = found.word;
    const isOne = kind === 'article' && count > 0 && value === 1 && follows(current, 1, language);
    if ((kind === 'small' || isOne) && follows(current, value, language)) {
      // "treinta y cinco" and "a hundred and five", but not "fifty and six" of two numbers.
      if (token?.lower === 'and' && current % 100 !== 0) break;
      if (language === 'es' && isJoined && token?.text !== '-' && current % 10 !== 0) break;
      if (isOne && !isJoined) break;
      current += value;
    } else if (kind === 'hundred' && !isJoined && current < 100) current = (current || 1) * value;
    else if (
      kind === 'scale' &&
      (!isJoined || language === 'fr' || language === 'en') &&
      !(isJoined && token?.text !== '-')
    ) {
      if (value === 1e6 && total > 0 && total < 1e6 && current === 0) total *= value;
      else total += (current || (total === 0 ? 1 : 0)) * value;
      current = 0;
    } else break;
    count += 1;
    next = found.next;
    index = found.next;
  }
  if (count === 0) return undefined;
  const sum = numeral(total + current, next, { inWords: true });
  return addHalf(tokens, sum, language) ?? sum;
}

const AND_A_HALF = lexiconsOf(
  'half | and_a_half and_one_half and_half | y_medio y_media | et_demi et_demie | und_ein_halb und_eine_halbe und_einen_halben',
  () => true,
);

/** Returns the index behind "and a half" if it begins at a token. */
export function readAndAHalf(tokens: readonly Token[], at: number, language: Language): number | undefined {
  const next = AND_A_HALF[language].find(tokens, at)?.next;
  // "tres años y media hora" is three years and half an hour.
  const isOfUnit = language === 'es' && UNIT_WORDS.es.has(tokens[next ?? at]?.lower ?? '');
  return isOfUnit ? undefined : next;
}

function addHalf(tokens: readonly Token[], found: Numeral, language: Language): Numeral | undefined {
  const next = readAndAHalf(tokens, found.next, language);
  return next === undefined ? undefined : { ...found, value: found.value + 0.5, next, strength: 'strong' };
}

/** Spanish "media" is an average as well as a half, and a half-life has no number in any language. */
const HALVED = setOf(
  'comprimido tableta pastilla píldora hora hora cucharada cucharadita cucharilla taza vaso sobre dosis cápsula ampolla docena litro kilo año día parche supositorio siglo centenar docena botella ración vida',
);
const NOT_HALVED = setOf('life lives vie vies wertszeit');

function readHalf(tokens: readonly Token[], at: number, language: Language): Numeral | undefined {
  const token = tokens[at];
  const behind = tokens[at + 1]?.text === '-' ? at + 2 : at + 1;
  const following = tokens[behind]?.lower ?? '';
  if (NOT_HALVED.has(following)) return undefined;
  const isHalved =
    HALVED.has(following) || UNIT_WORDS.es.has(following) || NUMBER_WORDS.es.get(following)?.kind === 'scale';
  if (language === 'es' && token?.lower !== 'mitad' && !isHalved) return undefined;
  const isArticle = language === 'en' && (following === 'a' || following === 'an');
  return scaled(numeral(0.5, isArticle ? behind + 1 : at + 1, { inWords: true }), tokens, language);
}

/** Multiplies half a million. */
function scaled(half: Numeral, tokens: readonly Token[], language: Language): Numeral {
  const at = tokens[half.next]?.text === '-' ? half.next + 1 : half.next;
  const scale = scaleAt(tokens, at, language);
  return scale ? { ...half, value: half.value * scale.value, next: scale.next } : half;
}

/** Reads "a" and "one", which count only together with what follows: a hundred, one third, a range, a unit. */
function readArticle(
  tokens: readonly Token[],
  { next }: { next: number },
  language: Language,
): Numeral | undefined {
  // "Nehmen Sie sie ein." has a part of the verb.
  if (language === 'de' && /^[.,;!?)]$/.test(tokens[next]?.text ?? '.')) return undefined;
  const one = numeral(1, next, { inWords: true, strength: 'weak' });
  const half = addHalf(tokens, one, language);
  if (half) return half;
  const second = wordAt(tokens, tokens[next]?.text === '-' ? next + 1 : next, language);
  if (!second) return one;
  const { kind, value } = second.word;
  if (kind === 'half') return readHalf(tokens, next, language) ?? one;
  if (kind === 'part') return { ...one, value, next: second.next, strength: 'strong' };
  if (kind === 'ordinal' && isThird(tokens, second.next, value, language)) {
    return { ...one, value: 1 / value, next: second.next, strength: 'strong' };
  }
  if (kind === 'group') return { ...one, value, next: second.next };
  if (kind === 'hundred' || kind === 'scale') {
    const sum = readSum(tokens, next, language);
    return sum ?? one;
  }
  return one;
}

/** "a third" is a part before what is divided, a verb or the end, and an ordinal before a noun. */
function isDivided(token: Token | undefined): boolean {
  if (token === undefined || token.kind === 'symbol') return true;
  return /^(?:of|and|or|to|in|at|by|for|on|with|than|more|less|fewer|lower|higher|larger|smaller|longer|shorter|were|was|had|have|has|are|is|do|did|after|when|if)$/.test(
    token.lower,
  );
}

/** English "a third" and Spanish "un cuarto", "una tercera parte" are parts if something follows that is divided. */
function isThird(tokens: readonly Token[], at: number, value: number, language: Language): boolean {
  const following = tokens[at]?.lower ?? '';
  if (value < 3) return false;
  if (language === 'en') return isDivided(tokens[at]);
  if (language === 'es') return following === 'parte' || (value <= 5 && following === 'de');
  return language === 'fr' && following === 'de' && value > 4;
}

/** Reads two thirds, dos tercios, deux tiers once the number before is read. */
export function readParts(tokens: readonly Token[], found: Numeral, language: Language): Numeral {
  // "the first quarter" is no part.
  if (found.value > 10 || !Number.isInteger(found.value) || found.strength === 'ordinal') return found;
  const at = tokens[found.next]?.text === '-' ? found.next + 1 : found.next;
  const token = tokens[at];
  if (token?.kind !== 'word') return found;
  const part = partOf(tokens, at, language);
  if (part === undefined) return found;
  const isSpanishPart = language === 'es' && /^partes?$/.test(tokens[at + 1]?.lower ?? '');
  return { ...found, value: found.value * part, next: at + (isSpanishPart ? 2 : 1), strength: 'strong' };
}

function partOf(tokens: readonly Token[], at: number, language: Language): number | undefined {
  const found = wordAt(tokens, at, language);
  if (found?.word.kind === 'part') return found.word.value;
  const isSpanishPart = language === 'es' && /^partes?$/.test(tokens[at + 1]?.lower ?? '');
  return isSpanishPart && found?.word.kind === 'ordinal' ? 1 / found.word.value : undefined;
}
