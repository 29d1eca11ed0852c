import { CODE_TRIES, isAuthErrorCode } from '@fabrica/contract';
import type { Messages } from '../../language/load-messages.ts';
import type { Complaints } from '../password/check-credentials.ts';
import { errorCode } from './error-code.ts';

/** What the server said to a six-digit code, in the reader's words. */
export function codeComplaintOf(error: unknown, { authMail, signIn }: Messages): Complaints {
  const code = errorCode(error);
  if (code === 'VERIFICATION_FAILED' || code === 'VALIDATION_FAILED') {
    return { code: authMail.code.wrong(CODE_TRIES) };
  }
  return { form: signIn.errors[isAuthErrorCode(code) ? code : 'default'] };
}
