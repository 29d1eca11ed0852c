import type { SignUpRequest } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { type Origin, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { parseEmail, refusal, requireGoodPassword } from '../routes/auth-errors.ts';
import { newUser } from './new-user.ts';

export interface SignUpFacts extends Origin {
  language: string | null;
}

/** Makes an account of the project's sign-up role. Throws INVALID_EMAIL, WEAK_PASSWORD, EMAIL_ALREADY_EXISTS. */
export async function signUp(
  { passwords }: Pick<AuthContext, 'passwords'>,
  project: Project,
  { email: given, password, displayName }: Omit<SignUpRequest, 'projectId'>,
  { language, ...origin }: SignUpFacts,
): Promise<UserRow> {
  const email = parseEmail(given);
  requireGoodPassword(password, email);
  if (await findUserByEmail(authReader(project.database), email)) throw refusal('EMAIL_ALREADY_EXISTS');
  const user = newUser(project, {
    email,
    display_name: displayName ?? null,
    password_hash: await passwords.hash(password),
    language,
  });
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      // Two sign-ups of one address at the same moment: the database lets one in.
      if (!(await insertUser(transaction, user))) throw refusal('EMAIL_ALREADY_EXISTS');
      await recordEvent(transaction, { event: 'sign-up', userId: user.id, ...origin });
    });
  return user;
}
