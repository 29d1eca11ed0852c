import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { VerifiedClaims } from './access-token.ts';

/** Verified claims by token, until they expire. The tokens themselves are not stored. */
interface TokenCache {
  verify(token: string): Promise<VerifiedClaims>;
}

/**
 * Caches the claims of at most `size` tokens; the least recently used go first. Cached claims are valid while
 * `isGood` says so.
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
      // An invalid one is verified again, so that the usual code throws the usual error.
      known.delete(key);
      const claims = await verify(token);
      known.set(key, claims);
      return claims;
    },
  };
}
