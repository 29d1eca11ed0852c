import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';
import { authError } from '../auth-errors.ts';
import { commonPasswords, commonWords } from './common-passwords.ts';

/** Characters around a common word that do not make it a good password. */
const DECORATION = 6;
const LONGEST_REPEATED = 5;

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
 * that attackers try first: a short piece repeated, a run like "abcdefghij", a common word with a year behind
 * it, the account's own e-mail. `email` is trimmed and lower-cased.
 */
function isWeakPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) return true;
  if (commonPasswords.has(text) || commonPasswords.has(spellOut(text))) return true;
  return repeatsPiece(text) || isRun(text) || isDecorated(text, namesOf(email));
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
 * Returns whether the text is a common word or a name from the account's e-mail, bare or with a few digits
 * and signs around it.
 */
function isDecorated(text: string, names: ReadonlySet<string>): boolean {
  if (names.has(text)) return true;
  const [, before = '', word = '', after = ''] = /^([^\p{L}]*)(.*?)([^\p{L}]*)$/su.exec(text) ?? [];
  const guessable = [before, after].every(
    (part) => part.length <= DECORATION || isRun(part) || repeatsPiece(part),
  );
  return guessable && [word, spellOut(word)].some((name) => names.has(name) || commonWords.has(name));
}

/** Returns `password` for `p@ssw0rd`. */
function spellOut(text: string): string {
  return text.replace(/[013457@$!]/g, (sign) => LETTER_LIKE[sign] ?? sign);
}

function repeatsPiece(text: string): boolean {
  for (let piece = 1; piece <= LONGEST_REPEATED; piece += 1) {
    if (text.length > piece && text.slice(piece) === text.slice(0, -piece)) return true;
  }
  return false;
}

/** Returns whether each character follows the one before it: "abcdefghij", "9876543210". */
function isRun(text: string): boolean {
  const codes = [...text].map((character) => character.codePointAt(0) ?? 0);
  const steps = new Set(codes.slice(1).map((code, index) => code - (codes[index] ?? 0)));
  return steps.size === 1 && (steps.has(1) || steps.has(-1));
}
