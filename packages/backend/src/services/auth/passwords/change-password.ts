import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { claimEmail, type MailedProof, spendProof } from '../mail-links/prove-email.ts';
import {
  authReader,
  authWriter,
  deleteSessions,
  deleteUserTokens,
  findSession,
  findUser,
  updateUser,
} from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';
import type { UserSession } from '../sessions/authenticate.ts';
import { requireGoodPassword } from './password-rules.ts';

/**
 * Sets a password, ends every other session and tells the owner. The caller has required a fresh proof. Throws
 * `UNAUTHENTICATED` when this session ended while the password was hashed: after a sign-out everywhere or a reset, nobody
 * else's password may take effect.
 */
export async function setPassword(
  { passwords, notifyOwner }: Pick<AuthContext, 'passwords' | 'notifyOwner'>,
  { project, user, sessionId }: UserSession,
  { password, source }: { password: string; source: RequestSource },
): Promise<void> {
  const password_hash = await passwords.hash(password);
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      if (!(await findSession(transaction, sessionId))) throw invalidToken();
      await updateUser(transaction, user.id, { password_hash });
      await deleteSessions(transaction, user.id, sessionId);
      await deleteUserTokens(transaction, user.id);
      await recordEvent(transaction, { event: 'password-changed', userId: user.id, ...source });
    });
  notifyOwner(project, user, { kind: 'password-changed', device: source.device });
}

/** The sentence of the code is about an e-mail that could not be verified. */
const SPENT = 'This link or code has been used already, or its time is up. Please request a new email.';

/**
 * Sets a new password by a mailed token or code, ends all sessions and marks the e-mail as verified. Throws
 * `VERIFICATION_FAILED`, and `WEAK_PASSWORD` without spending the token.
 */
export async function resetPassword(
  {
    keys,
    passwords,
    requireUnbreached,
    notifyOwner,
    settings: { ownWords },
  }: Pick<AuthContext, 'keys' | 'passwords' | 'requireUnbreached' | 'notifyOwner' | 'settings'>,
  project: Project,
  { password, source, ...proof }: MailedProof & { password: string; source: RequestSource },
): Promise<void> {
  requireGoodPassword(password, proof.email ?? '', ownWords);
  await requireUnbreached(password);
  const spent = await spendProof(keys, project, 'reset-password', proof, async ({ email }) =>
    requireGoodPassword(password, email ?? '', ownWords),
  );
  const user = spent?.userId ? await findUser(authReader(project.database), spent.userId) : undefined;
  if (!user) throw new AppError('VERIFICATION_FAILED', SPENT);
  const password_hash = await passwords.hash(password);
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await claimEmail(transaction, user);
      await updateUser(transaction, user.id, { password_hash });
      await deleteSessions(transaction, user.id);
      await deleteUserTokens(transaction, user.id);
      await recordEvent(transaction, { event: 'password-reset', userId: user.id, ...source });
    });
  notifyOwner(project, user, { kind: 'password-changed', device: source.device });
}
