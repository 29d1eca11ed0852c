import { emailAddress, profileUpdate } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { newUser } from '../accounts/new-user.ts';
import { type AuditEvent, type Origin, recordEvent } from '../audit.ts';
import { claimAddress } from '../mail-links/prove-email.ts';
import { type AuthTables, findUser, findUserByEmail, insertUser, type UserRow } from '../queries.ts';
import { refusal } from '../routes/auth-errors.ts';
import type { Identity } from './identity-provider.ts';
import { findIdentity, insertIdentity } from './identity-queries.ts';

export interface Arrival {
  provider: { id: string; label: string };
  identity: Identity;
  origin: Origin;
  /** Of a new account. */
  language: string | null;
}

export interface LinkedUser {
  user: UserRow;
  isNew: boolean;
}

type Step = { transaction: Transaction<AuthTables>; project: Project; arrival: Arrival };

/**
 * The account of whoever comes from a provider: the one that came this way before; else the one of the same address,
 * if the provider says that the address is the person's own; else a new one. Throws EMAIL_ALREADY_EXISTS when it does
 * not say so, VERIFICATION_FAILED without any address, USER_NOT_FOUND for a disabled account.
 */
export async function linkIdentity(
  transaction: Transaction<AuthTables>,
  project: Project,
  arrival: Arrival,
): Promise<LinkedUser> {
  const step: Step = { transaction, project, arrival };
  const { provider, identity } = arrival;
  const known = await findIdentity(transaction, { provider: provider.id, subject: identity.subject });
  const returning = known && (await findUser(transaction, known.user_id));
  if (returning) return { user: await welcome(step, returning), isNew: false };

  const email = emailAddress.safeParse(identity.email ?? '').data;
  if (!email) throw withoutAddress(provider.label);
  const sameAddress = await findUserByEmail(transaction, email);
  if (!sameAddress) return { user: await register(step, email), isNew: true };
  if (!identity.emailVerified) throw refusal('EMAIL_ALREADY_EXISTS');
  await insertIdentity(transaction, { ...identityRow(step, sameAddress), email });
  const user = await welcome(step, sameAddress);
  await record(step, 'provider-linked', user);
  return { user, isNew: false };
}

/**
 * Throws USER_NOT_FOUND. When the provider proves an address that was never verified here, whoever else had a way into
 * the account loses it (see `claimAddress`).
 */
async function welcome(step: Step, user: UserRow): Promise<UserRow> {
  const { transaction, arrival } = step;
  const { provider, identity } = arrival;
  if (user.disabled_at !== null) throw refusal('USER_NOT_FOUND');
  const proved = identity.emailVerified && emailAddress.safeParse(identity.email).data === user.email;
  if (user.email_verified === 1 || !proved) return user;
  await record(step, 'email-verified', user);
  return claimAddress(transaction, user, { provider: provider.id, subject: identity.subject });
}

async function register(step: Step, email: string): Promise<UserRow> {
  const { transaction, project, arrival } = step;
  const { identity, language } = arrival;
  const { displayName, photoURL } = profileUpdate.shape;
  const user = newUser(project, {
    email,
    email_verified: identity.emailVerified ? 1 : 0,
    // What does not fit our limits is left out: a name is no reason to turn somebody away.
    display_name: displayName.safeParse(identity.name).data ?? null,
    photo_url: photoURL.safeParse(identity.pictureUrl).data ?? null,
    language,
  });
  if (!(await insertUser(transaction, user))) throw refusal('EMAIL_ALREADY_EXISTS');
  await insertIdentity(transaction, { ...identityRow(step, user), email });
  await record(step, 'sign-up', user);
  return user;
}

function identityRow({ arrival: { provider, identity } }: Step, user: UserRow) {
  return { provider: provider.id, subject: identity.subject, user_id: user.id, created_at: Date.now() };
}

function record({ transaction, arrival }: Step, event: AuditEvent, user: UserRow): Promise<void> {
  const { origin, provider } = arrival;
  return recordEvent(transaction, { event, userId: user.id, ...origin, details: { provider: provider.id } });
}

function withoutAddress(label: string): AppError {
  return new AppError(
    'VERIFICATION_FAILED',
    `${label} did not tell us an e-mail address. Please allow it to, or sign in another way.`,
  );
}
