import { AuthError, NetworkError, ValidationError } from '../errors.ts';
import type { Send } from '../http.ts';
import { withTimeLimit } from '../timeout.ts';
import type { StoredTokens } from './auth-state.ts';
import { parseTokens } from './tokens.ts';

/** Milliseconds one refresh may take; a stalled one must not hold up every other call. */
const REFRESH_TIMEOUT_MS = 10_000;

/**
 * Trades a refresh token for a new set. Null when the server refuses it: the session is over. A
 * network failure, a 5xx or an answer that makes no sense throws a NetworkError: nothing is known.
 */
export async function refreshTokens(
  send: Send,
  refreshToken: string,
  now: () => number,
): Promise<StoredTokens | null> {
  try {
    const answer = await withTimeLimit(
      (signal) =>
        send({
          service: 'auth',
          method: 'POST',
          path: '/api/auth/refresh',
          json: { refresh_token: refreshToken },
          signal,
        }),
      { ms: REFRESH_TIMEOUT_MS, error: () => new NetworkError() },
    );
    const tokens = parseTokens(answer.body, now());
    if (!tokens) throw new NetworkError({ status: answer.status });
    return tokens;
  } catch (error) {
    if (error instanceof AuthError || error instanceof ValidationError) return null;
    throw error;
  }
}
