import { type AuthErrorCode, isAuthErrorCode } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import { errorCode } from '../forms/error-code.ts';

/** Why a sign-in at a provider came to nothing; a code that we do not know is `default`. */
export type Failure = AuthErrorCode | 'default';

/** That in the reader's words: at a provider it is the sign-in that could not be verified, not an address. */
export function failureText(failure: Failure, { signIn }: Messages): string {
  return failure === 'VERIFICATION_FAILED' ? signIn.complete.failed : signIn.errors[failure];
}

/** What a call was refused with. */
export function failureOf(error: unknown): Failure {
  const code = errorCode(error);
  // A code that is none, of whatever length, is as good as spent.
  if (code === 'VALIDATION_FAILED') return 'VERIFICATION_FAILED';
  return isAuthErrorCode(code) ? code : 'default';
}
