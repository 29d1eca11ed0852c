import { AUTH_ERROR_MESSAGES, type AuthErrorCode } from '@fabrica/contract';
import { emailAddress } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';

/** An auth error in the words of docs/spec/product.md section 8. */
export function authError(code: AuthErrorCode): AppError {
  return new AppError(code, AUTH_ERROR_MESSAGES[code]);
}

/** Trimmed and lower-cased; throws INVALID_EMAIL. */
export function parseEmail(given: string): string {
  const parsed = emailAddress.safeParse(given);
  if (!parsed.success) throw authError('INVALID_EMAIL');
  return parsed.data;
}
