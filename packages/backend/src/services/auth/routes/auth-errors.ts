import { AUTH_ERROR_MESSAGES, type AuthErrorCode } from '@fabrica/contract';
import { emailAddress } from '@fabrica/contract/schemas';
import { AppError } from '../../../core/errors.ts';
import { isWeakPassword } from '../passwords/password-rules.ts';

/** An auth error in the words of docs/spec/product.md section 8. */
export function refusal(code: AuthErrorCode): AppError {
  return new AppError(code, AUTH_ERROR_MESSAGES[code]);
}

/** Trimmed and lower-cased; throws INVALID_EMAIL. */
export function parseEmail(given: string): string {
  const parsed = emailAddress.safeParse(given);
  if (!parsed.success) throw refusal('INVALID_EMAIL');
  return parsed.data;
}

/** Throws WEAK_PASSWORD. */
export function requireGoodPassword(password: string, email: string): void {
  if (isWeakPassword(password, email)) throw refusal('WEAK_PASSWORD');
}
