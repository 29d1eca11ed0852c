import { PASSWORD_MAX_LENGTH, PASSWORD_MIN_LENGTH } from '@fabrica/contract';
import { authError } from '../auth-errors.ts';
import { isCommonPassword } from './common-passwords.ts';
import { guessingBits } from './guessable.ts';

/** Bits of guessing that a password has to take. Ten random letters take 47, most numbers of ten digits less than these. */
const MIN_BITS = 29;

/**
 * Returns whether a password has a wrong length (10 to 200 characters), is a common one, or is put together of so few and so
 * common parts that attackers try it early. `email` is trimmed and lower-cased.
 */
function isWeakPassword(password: string, email: string): boolean {
  const text = password.normalize('NFKC').toLowerCase();
  const length = [...password].length;
  if (length < PASSWORD_MIN_LENGTH || length > PASSWORD_MAX_LENGTH) return true;
  return isCommonPassword(text) || guessingBits(text, namesOf(email)) < MIN_BITS;
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
