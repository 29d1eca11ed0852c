import { randomUUID } from 'node:crypto';
import { AUTH_ERROR_MESSAGES } from '@fabrica/contract';
import { emailAddress, type SignUpRequest } from '@fabrica/contract/schemas';
import type { Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import { type OpenSession, openSession } from './open-session.ts';
import type { PasswordHasher } from './password.ts';
import { isWeakPassword } from './password-rules.ts';
import { authReader, authWriter, findUserByEmail, insertUser, type UserRow } from './queries.ts';

/** Makes an account of the project's sign-up role and signs it in. Throws INVALID_EMAIL, WEAK_PASSWORD, EMAIL_ALREADY_EXISTS. */
export async function signUp(
  project: Project,
  passwords: PasswordHasher,
  { email: given, password, displayName }: Omit<SignUpRequest, 'projectId'>,
): Promise<OpenSession> {
  const email = parseEmail(given);
  if (isWeakPassword(password, email)) {
    throw new ServiceError('WEAK_PASSWORD', AUTH_ERROR_MESSAGES.WEAK_PASSWORD);
  }
  if (await findUserByEmail(authReader(project.database), email)) throw emailTaken();
  const now = Date.now();
  const user: UserRow = {
    id: `user_${randomUUID()}`,
    email,
    display_name: displayName ?? null,
    photo_url: null,
    email_verified: 0,
    role: project.definition.signUpRole,
    password_hash: await passwords.hash(password),
    created_at: now,
    last_sign_in_at: now,
  };
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      // Two sign-ups of one address at the same moment: the database lets one in.
      if (!(await insertUser(transaction, user))) throw emailTaken();
      return openSession(transaction, project, user);
    });
}

function parseEmail(given: string): string {
  const parsed = emailAddress.safeParse(given);
  if (!parsed.success) throw new ServiceError('INVALID_EMAIL', AUTH_ERROR_MESSAGES.INVALID_EMAIL);
  return parsed.data;
}

function emailTaken(): ServiceError {
  return new ServiceError('EMAIL_ALREADY_EXISTS', AUTH_ERROR_MESSAGES.EMAIL_ALREADY_EXISTS);
}
