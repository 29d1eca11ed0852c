import { AuthError } from '../http/errors.ts';
import type { BearerSource } from '../http/http.ts';

/** Whose token a socket speaks with. */
export interface SocketCredentials {
  /** Undefined for nobody. Throws a NetworkError when it cannot be known now. */
  token(): Promise<string | undefined>;
  /** The server does not take this token; another one is asked for once, and this one never sent again. */
  refuse(token: string): void;
}

export function createSocketCredentials(bearer: BearerSource): SocketCredentials {
  const refused = new Set<string>();
  let renewed: string | undefined;
  return {
    async token() {
      const token = await orNobody(bearer.accessToken());
      if (token === undefined || !refused.has(token)) return token;
      // The one that took the place of a refused one is refused as well: nobody speaks until there is yet another.
      if (token === renewed) return undefined;
      renewed = await orNobody(bearer.renew(token));
      return renewed !== undefined && refused.has(renewed) ? undefined : renewed;
    },
    refuse: (token) => void refused.add(token),
  };
}

/** A session that is over makes the socket nobody's; it is told of elsewhere. */
async function orNobody(asked: Promise<string | undefined>): Promise<string | undefined> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof AuthError) return undefined;
    throw error;
  }
}
