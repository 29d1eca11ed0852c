import { valuesOf } from '../words/number-words.ts';
import { wordsIn } from '../words/table.ts';

const ONES = new Map(valuesOf(wordsIn('eins/ein zwei/zwo drei vier fünf sechs sieben acht neun'), 1, 1));
const TEENS = new Map(
  valuesOf(wordsIn('zehn elf zwölf dreizehn vierzehn fünfzehn sechzehn siebzehn achtzehn neunzehn'), 10, 1),
);
const TENS = new Map(
  valuesOf(wordsIn('zwanzig dreißig/dreissig vierzig fünfzig sechzig siebzig achtzig neunzig'), 20, 10),
);
const [ONE, TEEN, TEN] = [ONES, TEENS, TENS].map((words) => [...words.keys()].join('|'));
const BELOW_HUNDRED = `(?:(?:(?:${ONE})und)?(?:${TEN})|${TEEN}|${ONE})`;
const BELOW_THOUSAND = `(?:(?:${ONE})?hundert(?:und)?(?:${BELOW_HUNDRED})?|${BELOW_HUNDRED})`;
const NUMERAL = `(?:${BELOW_THOUSAND})?tausend(?:und)?(?:${BELOW_THOUSAND})?|${BELOW_THOUSAND}`;

const WHOLE = new RegExp(`^(?:${NUMERAL})$`);
const BEGINNING = new RegExp(`^(?:anderthalb|dreiviertel|viertel|halb|(?:${NUMERAL})einhalb|${NUMERAL})`);
const ORDINAL = new RegExp(`^(?:(erst|zweit|dritt|siebt|acht)|(${NUMERAL})s?t)e[nrsm]?$`);
const PART = new RegExp(`^(?:(zwei|drei|vier|fünf)?(?:(drit)tel|(${NUMERAL})s?tel))$`);

function belowHundred(text: string): number {
  const [ones = '', tens = ''] = text.includes('und') ? splitAt(text, 'und') : [text, text];
  return (ONES.get(ones) ?? TEENS.get(ones) ?? 0) + (TENS.get(tens) ?? 0);
}

function belowThousand(text: string): number {
  if (!text.includes('hundert')) return belowHundred(text);
  const [hundreds = '', rest = ''] = splitAt(text, 'hundert');
  return (ONES.get(hundreds) ?? 1) * 100 + belowHundred(rest.replace(/^und/, ''));
}

function splitAt(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return [text.slice(0, at), text.slice(at + separator.length)];
}

function numeral(text: string): number {
  if (!text.includes('tausend')) return belowThousand(text);
  const [thousands, rest] = splitAt(text, 'tausend');
  return (thousands === '' ? 1 : belowThousand(thousands)) * 1000 + belowThousand(rest.replace(/^und/, ''));
}

/** The longest numeral has fewer letters than this; longer words are not looked at. */
const LONGEST = 60;

/** Returns the value of a German numeral in words, such as 25 for "fünfundzwanzig" and 1.5 for "anderthalb". */
export function readGermanNumeral(word: string): number | undefined {
  if (word.length > LONGEST || word === 'ein' || word === 'eine') return undefined;
  const stem = /^(?:zweier|dreier|.+ziger)$/.test(word) ? word.slice(0, -2) : word;
  if (WHOLE.test(stem)) return numeral(stem);
  if (/^anderthalb/.test(word)) return word.length <= 12 ? 1.5 : undefined;
  if (word.endsWith('einhalb')) {
    const whole = word.slice(0, -7);
    return whole === 'ein' ? 1.5 : WHOLE.test(whole) ? numeral(whole) + 0.5 : undefined;
  }
  return undefined;
}

/** Returns the value of a German ordinal, such as 3 for "dritten". */
export function readGermanOrdinal(word: string): number | undefined {
  if (word.length > LONGEST) return undefined;
  const match = ORDINAL.exec(word);
  if (!match) return undefined;
  const irregular: Readonly<Record<string, number>> = { erst: 1, zweit: 2, dritt: 3, siebt: 7, acht: 8 };
  return match[1] ? irregular[match[1]] : numeral(match[2] ?? '');
}

/** Returns the value of a German fraction, such as 0.25 for "Viertel" and 0.75 for "dreiviertel". */
export function readGermanPart(word: string): number | undefined {
  if (word.length > LONGEST) return undefined;
  const stem = word.replace(/(?<=tel)[ns]$/, '');
  const match = PART.exec(stem);
  if (!match) return undefined;
  const parts = match[2] ? 3 : numeral(match[3] ?? '');
  return parts > 1 ? (ONES.get(match[1] ?? 'ein') ?? 1) / parts : undefined;
}

/** Returns the numeral with which a German compound begins and the rest of the word: 3 and "tägig" for "dreitägig". */
export function splitGermanCompound(word: string): { value: number; rest: string } | undefined {
  if (word.length > LONGEST) return undefined;
  const match = BEGINNING.exec(word);
  if (!match) return undefined;
  const beginning = match[0];
  const value = beginning === 'halb' ? 0.5 : (readGermanPart(beginning) ?? readGermanNumeral(beginning) ?? 1);
  return { value, rest: word.slice(beginning.length).replace(/^-/, '') };
}
