import { AuthError } from '../http/errors.ts';
import type { BearerSource } from '../http/http.ts';

/** Provides the token that a socket authenticates with. */
export interface SocketCredentials {
  /** Resolves with undefined for an anonymous socket. Throws a NetworkError if the token cannot be renewed now. */
  token(): Promise<string | undefined>;
  /** Marks a token that the server rejected: it is renewed once and never sent again. */
  reject(token: string): void;
}

export function createSocketCredentials(bearer: BearerSource): SocketCredentials {
  const rejected = new Set<string>();
  let renewed: string | undefined;
  return {
    async token() {
      const token = await undefinedIfSignedOut(bearer.accessToken());
      if (token === undefined || !rejected.has(token)) return token;
      // The renewed token was rejected too: the socket stays anonymous until there is another one.
      if (token === renewed) return undefined;
      renewed = await undefinedIfSignedOut(bearer.renew(token));
      return renewed !== undefined && rejected.has(renewed) ? undefined : renewed;
    },
    reject: (token) => void rejected.add(token),
  };
}

/** Resolves with undefined if the session is over. The auth state reports that. */
async function undefinedIfSignedOut(token: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await token;
  } catch (error) {
    if (error instanceof AuthError) return undefined;
    throw error;
  }
}
