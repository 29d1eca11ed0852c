import type { SignUpRequest } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError, parseEmail } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import type { HashingPriority } from '../passwords/password-hasher.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { authReader, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { newUser } from './user.ts';

interface SignUpInfo extends RequestSource {
  language: string | null;
  priority: HashingPriority;
}

/**
 * Creates an account of the project's sign-up role. Throws `INVALID_EMAIL`, `WEAK_PASSWORD`,
 * `EMAIL_ALREADY_EXISTS`.
 */
export async function signUp(
  {
    passwords,
    requireUnbreached,
    settings,
  }: Pick<AuthContext, 'passwords' | 'requireUnbreached' | 'settings'>,
  project: Project,
  { email: given, password, displayName }: Omit<SignUpRequest, 'projectId'>,
  { language, priority, ...source }: SignUpInfo,
): Promise<UserRow> {
  const email = parseEmail(given);
  requireGoodPassword(password, email, settings.ownWords);
  await requireUnbreached(password);
  if (await findUserByEmail(authReader(project.database), email)) throw authError('EMAIL_ALREADY_EXISTS');
  const user = newUser(project, {
    email,
    display_name: displayName ?? null,
    password_hash: await passwords.hash(password, priority),
    language,
  });
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      // Of two sign-ups with one e-mail at the same moment, the unique index accepts one.
      if (!(await insertUser(transaction, user))) throw authError('EMAIL_ALREADY_EXISTS');
      await recordEvent(transaction, { event: 'sign-up', userId: user.id, ...source });
    });
  return user;
}
