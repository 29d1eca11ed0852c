import type { Project } from '../../../database/project.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { mustVerifyFirst } from '../factors/second-step.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';
import { authReader, authWriter, findUser, findUserByEmail, type UserRow } from '../queries.ts';
import { openSession, type SignInInfo, type SignInOutcome } from './open-session.ts';

export interface SignInAttempt {
  /** Trimmed and lower-cased. */
  email: string;
  password: string;
  priority: HashingPriority;
}

/**
 * Returns the user with this e-mail and password. Throws `INVALID_CREDENTIALS`, the same and after the same
 * work for a wrong password and an unknown e-mail.
 */
export async function requirePassword(
  { passwords }: Pick<AuthContext, 'passwords'>,
  project: Project,
  { email, password, priority }: SignInAttempt,
): Promise<UserRow> {
  const known = await findUserByEmail(authReader(project.database), email);
  if (!(await passwords.verify(password, known?.password_hash, priority)) || !known) {
    throw authError('INVALID_CREDENTIALS');
  }
  return known;
}

interface SignInOptions extends SignInInfo {
  userId: string;
  /** The hash of the password that was checked, if one was. */
  passwordHash?: string | null;
}

/**
 * Opens a session for a user whose identity was proved, or returns the second step that is to be taken first.
 * Throws `USER_NOT_FOUND` for an account that is disabled or was deleted in the meantime, `INVALID_CREDENTIALS`
 * for a password that was replaced while it was checked, and `EMAIL_NOT_VERIFIED` when the account has to
 * have a verified e-mail.
 */
export function signIn(
  context: Pick<AuthContext, 'keys' | 'settings'>,
  project: Project,
  { userId, passwordHash, ...info }: SignInOptions,
): Promise<SignInOutcome> {
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (!user || user.disabled_at !== null) throw authError('USER_NOT_FOUND');
      if (passwordHash !== undefined && passwordHash !== user.password_hash) {
        throw authError('INVALID_CREDENTIALS');
      }
      if (mustVerifyFirst(context.settings, user)) throw authError('EMAIL_NOT_VERIFIED');
      return openSession(context, transaction, project, { user, ...info });
    });
}
