import { AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import type { Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import { type OpenSession, openSession } from './open-session.ts';
import type { PasswordHasher } from './password.ts';
import { authReader, authWriter, deleteExpiredTokens, findUserByEmail, updateUser } from './queries.ts';

/**
 * `email` is trimmed and lower-cased. Throws INVALID_CREDENTIALS, alike for a wrong password and an unknown
 * address, and after the same work.
 */
export async function signIn(
  project: Project,
  passwords: PasswordHasher,
  { email, password }: { email: string; password: string },
): Promise<OpenSession> {
  const known = await findUserByEmail(authReader(project.database), email);
  if (!(await passwords.verify(password, known?.password_hash)) || !known) throw invalidCredentials();
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const now = Date.now();
      const user = await updateUser(transaction, known.id, { last_sign_in_at: now });
      // The account may have been deleted while its password was checked.
      if (!user) throw invalidCredentials();
      await deleteExpiredTokens(transaction, user.id, now);
      return openSession(transaction, project, user);
    });
}

function invalidCredentials(): ServiceError {
  return new ServiceError('INVALID_CREDENTIALS', AUTH_ERROR_MESSAGES.INVALID_CREDENTIALS);
}
