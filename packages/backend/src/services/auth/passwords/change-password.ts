import type { Proof } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { claimEmail, spendProof } from '../mail-links/prove-email.ts';
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

/** Milliseconds after signing in during which a password may be set without the old one. */
const FRESH_MS = 10 * 60_000;

/**
 * Sets a password and ends every other session. Throws `UNAUTHENTICATED` when this session ended while the
 * password was hashed: after a sign-out everywhere or a reset, nobody else's password may take effect.
 */
async function setPassword(
  { passwords }: Pick<AuthContext, 'passwords'>,
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
}

/**
 * Replaces a password. Throws `INVALID_CREDENTIALS` when the old one is wrong or there is none, and
 * `WEAK_PASSWORD`.
 */
export async function changePassword(
  context: Pick<AuthContext, 'passwords'>,
  session: UserSession,
  { oldPassword, newPassword, source }: { oldPassword: string; newPassword: string; source: RequestSource },
): Promise<void> {
  const { user } = session;
  if (!(await context.passwords.verify(oldPassword, user.password_hash)))
    throw authError('INVALID_CREDENTIALS');
  requireGoodPassword(newPassword, user.email);
  await setPassword(context, session, { password: newPassword, source });
}

/**
 * Sets a password without the old one, right after signing in. Throws `WEAK_PASSWORD`, and
 * `INVALID_CREDENTIALS` when the session is older than ten minutes, so that a stolen phone cannot take over
 * the account.
 */
export async function setOwnPassword(
  context: Pick<AuthContext, 'passwords'>,
  session: UserSession,
  change: { password: string; source: RequestSource },
): Promise<void> {
  const { project, user, sessionId } = session;
  requireGoodPassword(change.password, user.email);
  const since = (await findSession(authReader(project.database), sessionId))?.created_at ?? 0;
  if (Date.now() - since > FRESH_MS) throw authError('INVALID_CREDENTIALS');
  await setPassword(context, session, change);
}

/**
 * Sets a new password by a mailed token or code, ends all sessions and marks the e-mail as verified. Throws
 * `VERIFICATION_FAILED`, and `WEAK_PASSWORD` without spending the token.
 */
export async function resetPassword(
  { keys, passwords }: Pick<AuthContext, 'keys' | 'passwords'>,
  project: Project,
  { password, source, ...proof }: Proof & { password: string; source: RequestSource },
): Promise<void> {
  requireGoodPassword(password, proof.email ?? '');
  const spent = await spendProof(keys, project, 'reset-password', proof, ({ email }) =>
    requireGoodPassword(password, email ?? ''),
  );
  const user = spent?.userId ? await findUser(authReader(project.database), spent.userId) : undefined;
  if (!user) throw authError('VERIFICATION_FAILED');
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
}
