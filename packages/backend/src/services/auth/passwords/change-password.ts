import type { Proof } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { type Origin, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { claimAddress, spendProof } from '../mail-links/prove-email.ts';
import {
  authReader,
  authWriter,
  deleteSessions,
  deleteUserTokens,
  findSession,
  findUser,
  updateUser,
} from '../queries.ts';
import { refusal, requireGoodPassword } from '../routes/auth-errors.ts';
import { invalidToken } from '../sessions/access-token.ts';
import type { Session } from '../sessions/authenticate.ts';

/** Milliseconds after signing in for which a new password may be set without the old one. */
const FRESH_MS = 10 * 60_000;

/**
 * Sets a password; every other session ends. Throws UNAUTHENTICATED when this one ended while the password was hashed:
 * whoever signs out everywhere, or resets the password, is not to find a stranger's in its place.
 */
async function setPassword(
  { passwords }: Pick<AuthContext, 'passwords'>,
  { project, user, sessionId }: Session,
  { password, origin }: { password: string; origin: Origin },
): Promise<void> {
  const password_hash = await passwords.hash(password);
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      if (!(await findSession(transaction, sessionId))) throw invalidToken();
      await updateUser(transaction, user.id, { password_hash });
      await deleteSessions(transaction, user.id, sessionId);
      await deleteUserTokens(transaction, user.id);
      await recordEvent(transaction, { event: 'password-changed', userId: user.id, ...origin });
    });
}

/** Throws INVALID_CREDENTIALS when the old password is wrong (or there is none), WEAK_PASSWORD. */
export async function changePassword(
  context: Pick<AuthContext, 'passwords'>,
  session: Session,
  { oldPassword, newPassword, origin }: { oldPassword: string; newPassword: string; origin: Origin },
): Promise<void> {
  const { user } = session;
  if (!(await context.passwords.verify(oldPassword, user.password_hash)))
    throw refusal('INVALID_CREDENTIALS');
  requireGoodPassword(newPassword, user.email);
  await setPassword(context, session, { password: newPassword, origin });
}

/**
 * Sets a password without the old one, right after signing in. Throws
 * INVALID_CREDENTIALS when the session is older than that: a lost phone must not lose the account. WEAK_PASSWORD.
 */
export async function setOwnPassword(
  context: Pick<AuthContext, 'passwords'>,
  session: Session,
  change: { password: string; origin: Origin },
): Promise<void> {
  const { project, user, sessionId } = session;
  requireGoodPassword(change.password, user.email);
  const since = (await findSession(authReader(project.database), sessionId))?.created_at ?? 0;
  if (Date.now() - since > FRESH_MS) throw refusal('INVALID_CREDENTIALS');
  await setPassword(context, session, change);
}

/**
 * Sets the password of whoever got the mail; all sessions end, and the address is proved. Throws
 * VERIFICATION_FAILED, WEAK_PASSWORD (which leaves the token as it is).
 */
export async function resetPassword(
  { keys, passwords }: Pick<AuthContext, 'keys' | 'passwords'>,
  project: Project,
  { password, origin, ...proof }: Proof & { password: string; origin: Origin },
): Promise<void> {
  requireGoodPassword(password, proof.email ?? '');
  const spent = await spendProof(keys, project, 'reset-password', proof, ({ email }) =>
    requireGoodPassword(password, email ?? ''),
  );
  const user = spent?.userId ? await findUser(authReader(project.database), spent.userId) : undefined;
  if (!user) throw refusal('VERIFICATION_FAILED');
  const password_hash = await passwords.hash(password);
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await claimAddress(transaction, user);
      await updateUser(transaction, user.id, { password_hash });
      await deleteSessions(transaction, user.id);
      await deleteUserTokens(transaction, user.id);
      await recordEvent(transaction, { event: 'password-reset', userId: user.id, ...origin });
    });
}
