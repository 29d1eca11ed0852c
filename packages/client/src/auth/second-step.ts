import type { SecondStepDetails } from '@fabrica/contract';
import type { AuthError } from '../http/errors.ts';

/** Returns what a sign-in that threw this error has to do next; undefined for any other error. */
export function readSecondStep(error: unknown): SecondStepDetails | undefined {
  // The shape is checked: the server's pages and the server each hold a copy of the class.
  if (!(error instanceof Error) || !('code' in error) || error.code !== 'SECOND_FACTOR_REQUIRED')
    return undefined;
  const { details } = error as unknown as AuthError;
  const { ticket } = (details ?? {}) as Partial<SecondStepDetails>;
  return typeof ticket === 'string' ? (details as SecondStepDetails) : undefined;
}
