import { decodeJwt } from 'jose';
import type { Caller } from '../../../core/caller.ts';

/** The ids of accounts begin like this (`new-user.ts`). */
const ACCOUNT = /^user_/;

/**
 * Returns the user id of a message. A signed-in caller always has its own id; the secret key may name any. An anonymous
 * caller may claim any id but an account's, which gets the prefix `guest:` so that it cannot pass for the account.
 */
export function senderId(caller: Caller, claimed: string | null | undefined): string | undefined {
  if (caller.kind === 'user') return caller.id;
  if (!claimed || caller.kind === 'service') return claimed ?? undefined;
  return ACCOUNT.test(claimed) ? `guest:${claimed}` : claimed;
}

/** Returns when a verified token expires, in epoch ms; null for a secret key, which never expires. */
export function tokenExpiry(token: string): number | null {
  if (token.startsWith('sk_')) return null;
  const { exp } = decodeJwt(token);
  return exp === undefined ? null : exp * 1_000;
}
