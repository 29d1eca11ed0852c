import { AuthError, NetworkError, ValidationError } from '../../http/errors.ts';
import type { SendHttpRequest } from '../../http/http.ts';
import { withTimeout } from '../../http/timeout.ts';
import type { StoredTokens } from '../auth-state.ts';
import { parseTokens } from './tokens.ts';

/**
 * Milliseconds that the two tries of one refresh may take. The answer to the first may be lost when the token is spent
 * already; the second still falls into the 10 s in which the server answers a spent token with its successor.
 */
const TRY_MS = [3_500, 5_500] as const;

/**
 * Trades a refresh token for a new set. Null when the server refuses it: the session is over. A
 * network failure, a 5xx or an answer that makes no sense throws a NetworkError: nothing is known.
 */
export async function refreshTokens(
  send: SendHttpRequest,
  refreshToken: string,
  now: () => number,
): Promise<StoredTokens | null> {
  const attempt = (ms: number) =>
    withTimeout(
      (signal) =>
        send({
          service: 'auth',
          method: 'POST',
          path: '/api/auth/refresh',
          json: { refresh_token: refreshToken },
          signal,
        }),
      { ms, error: () => new NetworkError() },
    );
  try {
    const answer = await attempt(TRY_MS[0]).catch((error: unknown) => {
      const unanswered = error instanceof NetworkError && error.status === null;
      if (!unanswered) throw error;
      return attempt(TRY_MS[1]);
    });
    const tokens = parseTokens(answer.body, now());
    if (!tokens?.refresh_token) throw new NetworkError({ status: answer.status });
    return tokens;
  } catch (error) {
    if (error instanceof AuthError || error instanceof ValidationError) return null;
    throw error;
  }
}
