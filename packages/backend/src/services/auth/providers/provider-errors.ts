import { AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';

/** Milliseconds that one call to a provider may take. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** What providers call it when the person turned back; the second is Apple's. */
const CANCELLATIONS = ['access_denied', 'user_cancelled_authorize'];
/** Of RFC 6749 section 4.1.2.1: the provider's own trouble. */
const TROUBLES = ['server_error', 'temporarily_unavailable'];

/** The provider sent the browser back with an `error` instead of a code. */
export function refusal(label: string, error: string): AppError {
  if (CANCELLATIONS.includes(error)) {
    return new AppError('POPUP_CANCELED', AUTH_ERROR_MESSAGES.POPUP_CANCELED);
  }
  return TROUBLES.includes(error)
    ? unreachable(label, describeFailure({ error }))
    : unproved(label, describeFailure({ error }));
}

/** The provider could not be reached, or said nothing of use. */
export function unreachable(label: string, cause: Error): AppError {
  return new AppError('NETWORK_ERROR', `${label} did not answer as it should. Please try again.`, {
    cause,
  });
}

/** State, nonce, code or signature are not those of this sign-in. */
export function unproved(label: string, cause?: Error): AppError {
  return new AppError(
    'VERIFICATION_FAILED',
    `The sign-in with ${label} could not be verified. Please try again.`,
    { cause },
  );
}

/**
 * What of a failure may be logged. The errors of HTTP and OpenID libraries carry addresses, codes and tokens; their
 * names and codes are enough to see what is wrong.
 */
export function describeFailure(failure: unknown): Error {
  const said: string[] = [];
  for (let at = failure, depth = 0; at instanceof Object && depth < 3; depth += 1) {
    const { name, code, status, error, cause } = at as Record<string, unknown>;
    for (const word of [name, code, status, error]) {
      if (typeof word === 'number' || (typeof word === 'string' && /^[\w .-]{1,60}$/.test(word))) {
        if (!said.includes(String(word))) said.push(String(word));
      }
    }
    at = cause;
  }
  return new Error(`Identity provider: ${said.join(', ') || 'unknown failure'}`);
}
