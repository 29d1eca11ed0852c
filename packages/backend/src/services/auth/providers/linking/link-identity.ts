import { emailAddress, profileUpdate } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import { AppError } from '../../../../core/errors.ts';
import type { Project } from '../../../../database/project.ts';
import { newUser } from '../../accounts/user.ts';
import { type AuditEvent, type RequestSource, recordEvent } from '../../audit.ts';
import { authError } from '../../auth-errors.ts';
import { claimEmail } from '../../mail-links/prove-email.ts';
import {
  type AuthTables,
  findIdentity,
  findUser,
  findUserByEmail,
  insertIdentity,
  insertUser,
  type UserRow,
} from '../../queries.ts';
import type { Identity } from '../identity-provider.ts';
import type { ProviderLink } from './link-proof.ts';

interface ProviderSignIn {
  provider: { id: string; label: string };
  identity: Identity;
  source: RequestSource;
  /** The language of a new account. */
  language: string | null;
}

interface LinkedUser {
  user: UserRow;
  isNew: boolean;
  /** The link to an account of before, which its owner has to confirm first. */
  link?: ProviderLink;
}

type Step = { transaction: Transaction<AuthTables>; project: Project; providerSignIn: ProviderSignIn };

/**
 * Returns the account for a provider's identity: the one that is linked to it; else the one with the same
 * e-mail, if the provider has verified that e-mail; else a new one. An account whose own e-mail is verified is linked once
 * its owner has shown a fresh proof: an e-mail may belong to somebody else by now, or a provider may be wrong. Throws `EMAIL_ALREADY_EXISTS` when the
 * provider has not verified it, `VERIFICATION_FAILED` without an e-mail, and `USER_NOT_FOUND` for a disabled
 * account.
 */
export async function linkIdentity(
  transaction: Transaction<AuthTables>,
  project: Project,
  providerSignIn: ProviderSignIn,
): Promise<LinkedUser> {
  const step: Step = { transaction, project, providerSignIn };
  const { provider, identity } = providerSignIn;
  const known = await findIdentity(transaction, { provider: provider.id, subject: identity.subject });
  const returning = known && (await findUser(transaction, known.user_id));
  if (returning) return { user: await acceptUser(step, returning), isNew: false };

  const email = emailAddress.safeParse(identity.email ?? '').data;
  if (!email) throw missingEmail(provider.label);
  const sameAddress = await findUserByEmail(transaction, email);
  if (!sameAddress) return { user: await register(step, email), isNew: true };
  if (!identity.emailVerified) throw authError('EMAIL_ALREADY_EXISTS');
  if (sameAddress.email_verified === 1) {
    const link = { provider: provider.id, label: provider.label, subject: identity.subject, email };
    return { user: await acceptUser(step, sameAddress), isNew: false, link };
  }
  await insertIdentity(transaction, { ...identityRow(step, sameAddress), email });
  const user = await acceptUser(step, sameAddress);
  await record(step, 'provider-linked', user);
  return { user, isNew: false };
}

/**
 * Returns the account as it may sign in. When the provider proves an e-mail that was never verified here, all
 * other ways into the account are closed (see `claimEmail`). Throws `USER_NOT_FOUND` for a disabled account.
 */
async function acceptUser(step: Step, user: UserRow): Promise<UserRow> {
  const { transaction, providerSignIn } = step;
  const { provider, identity } = providerSignIn;
  if (user.disabled_at !== null) throw authError('USER_NOT_FOUND');
  const proved = identity.emailVerified && emailAddress.safeParse(identity.email).data === user.email;
  if (user.email_verified === 1 || !proved) return user;
  await record(step, 'email-verified', user);
  return claimEmail(transaction, user, { provider: provider.id, subject: identity.subject });
}

async function register(step: Step, email: string): Promise<UserRow> {
  const { transaction, project, providerSignIn } = step;
  const { identity, language } = providerSignIn;
  const { displayName, photoURL } = profileUpdate.shape;
  const user = newUser(project, {
    email,
    email_verified: identity.emailVerified ? 1 : 0,
    // Values that exceed our limits are left out: a long name is no reason to refuse a sign-up.
    display_name: displayName.safeParse(identity.name).data ?? null,
    photo_url: photoURL.safeParse(identity.pictureUrl).data ?? null,
    language,
  });
  if (!(await insertUser(transaction, user))) throw authError('EMAIL_ALREADY_EXISTS');
  await insertIdentity(transaction, { ...identityRow(step, user), email });
  await record(step, 'sign-up', user);
  return user;
}

function identityRow({ providerSignIn: { provider, identity } }: Step, user: UserRow) {
  return { provider: provider.id, subject: identity.subject, user_id: user.id, created_at: Date.now() };
}

function record({ transaction, providerSignIn }: Step, event: AuditEvent, user: UserRow): Promise<void> {
  const { source, provider } = providerSignIn;
  return recordEvent(transaction, { event, userId: user.id, ...source, details: { provider: provider.id } });
}

function missingEmail(label: string): AppError {
  return new AppError(
    'VERIFICATION_FAILED',
    `${label} did not tell us an e-mail address. Please allow it to, or sign in another way.`,
  );
}
