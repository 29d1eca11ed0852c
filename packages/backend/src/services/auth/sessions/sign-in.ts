import type { Project } from '../../../database/project.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, findUser, findUserByEmail, type UserRow } from '../queries.ts';
import { refusal } from '../routes/auth-errors.ts';
import { type OpenSession, openSession, type SignInFacts } from './open-session.ts';

export interface SignInAttempt {
  /** Trimmed and lower-cased. */
  email: string;
  password: string;
}

/**
 * The user whose password this is. Throws INVALID_CREDENTIALS, alike for a wrong password and an unknown address, and
 * after the same work.
 */
export async function requirePassword(
  { passwords }: Pick<AuthContext, 'passwords'>,
  project: Project,
  { email, password }: SignInAttempt,
): Promise<UserRow> {
  const known = await findUserByEmail(authReader(project.database), email);
  if (!(await passwords.verify(password, known?.password_hash)) || !known) {
    throw refusal('INVALID_CREDENTIALS');
  }
  return known;
}

export interface Entrant extends SignInFacts {
  userId: string;
  address: string | null;
  /** Of the password that was checked, where there was one. */
  passwordHash?: string | null;
}

/**
 * Opens a session for a user who has shown who it is. Throws USER_NOT_FOUND for one who is disabled or was deleted
 * meanwhile, INVALID_CREDENTIALS for a password that another one replaced while it was checked, and EMAIL_NOT_VERIFIED
 * where the project wants an address that is.
 */
export function enter(
  { settings }: Pick<AuthContext, 'settings'>,
  project: Project,
  { userId, address, passwordHash, ...facts }: Entrant,
): Promise<OpenSession> {
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const user = await findUser(transaction, userId);
      if (!user || user.disabled_at !== null) throw refusal('USER_NOT_FOUND');
      if (passwordHash !== undefined && passwordHash !== user.password_hash) {
        throw refusal('INVALID_CREDENTIALS');
      }
      if (settings.requireVerifiedEmail && user.email_verified === 0) throw refusal('EMAIL_NOT_VERIFIED');
      const { method, device } = facts;
      await recordEvent(transaction, { event: 'sign-in', userId, address, device, details: { method } });
      return openSession(transaction, project, user, facts);
    });
}
