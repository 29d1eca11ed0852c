const ONES: Readonly<Record<string, number>> = {
  ein: 1,
  eins: 1,
  eine: 1,
  zwei: 2,
  zwo: 2,
  drei: 3,
  vier: 4,
  fünf: 5,
  sechs: 6,
  sieben: 7,
  acht: 8,
  neun: 9,
  zehn: 10,
  elf: 11,
  zwölf: 12,
  dreizehn: 13,
  vierzehn: 14,
  fünfzehn: 15,
  sechzehn: 16,
  siebzehn: 17,
  achtzehn: 18,
  neunzehn: 19,
};
const TENS: Readonly<Record<string, number>> = {
  zwanzig: 20,
  dreißig: 30,
  dreissig: 30,
  vierzig: 40,
  fünfzig: 50,
  sechzig: 60,
  siebzig: 70,
  achtzig: 80,
  neunzig: 90,
};
const ONE = 'eins?|zwei|zwo|drei|vier|fünf|sechs|sieben|acht|neun';
const TEEN = 'zehn|elf|zwölf|dreizehn|vierzehn|fünfzehn|sechzehn|siebzehn|achtzehn|neunzehn';
const TEN = 'zwanzig|drei(?:ß|ss)ig|vierzig|fünfzig|sechzig|siebzig|achtzig|neunzig';
const BELOW_HUNDRED = `(?:(?:(?:${ONE})und)?(?:${TEN})|${TEEN}|${ONE})`;
const BELOW_THOUSAND = `(?:(?:${ONE})?hundert(?:und)?(?:${BELOW_HUNDRED})?|${BELOW_HUNDRED})`;
const NUMERAL = `(?:${BELOW_THOUSAND})?tausend(?:und)?(?:${BELOW_THOUSAND})?|${BELOW_THOUSAND}`;

const WHOLE = new RegExp(`^(?:${NUMERAL})$`);
const BEGINNING = new RegExp(`^(?:anderthalb|dreiviertel|viertel|halb|(?:${NUMERAL})einhalb|${NUMERAL})`);
const ORDINAL = new RegExp(`^(?:(erst|zweit|dritt|siebt|acht)|(${NUMERAL})s?t)e[nrsm]?$`);
const PART = new RegExp(`^(?:(zwei|drei|vier|fünf)?(?:(drit)tel|(${NUMERAL})s?tel))$`);

function belowHundred(text: string): number {
  const small = ONES[text] ?? TENS[text];
  if (small !== undefined || text === '') return small ?? 0;
  const [ones = '', tens = ''] = splitAt(text, 'und');
  return (ONES[ones] ?? 0) + (TENS[tens] ?? 0);
}

function belowThousand(text: string): number {
  if (!text.includes('hundert')) return belowHundred(text);
  const [hundreds = '', rest = ''] = splitAt(text, 'hundert');
  return (ONES[hundreds] ?? 1) * 100 + belowHundred(rest.replace(/^und/, ''));
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
  const stem = /^(?:zweier|dreier)$/.test(word) ? word.slice(0, -2) : word;
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
  return parts > 1 ? (ONES[match[1] ?? 'ein'] ?? 1) / parts : undefined;
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
