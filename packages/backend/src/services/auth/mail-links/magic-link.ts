import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { newUser, publishUser } from '../accounts/user.ts';
import { recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { type AuthTables, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { openSession, type SignInInfo, type SignInOutcome } from '../sessions/open-session.ts';
import { type ClaimedProof, proveEmail } from './prove-email.ts';

/**
 * Signs in by a mailed token or code, and creates the account when there is none. Throws
 * `MAGIC_LINK_EXPIRED`, `USER_NOT_FOUND` for a disabled account, and what `proveEmail` throws.
 */
export async function signInByMail(
  context: Pick<AuthContext, 'keys' | 'passwords' | 'requireUnbreached' | 'settings' | 'bus'>,
  project: Project,
  { claimed, ...info }: Omit<SignInInfo, 'method'> & { claimed: ClaimedProof },
): Promise<SignInOutcome> {
  const { bus } = context;
  const proven = await proveEmail(context, project, 'magic-link', claimed);
  const email = proven?.email;
  if (!email) throw authError('MAGIC_LINK_EXPIRED');
  const { outcome, isNew } = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const known = await findUserByEmail(transaction, email);
      if (known && known.disabled_at !== null) throw authError('USER_NOT_FOUND');
      const user = known
        ? await proven.accept(transaction, known)
        : await register(transaction, project, email);
      const { ip, device } = info;
      if (!known) await recordEvent(transaction, { event: 'sign-up', userId: user.id, ip, device });
      const signIn = { ...info, user, method: 'magic-link' } as const;
      return { outcome: await openSession(context, transaction, project, signIn), isNew: !known };
    });
  if (isNew) publishUser(bus, project, { before: null, after: outcome.user });
  return outcome;
}

async function register(
  transaction: Transaction<AuthTables>,
  project: Project,
  email: string,
): Promise<UserRow> {
  const user = newUser(project, { email, email_verified: 1 });
  await insertUser(transaction, user);
  return user;
}
