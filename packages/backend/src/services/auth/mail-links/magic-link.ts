import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { newUser, publishUser } from '../accounts/user.ts';
import { recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { type AuthTables, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { openSession, type SignInInfo, type SignInOutcome } from '../sessions/open-session.ts';
import { claimEmail, type MailedProof, spendProof } from './prove-email.ts';

/**
 * Signs in by a mailed token or code, and creates the account when there is none. Throws
 * `MAGIC_LINK_EXPIRED`, and `USER_NOT_FOUND` for a disabled account.
 */
export async function signInByMail(
  context: Pick<AuthContext, 'keys' | 'settings' | 'bus'>,
  project: Project,
  { proof, ...info }: Omit<SignInInfo, 'method'> & { proof: MailedProof },
): Promise<SignInOutcome> {
  const { keys, bus } = context;
  const spent = await spendProof(keys, project, 'magic-link', proof);
  const email = spent?.email;
  if (!email) throw authError('MAGIC_LINK_EXPIRED');
  const { outcome, isNew } = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const known = await findUserByEmail(transaction, email);
      if (known && known.disabled_at !== null) throw authError('USER_NOT_FOUND');
      const user = known ? await claimEmail(transaction, known) : await register(transaction, project, email);
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
