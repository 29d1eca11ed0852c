import type { Proof } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { LinkMailKind } from '../../../mail/index.ts';
import { deleteFactors } from '../factors/factor-queries.ts';
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

/** A mailed token, or the code that stands beside it. */
export type MailedProof = Proof & {
  /** Whether somebody has signed in to the account in this browser before. Strangers cannot use up its tries. */
  isKnownDevice?: boolean;
};

/**
 * Spends a mailed token, or the code that stands beside it. Returns `undefined` when it is not valid or no
 * longer valid. When `check` throws, the token is not spent.
 */
export function spendProof(
  keys: Keys,
  project: Project,
  kind: LinkMailKind,
  { token, email, code, isKnownDevice = false }: MailedProof,
  check?: (found: OneTimeToken) => void,
): Promise<OneTimeToken | undefined> {
  const writer = authWriter(project.database);
  if (!token) return spendCode(keys, writer, { kind, email: email ?? '', code: code ?? '', isKnownDevice });
  return writer.transaction().execute(async (transaction) => {
    const spent = await spendToken(transaction, kind, token);
    if (spent) check?.(spent);
    return spent;
  });
}

/**
 * Marks the e-mail as verified, in the transaction of a sign-in that proves it. The account may have been
 * created by somebody else before, so its password, sessions, pending tokens, factors and identities are
 * deleted, except the identity in `provedWith` (pre-account hijacking).
 */
export async function claimEmail(
  transaction: Transaction<AuthTables>,
  user: UserRow,
  provedWith?: IdentityKey,
): Promise<UserRow> {
  if (user.email_verified === 1) return user;
  await deleteSessions(transaction, user.id);
  await deleteUserTokens(transaction, user.id);
  await deleteFactors(transaction, user.id);
  await deleteIdentities(transaction, user.id, provedWith);
  return (await updateUser(transaction, user.id, { email_verified: 1, password_hash: null })) ?? user;
}
