import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';
import { authError } from '../auth-errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { guessingBits } from './guessable.ts';

/** Bits of guessing that a password has to take. Ten random letters take 47, most numbers of ten digits less than these. */
const MIN_BITS = 29;

/**
 * Returns whether a password has a wrong length (10 to 200 characters), is a common one, or is put together of so few and so
 * common parts that attackers try it early.
 */
function isWeakPassword(password: string, own: ReadonlySet<string>): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) return true;
  return isCommonPassword(text) || guessingBits(text, own) < MIN_BITS;
}

/**
 * Throws `WEAK_PASSWORD`. `email` is trimmed and lower-cased; `ownWords` are those of the installation, as `ownWordsOf` finds them.
 */
export function requireGoodPassword(password: string, email: string, ownWords: readonly string[]): void {
  if (isWeakPassword(password, new Set([...namesOf(email), ...ownWords]))) throw authError('WEAK_PASSWORD');
}

/** Returns the words of an installation that attackers try: those of its host and its name, in lower case. */
export function ownWordsOf(texts: readonly string[]): string[] {
  const parts = texts.map((text) =>
    text
      .normalize('NFKC')
      .toLowerCase()
      .split(/[^\p{L}\p{N}]+/u),
  );
  return [...new Set(parts.flat())].filter((word) => word.length > 3);
}

function namesOf(email: string): ReadonlySet<string> {
  const [local = '', domain = ''] = email.split('@');
  const names = [email, local, domain, domain.split('.')[0] ?? '', ...local.split(/[._+-]/)];
  return new Set(names.filter((name) => name.length > 2));
}
