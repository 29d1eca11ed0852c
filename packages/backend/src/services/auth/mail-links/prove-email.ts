import type { Proof } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthMailKind } from '../../../mail/index.ts';
import {
  type AuthTables,
  authWriter,
  deleteIdentities,
  deleteSessions,
  deleteUserTokens,
  type IdentityKey,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { type OneTimeToken, spendCode, spendToken } from './one-time-token.ts';

/**
 * Spends the token of a mail's link, or the code beside it; undefined when it is not good (any more). What `check`
 * throws at whom the token is for leaves it as it is.
 */
export function spendProof(
  keys: Keys,
  project: Project,
  kind: AuthMailKind,
  { token, email, code }: Proof,
  check?: (found: OneTimeToken) => void,
): Promise<OneTimeToken | undefined> {
  const writer = authWriter(project.database);
  if (!token) return spendCode(keys, writer, { kind, email: email ?? '', code: code ?? '' });
  return writer.transaction().execute(async (transaction) => {
    const spent = await spendToken(transaction, kind, token);
    if (spent) check?.(spent);
    return spent;
  });
}

/**
 * Marks the address as the user's own, in the transaction of a sign-in that proves it. Whoever made the account before
 * that may have been somebody else: passwords, sessions, links under way and identities of that time end, save the
 * one that it is proved with (pre-account hijacking).
 */
export async function claimAddress(
  transaction: Transaction<AuthTables>,
  user: UserRow,
  provedWith?: IdentityKey,
): Promise<UserRow> {
  if (user.email_verified === 1) return user;
  await deleteSessions(transaction, user.id);
  await deleteUserTokens(transaction, user.id);
  await deleteIdentities(transaction, user.id, provedWith);
  return (await updateUser(transaction, user.id, { email_verified: 1, password_hash: null })) ?? user;
}
