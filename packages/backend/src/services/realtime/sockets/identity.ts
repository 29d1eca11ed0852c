import { decodeJwt } from 'jose';
import type { Caller } from '../../../core/caller.ts';

/** Accounts' ids begin like this (`new-user.ts`). */
const ACCOUNT = /^user_/;

/**
 * Whose a message is. A signed-in caller's is its own, whatever it claims; the service says whose. A caller who is not
 * signed in may take any name but an account's: whoever claims that is told apart from the account by `guest:`.
 */
export function speakerOf(caller: Caller, claimed: string | null | undefined): string | undefined {
  if (caller.kind === 'user') return caller.id;
  if (!claimed || caller.kind === 'service') return claimed ?? undefined;
  return ACCOUNT.test(claimed) ? `guest:${claimed}` : claimed;
}

/** When a token ends that was just found to be good, in epoch ms; null for a secret key, which has no end. */
export function endOfToken(token: string): number | null {
  if (token.startsWith('sk_')) return null;
  const { exp } = decodeJwt(token);
  return exp === undefined ? null : exp * 1_000;
}
