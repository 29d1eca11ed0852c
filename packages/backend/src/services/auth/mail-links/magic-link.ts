import type { Proof } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { newUser, publishUser } from '../accounts/user.ts';
import { recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { type AuthTables, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { type OpenSession, openSession, type SignInInfo } from '../sessions/open-session.ts';
import { claimEmail, spendProof } from './prove-email.ts';

/**
 * Signs in by a mailed token or code, and creates the account when there is none. Throws
 * `MAGIC_LINK_EXPIRED`, and `USER_NOT_FOUND` for a disabled account.
 */
export async function signInByMail(
  { keys, bus }: Pick<AuthContext, 'keys' | 'bus'>,
  project: Project,
  { proof, ip, ...info }: Omit<SignInInfo, 'method'> & { proof: Proof; ip: string | null },
): Promise<OpenSession> {
  const spent = await spendProof(keys, project, 'magic-link', proof);
  const email = spent?.email;
  if (!email) throw authError('MAGIC_LINK_EXPIRED');
  const { session, isNew } = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const known = await findUserByEmail(transaction, email);
      if (known && known.disabled_at !== null) throw authError('USER_NOT_FOUND');
      const user = known ? await claimEmail(transaction, known) : await register(transaction, project, email);
      const entry = { userId: user.id, ip, device: info.device };
      if (!known) await recordEvent(transaction, { event: 'sign-up', ...entry });
      await recordEvent(transaction, { event: 'sign-in', ...entry, details: { method: 'magic-link' } });
      return {
        session: await openSession(transaction, project, user, { ...info, method: 'magic-link' }),
        isNew: !known,
      };
    });
  if (isNew) publishUser(bus, project, { before: null, after: session.user });
  return session;
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
