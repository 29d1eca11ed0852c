import { AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';

/** Milliseconds before one call to a provider is given up. */
export const PROVIDER_TIMEOUT_MS = 10_000;

/** The codes that providers send when the person canceled; the second is Apple's. */
const CANCELLATIONS = ['access_denied', 'user_cancelled_authorize'];
/** Codes of RFC 6749 section 4.1.2.1 for failures of the provider itself. */
const SERVER_ERRORS = ['server_error', 'temporarily_unavailable'];

/** Returns the error for a browser that came back with an `error` instead of a code. */
export function providerRefused(label: string, error: string): AppError {
  if (CANCELLATIONS.includes(error)) {
    return new AppError('POPUP_CANCELED', AUTH_ERROR_MESSAGES.POPUP_CANCELED);
  }
  return SERVER_ERRORS.includes(error)
    ? providerUnreachable(label, describeProviderFailure({ error }))
    : verificationFailed(label, describeProviderFailure({ error }));
}

/** Returns the error for a provider that cannot be reached, or whose response cannot be used. */
export function providerUnreachable(label: string, cause: Error): AppError {
  return new AppError('NETWORK_ERROR', `${label} did not answer as it should. Please try again.`, {
    cause,
  });
}

/** Returns the error for a state, nonce, code or signature that does not belong to this sign-in. */
export function verificationFailed(label: string, cause?: Error): AppError {
  return new AppError(
    'VERIFICATION_FAILED',
    `The sign-in with ${label} could not be verified. Please try again.`,
    { cause },
  );
}

/**
 * Returns the part of a failure that may be logged. The errors of HTTP and OpenID libraries carry URLs, codes
 * and tokens; their names and codes are enough to see what is wrong.
 */
export function describeProviderFailure(failure: unknown): Error {
  const words: string[] = [];
  for (let at = failure, depth = 0; at instanceof Object && depth < 3; depth += 1) {
    const { name, code, status, error, cause } = at as Record<string, unknown>;
    for (const word of [name, code, status, error]) {
      if (typeof word === 'number' || (typeof word === 'string' && /^[\w .-]{1,60}$/.test(word))) {
        if (!words.includes(String(word))) words.push(String(word));
      }
    }
    at = cause;
  }
  return new Error(`Identity provider: ${words.join(', ') || 'unknown failure'}`);
}
