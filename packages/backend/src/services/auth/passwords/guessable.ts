import { isCommonWord, isFrequentWord, isName } from './common-passwords.ts';

/**
 * Bits of guessing that a part of a password takes: what an attacker's program needs for a part of this kind, not what its
 * letters could tell. Words of a sentence are guessed from those before them.
 */
const BITS = {
  letter: 4.7,
  digit: 3.3,
  sign: 4,
  space: 1.5,
  edge: 2,
  shortWord: 8,
  frequentWord: 7,
  name: 8,
  word: 12,
  own: 2,
} as const;
const PIECE_BITS = { repeated: 5, run: 6, walk: 7.5, again: 4.5, year: 6.5, date: 13 } as const;
/** Bits that a piece takes for each of its characters, since its length has to be guessed too. */
const LENGTH_BITS = 0.3;
/** Bits of a word whose letters are written as digits and signs. */
const SPELLING_BITS = 2;

const SHORTEST_RUN = 3;
const SHORTEST_WALK = 3;
const SHORTEST_AGAIN = 3;
const LONGEST_WORD = 24;

const KEYBOARDS = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
].map(neighboursOf);

const LETTER_LIKE: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
};

const YEAR = /^(?:1[89]|20)\d\d/;
/** Year, month and day, or day, month and year in any order, with any sign between them or none. */
const DATE =
  /^(?:(?:19|20)\d\d([./ -]?)(?:1[0-2]|0?[1-9])\1(?:3[01]|[12]\d|0?[1-9])|(?:3[01]|[12]\d|0?[1-9])([./ -]?)(?:3[01]|[12]\d|0?[1-9])\2(?:(?:19|20)\d\d|\d\d))/;

/**
 * Returns about how many bits of guessing a password takes, as the cheapest way to put it together: of common words, words of
 * sentences, names, dates, runs, walks over a keyboard, and parts that it has said before; what is left counts by its
 * characters. `text` is in lower case. `own` are names that an attacker knows of the account.
 */
export function guessingBits(text: string, own: ReadonlySet<string>): number {
  const spelled = spellOut(text);
  // Digits and signs around words are tried with each word; a text without words has nothing around it.
  const edges = /\p{L}/u.test(text) ? /^[^\p{L}]+$/u : /^$/;
  const cheapest = [0];
  for (let end = 1; end <= text.length; end += 1) cheapest.push(Number.POSITIVE_INFINITY);
  const reach = (end: number, bits: number) => {
    cheapest[end] = Math.min(cheapest[end] ?? bits, bits);
  };
  for (let start = 0; start < text.length; start += 1) {
    const before = cheapest[start] ?? 0;
    const isEdge = edges.test(text.slice(0, start + 1)) || edges.test(text.slice(start));
    reach(start + 1, before + (isEdge ? BITS.edge : characterBits(text[start] ?? '')));
    for (let end = start + 2; end <= Math.min(text.length, start + LONGEST_WORD); end += 1) {
      reach(end, before + wordBits(text.slice(start, end), spelled.slice(start, end), own));
    }
    const [date] = DATE.exec(text.slice(start)) ?? [];
    if (date) reach(start + date.length, before + PIECE_BITS.date);
    for (const [length, bits] of piecesAt(text, start)) {
      // A piece may end early, where a cheaper one begins.
      for (let part = 2; part <= length; part += 1) reach(start + part, before + bits + part * LENGTH_BITS);
    }
  }
  return cheapest[text.length] ?? 0;
}

function characterBits(character: string): number {
  if (character === ' ') return BITS.space;
  if (/\d/.test(character)) return BITS.digit;
  return /\p{L}/u.test(character) ? BITS.letter : BITS.sign;
}

function wordBits(text: string, spelled: string, own: ReadonlySet<string>): number {
  const ofWord = (word: string): number => {
    if (own.has(word)) return BITS.own;
    if (isFrequentWord(word)) return word.length === 2 ? BITS.shortWord : BITS.frequentWord;
    if (isName(word)) return BITS.name;
    return isCommonWord(word) ? BITS.word : Number.POSITIVE_INFINITY;
  };
  return text === spelled ? ofWord(text) : Math.min(ofWord(text), ofWord(spelled) + SPELLING_BITS);
}

/** Returns the lengths of the pieces that begin here, with their bits. */
function piecesAt(text: string, start: number): [length: number, bits: number][] {
  const whileNext = (isNext: (before: string, next: string) => boolean): number => {
    let end = start + 1;
    while (end < text.length && isNext(text[end - 1] ?? '', text[end] ?? '')) end += 1;
    return end - start;
  };
  const stepsBy = (step: number) => (before: string, next: string) =>
    next.charCodeAt(0) - before.charCodeAt(0) === step;
  const atLeast = (shortest: number, length: number) => (length < shortest ? 0 : length);
  const run = Math.max(...[1, -1].map((step) => whileNext(stepsBy(step))));
  const walk = Math.max(...KEYBOARDS.map((keys) => whileNext((before, next) => keys.has(before + next))));
  return [
    [whileNext((before, next) => before === next), PIECE_BITS.repeated],
    [atLeast(SHORTEST_RUN, run), PIECE_BITS.run],
    [atLeast(SHORTEST_WALK, walk), PIECE_BITS.walk],
    [atLeast(SHORTEST_AGAIN, saidBefore(text, start)), PIECE_BITS.again],
    [YEAR.test(text.slice(start, start + 4)) ? 4 : 0, PIECE_BITS.year],
  ];
}

/** Returns how many characters from this one on stand, in this order, further before in the text. */
function saidBefore(text: string, start: number): number {
  let longest = 0;
  for (let from = 0; from < start; from += 1) {
    let length = 0;
    while (start + length < text.length && text[from + length] === text[start + length]) length += 1;
    longest = Math.max(longest, length);
  }
  return longest;
}

/** Returns the pairs of keys that are beside each other; each row lies half a key to the right of the one above it. */
function neighboursOf(rows: readonly string[]): ReadonlySet<string> {
  const pairs = new Set<string>();
  const add = (a: string | undefined, b: string | undefined) => {
    if (a && b) pairs.add(a + b).add(b + a);
  };
  for (const [index, row] of rows.entries()) {
    for (const [column, key] of [...row].entries()) {
      add(key, row[column + 1]);
      add(key, rows[index + 1]?.[column]);
      add(key, rows[index + 1]?.[column - 1]);
    }
  }
  return pairs;
}

/** Returns `password` for `p@ssw0rd`. */
function spellOut(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LETTER_LIKE[sign] ?? sign);
}
