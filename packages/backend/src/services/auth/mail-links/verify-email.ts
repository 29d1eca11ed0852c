import type { Project } from '../../../database/project.ts';
import { hasSignedUpFrom, type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';
import { authReader, authWriter, findUser, findUserByEmail, type UserRow, updateUser } from '../queries.ts';
import { findTokenOwner } from './one-time-token.ts';
import { claimEmail, type MailedProof, spendProof } from './prove-email.ts';

export interface EmailVerification {
  proof: MailedProof;
  /** The account of the session that makes the call, if there is one. */
  sessionUserId: string | undefined;
  /** The account's password; `null` from a caller that asked for it in vain, `undefined` from one that does not ask. */
  password: string | null | undefined;
  priority: HashingPriority;
  source: RequestSource;
}

/**
 * Marks an account's e-mail as verified. The owner of the mailbox need not be who created the account: unless the caller
 * also has a session of the account or its password, or calls from the network that it was created from, its sessions,
 * password and identities end (see `claimEmail`). Throws
 * `VERIFICATION_FAILED`, and `INVALID_CREDENTIALS` for a wrong password, without spending the token.
 */
export async function verifyEmail(
  { keys, passwords }: Pick<AuthContext, 'keys' | 'passwords'>,
  project: Project,
  { proof, sessionUserId, password, priority, source }: EmailVerification,
): Promise<void> {
  let ownerId = sessionUserId;
  if (password) {
    const user = await findProvenUser(project, proof);
    if (!(await passwords.verify(password, user?.password_hash, priority)))
      throw authError('INVALID_CREDENTIALS');
    ownerId = user?.id;
  }
  const spent = await spendProof(keys, project, 'verify-email', proof);
  const userId = spent?.userId;
  if (!userId) throw authError('VERIFICATION_FAILED');
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (!user) throw authError('VERIFICATION_FAILED');
      const isOwner =
        ownerId === userId ||
        (password === undefined && (await hasSignedUpFrom(transaction, userId, source)));
      if (isOwner) await updateUser(transaction, userId, { email_verified: 1 });
      else await claimEmail(transaction, user);
      await recordEvent(transaction, { event: 'email-verified', userId, ...source });
    });
}

/** Returns the account that a proof is for, without spending it. */
async function findProvenUser(
  { database }: Project,
  { token, email }: MailedProof,
): Promise<UserRow | undefined> {
  const reader = authReader(database);
  if (!token) return findUserByEmail(reader, email ?? '');
  const id = await findTokenOwner(reader, 'verify-email', token);
  return id === undefined ? undefined : findUser(reader, id);
}
