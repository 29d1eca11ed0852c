import { type AuthErrorCode, isAuthErrorCode } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import { clientErrorCode } from '../forms/form-errors.ts';

/** Names why a sign-in at a provider failed; `default` stands for unknown codes. */
export type SignInFailure = AuthErrorCode | 'default';

/** Returns the failure in the reader's language. At a provider VERIFICATION_FAILED is about the sign-in, not an email. */
export function signInFailureText(failure: SignInFailure, { signIn }: Messages): string {
  return failure === 'VERIFICATION_FAILED' ? signIn.complete.failed : signIn.errors[failure];
}

export function toSignInFailure(error: unknown): SignInFailure {
  const code = clientErrorCode(error);
  // The server validates the length first: a code that is too long is as wrong as a used one.
  return code === 'VALIDATION_FAILED' ? 'VERIFICATION_FAILED' : parseFailure(code);
}

export function parseFailure(code: string | undefined): SignInFailure {
  return isAuthErrorCode(code) ? code : 'default';
}
