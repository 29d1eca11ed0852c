import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { VerifiedClaims } from './access-token.ts';

/** What was verified once, until it expires; the tokens themselves are not kept. */
export interface TokenCache {
  verify(token: string): Promise<VerifiedClaims>;
}

/**
 * Remembers the claims of `size` tokens at most; those not used for longest are forgotten first. What is remembered
 * is good while `isGood` says so.
 */
export function createTokenCache(
  size: number,
  verify: (token: string) => Promise<VerifiedClaims>,
  isGood: (claims: VerifiedClaims) => Promise<boolean>,
): TokenCache {
  const known = new LRUCache<string, VerifiedClaims>({ max: size });
  return {
    async verify(token) {
      const key = hash('sha256', token, 'base64');
      const cached = known.get(key);
      if (cached && (await isGood(cached))) return cached;
      // One that is good no more is verified again, so that the same place as ever says what is wrong with it.
      known.delete(key);
      const claims = await verify(token);
      known.set(key, claims);
      return claims;
    },
  };
}
