import type { SecondStepDetails, TotpSetUp } from '@fabrica/contract';
import { PasskeyError } from '../../factors/passkey.ts';
import { clientErrorCode, type FormErrors, toFormErrors } from '../forms/form-errors.ts';

/** Describes how far the second step has come. The server and the browser take the same steps. */
export interface StepState {
  /** Undefined when there is no sign-in that waits, or no longer. */
  step: SecondStepDetails | undefined;
  /** The authenticator app that is being set up. */
  app?: TotpSetUp | undefined;
  errors: FormErrors;
  /** The codes to keep, once the first factor is set up. */
  recoveryCodes?: readonly string[] | undefined;
}

/** Returns the state after a call that failed. A ticket that is over ends the step. */
export function failedState(state: StepState, error: unknown, isPasskey = false): StepState {
  if (clientErrorCode(error) === 'TOKEN_EXPIRED') return { step: undefined, errors: {} };
  return { ...state, errors: toStepErrors(error, isPasskey) };
}

function toStepErrors(error: unknown, isPasskey: boolean): FormErrors {
  if (error instanceof PasskeyError) {
    return { form: error.reason === 'known' ? 'PASSKEY_KNOWN' : 'PASSKEY_NOT_SHOWN' };
  }
  switch (clientErrorCode(error)) {
    // The server validates the length of a code first.
    case 'VALIDATION_FAILED':
    case 'SECOND_FACTOR_FAILED':
      return isPasskey ? { form: 'SECOND_FACTOR_FAILED' } : { code: 'FACTOR_WRONG' };
    case 'RATE_LIMITED':
      return { code: 'TOO_MANY_CODES' };
    default:
      return toFormErrors(error);
  }
}
