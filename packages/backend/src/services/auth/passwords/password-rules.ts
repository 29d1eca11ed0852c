import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';
import { authError } from '../auth-errors.ts';
import { isCommonPassword, isCommonWord } from './common-passwords.ts';

/** Characters around a common word that do not make it a good password. */
const DECORATION = 6;
/** Letters of the shorter of two common words. */
const SHORTEST_WORD = 4;
/** Characters of the shortest run or piece of a keyboard, and characters beside all of them that do not help. */
const SHORTEST_PIECE = 4;
const BESIDE_PIECES = 3;

const KEYBOARD_ROWS = [
  'qwertyuiop',
  'qwertzuiop',
  'azertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'yxcvbnm',
  '1234567890',
];

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

/**
 * Returns whether a password has a wrong length (10 to 200 characters), is a common one, or follows a pattern
 * that attackers try first: a piece repeated, runs like "abcdefghij" and pieces of keyboards, one or two common words with
 * a year behind them, the account's own e-mail. `email` is trimmed and lower-cased.
 */
function isWeakPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) return true;
  if (isCommonPassword(text) || isCommonPassword(spellOut(text))) return true;
  return repeatsPiece(text) || consistsOfPieces(text) || isDecorated(text, namesOf(email));
}

/** Throws `WEAK_PASSWORD`. */
export function requireGoodPassword(password: string, email: string): void {
  if (isWeakPassword(password, email)) throw authError('WEAK_PASSWORD');
}

function namesOf(email: string): ReadonlySet<string> {
  const [local = '', domain = ''] = email.split('@');
  const names = [email, local, domain, domain.split('.')[0] ?? '', ...local.split(/[._+-]/)];
  return new Set(names.filter((name) => name.length > 2));
}

/**
 * Returns whether the text is a common word, two of them, or a name from the account's e-mail, bare or with a few digits
 * and signs around it.
 */
function isDecorated(text: string, names: ReadonlySet<string>): boolean {
  if (names.has(text)) return true;
  const [, before = '', word = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  const guessable = [before, after].every(
    (part) => part.length <= DECORATION || isRun(part) || repeatsPiece(part),
  );
  return guessable && [word, spellOut(word)].some((name) => names.has(name) || isOneWordOrTwo(name));
}

/** Returns `password` for `p@ssw0rd`. */
function spellOut(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LETTER_LIKE[sign] ?? sign);
}

/** Returns whether the text is a common word, or two of them without anything in between. */
function isOneWordOrTwo(text: string): boolean {
  if (isCommonWord(text)) return true;
  for (let end = SHORTEST_WORD; end <= text.length - SHORTEST_WORD; end += 1) {
    if (isCommonWord(text.slice(0, end)) && isCommonWord(text.slice(end))) return true;
  }
  return false;
}

function repeatsPiece(text: string): boolean {
  for (let piece = 1; piece <= text.length / 2; piece += 1) {
    if (text.slice(piece) === text.slice(0, -piece)) return true;
  }
  return false;
}

/** Returns whether little is left of the text without its runs, repeated characters and pieces of keyboards. */
function consistsOfPieces(text: string): boolean {
  let beside = 0;
  for (let start = 0; start < text.length; ) {
    const length = pieceAt(text, start);
    if (length < SHORTEST_PIECE) beside += 1;
    start += length < SHORTEST_PIECE ? 1 : length;
  }
  return beside <= BESIDE_PIECES;
}

/** Returns how many characters from this one on follow each other in a run or on a keyboard. */
function pieceAt(text: string, start: number): number {
  let end = start + 2;
  while (end <= text.length && isPiece(text.slice(start, end))) end += 1;
  return end - 1 - start;
}

function isPiece(text: string): boolean {
  const reversed = [...text].reverse().join('');
  const isOfRow = KEYBOARD_ROWS.some((row) => row.includes(text) || row.includes(reversed));
  return isOfRow || isRun(text) || new Set(text).size === 1;
}

/** Returns whether each character follows the one before it: "abcdefghij", "9876543210". */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
