import { type ParsedEmail, parseFrom } from '@fabrica/contract/schemas';
import type { Caller } from '../http/caller.ts';
import type { Project } from '../http/environment.ts';
import { ServiceError } from '../http/errors.ts';
import type { MailAddress, Sender } from '../mail/index.ts';
import { findRecipient } from './queries.ts';

type SignedIn = Exclude<Caller, { kind: 'anonymous' }>;

/** Throws FORBIDDEN unless the mail goes from a user to itself alone: this is nobody's way to write to strangers. */
export async function requireOwnAddress(
  { database }: Project,
  caller: SignedIn,
  { to, cc, bcc }: ParsedEmail,
): Promise<void> {
  if (caller.kind === 'service') return;
  const user = await findRecipient(database, caller.id);
  if (!user || user.email_verified === 0) {
    throw new ServiceError('FORBIDDEN', 'Please verify your email address before you write to it.');
  }
  const recipients = [...to, ...(cc ?? []), ...(bcc ?? [])];
  if (recipients.every(({ address }) => address.toLowerCase() === user.email)) return;
  throw new ServiceError(
    'FORBIDDEN',
    'You may write to your own address only; others are written to with the secret key.',
  );
}

/**
 * Who the mail comes from: what the secret key asked for, else the operator's sender. The address must be of the
 * operator's own domain: several projects share one mail server, and none of them is to write in another's name.
 * Throws UNVERIFIED_SENDER, VALIDATION_FAILED.
 */
export function senderOf(
  from: string | null | undefined,
  caller: SignedIn,
  sender: Sender,
): MailAddress | undefined {
  if (!from?.trim() || caller.kind === 'user') return undefined;
  const asked = parseFrom(from);
  if (!asked) {
    throw new ServiceError(
      'VALIDATION_FAILED',
      '"from" must be a name, an address, or a name and an <address>.',
    );
  }
  if (asked.address === null) return { name: asked.name, address: sender.address };
  const domain = domainOf(sender.address);
  if (domainOf(asked.address) !== domain) {
    throw new ServiceError('UNVERIFIED_SENDER', `Emails are sent from addresses of ${domain} only.`);
  }
  return { name: asked.name, address: asked.address };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
