import type { EmailClaim, Proof } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import { AppError } from '../../../core/errors.ts';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { LinkMailKind } from '../../../mail/index.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { deleteFactors } from '../factors/factor-queries.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import {
  type AuthTables,
  authReader,
  authWriter,
  deleteIdentities,
  deleteSessions,
  deleteUserTokens,
  findUserByEmail,
  type IdentityKey,
  type UserRow,
  updateUser,
} from '../queries.ts';
import {
  type CheckToken,
  findTokenEmail,
  type OneTimeToken,
  spendCode,
  spendToken,
} from './one-time-token.ts';

/** A mailed token, or the code that stands beside it. */
export type MailedProof = Proof & {
  /** Whether somebody has signed in to the account in this browser before. Strangers cannot use up its tries. */
  isKnownDevice?: boolean;
};

/** What a call that proves an e-mail knows of the account's person. */
export interface ClaimedProof extends EmailClaim {
  proof: MailedProof;
  /** The account of the session that makes the call, if there is one. */
  sessionUserId: string | undefined;
  /** How urgently passwords are hashed. */
  priority: HashingPriority;
}

interface ProvenEmail extends OneTimeToken {
  /** Marks the e-mail of the account as verified, in the transaction of the sign-in or verification. */
  accept(transaction: Transaction<AuthTables>, user: UserRow): Promise<UserRow>;
}

/**
 * Spends a mailed token, or the code that stands beside it. Returns `undefined` when it is not valid or no
 * longer valid.
 */
export function spendProof(
  keys: Keys,
  project: Project,
  kind: LinkMailKind,
  { token, email, code, isKnownDevice = false }: MailedProof,
  check?: CheckToken,
): Promise<OneTimeToken | undefined> {
  const writer = authWriter(project.database);
  if (!token) {
    const typed = { kind, email: email ?? '', code: code ?? '', isKnownDevice };
    return spendCode(keys, writer, typed, check);
  }
  return writer.transaction().execute(async (transaction) => {
    const spent = await spendToken(transaction, kind, token);
    if (spent) await check?.(spent, transaction);
    return spent;
  });
}

/**
 * Spends the proof of a sign-in by mail or a verification: both have one rule. Whoever has the mailbox need not be who made
 * the account: unless the call also has a session of the account or its password, all of before ends (see `claimEmail`).
 * Returns `undefined` for a proof that is not valid. Throws, without spending it, `INVALID_CREDENTIALS` for a wrong password,
 * and with `details.endsPassword` when the call asks first and a password would end; `WEAK_PASSWORD` for a new one.
 */
export async function proveEmail(
  {
    keys,
    passwords,
    requireUnbreached,
    settings,
  }: Pick<AuthContext, 'keys' | 'passwords' | 'requireUnbreached' | 'settings'>,
  project: Project,
  kind: 'verify-email' | 'magic-link',
  { proof, password, newPassword, askFirst, sessionUserId, priority }: ClaimedProof,
): Promise<ProvenEmail | undefined> {
  let ownerId = sessionUserId;
  if (password) {
    const user = await findProvenUser(project, kind, proof);
    if (!(await passwords.verify(password, user?.password_hash, priority)))
      throw authError('INVALID_CREDENTIALS');
    ownerId = user?.id;
  }
  if (newPassword) await requireUnbreached(newPassword);
  const spent = await spendProof(keys, project, kind, proof, async ({ email }, connection) => {
    if (newPassword) return requireGoodPassword(newPassword, email ?? '', settings.ownWords);
    const user = askFirst && email ? await findUserByEmail(connection, email) : undefined;
    if (user?.email_verified !== 0 || user.password_hash === null || user.id === ownerId) return;
    throw new AppError('INVALID_CREDENTIALS', 'The password of this account would end.', {
      details: { endsPassword: true },
    });
  });
  if (!spent) return undefined;
  const password_hash = newPassword ? await passwords.hash(newPassword, priority) : null;
  return {
    ...spent,
    async accept(transaction, user) {
      if (user.email_verified === 1) return user;
      const isOwner = user.id === ownerId && password_hash === null;
      const changes = isOwner ? { email_verified: 1 } : { password_hash };
      const claimed = isOwner ? user : await claimEmail(transaction, user);
      return (await updateUser(transaction, user.id, changes)) ?? claimed;
    },
  };
}

/** Returns the account that a proof is for, without spending it. */
async function findProvenUser(
  { database }: Project,
  kind: LinkMailKind,
  { token, email }: MailedProof,
): Promise<UserRow | undefined> {
  const reader = authReader(database);
  const owner = token ? await findTokenEmail(reader, kind, token) : email;
  return owner ? findUserByEmail(reader, owner) : undefined;
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
