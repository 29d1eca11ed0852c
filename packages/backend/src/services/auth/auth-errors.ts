import { AUTH_ERROR_MESSAGES, type AuthErrorCode } from '@fabrica/contract';
import { emailAddress } from '@fabrica/contract/schemas';
import { AppError } from '../../core/errors.ts';

/** Returns an `AppError` with the message that docs/spec/product.md section 8 gives this code. */
export function authError(code: AuthErrorCode): AppError {
  return new AppError(code, AUTH_ERROR_MESSAGES[code]);
}

/** Returns the e-mail trimmed and lower-cased. Throws `INVALID_EMAIL`. */
export function parseEmail(given: string): string {
  const parsed = emailAddress.safeParse(given);
  if (!parsed.success) throw authError('INVALID_EMAIL');
  return parsed.data;
}
