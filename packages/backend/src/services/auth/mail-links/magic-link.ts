import type { Proof } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { newUser } from '../accounts/new-user.ts';
import { publishUser } from '../accounts/publish-user.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { type AuthTables, authWriter, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { refusal } from '../routes/auth-errors.ts';
import { type OpenSession, openSession, type SignInFacts } from '../sessions/open-session.ts';
import { claimAddress, spendProof } from './prove-email.ts';

/**
 * Signs in whoever got the mail, and makes the account when there is none. Throws MAGIC_LINK_EXPIRED, and
 * USER_NOT_FOUND for a disabled account.
 */
export async function enterByMail(
  { keys, bus }: Pick<AuthContext, 'keys' | 'bus'>,
  project: Project,
  { proof, address, ...facts }: Omit<SignInFacts, 'method'> & { proof: Proof; address: string | null },
): Promise<OpenSession> {
  const spent = await spendProof(keys, project, 'magic-link', proof);
  const email = spent?.email;
  if (!email) throw refusal('MAGIC_LINK_EXPIRED');
  const { session, isNew } = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const known = await findUserByEmail(transaction, email);
      if (known && known.disabled_at !== null) throw refusal('USER_NOT_FOUND');
      const user = known
        ? await claimAddress(transaction, known)
        : await register(transaction, project, email);
      const entry = { userId: user.id, address, device: facts.device };
      if (!known) await recordEvent(transaction, { event: 'sign-up', ...entry });
      await recordEvent(transaction, { event: 'sign-in', ...entry, details: { method: 'magic-link' } });
      return {
        session: await openSession(transaction, project, user, { ...facts, method: 'magic-link' }),
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
