import { AuthError, NetworkError, ValidationError } from '../../http/errors.ts';
import type { SendHttpRequest } from '../../http/http.ts';
import { withTimeout } from '../../http/timeout.ts';
import type { StoredTokens } from '../auth-state.ts';
import { parseTokens } from './tokens.ts';

/**
 * Milliseconds that the two attempts of one refresh may take. The response to the first one may get lost after the
 * token was used. The second one still falls into the 10 s in which the server returns the successor of a used token.
 */
const ATTEMPT_MS = [3_500, 5_500] as const;

/**
 * Exchanges a refresh token for a new set. Returns null if the server rejects it: the session is over. Throws a
 * NetworkError after a network failure, a 5xx or an unreadable response: the session may still be valid.
 */
export async function refreshTokens(
  send: SendHttpRequest,
  refreshToken: string,
  now: () => number,
): Promise<StoredTokens | null> {
  const request = {
    service: 'auth',
    method: 'POST',
    path: '/api/auth/refresh',
    json: { refresh_token: refreshToken },
  } as const;
  const attempt = (ms: number) =>
    withTimeout((signal) => send({ ...request, signal }), { ms, error: () => new NetworkError() });
  try {
    const { body, status } = await attempt(ATTEMPT_MS[0]).catch((error: unknown) => {
      const hasNoResponse = error instanceof NetworkError && error.status === null;
      if (!hasNoResponse) throw error;
      return attempt(ATTEMPT_MS[1]);
    });
    const tokens = parseTokens(body, now());
    if (!tokens?.refresh_token) throw new NetworkError({ status });
    return tokens;
  } catch (error) {
    if (error instanceof AuthError || error instanceof ValidationError) return null;
    throw error;
  }
}
