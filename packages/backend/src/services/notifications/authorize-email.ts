import { type ParsedEmail, parseFrom } from '@fabrica/contract/schemas';
import type { Caller, UserCaller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import type { MailAddress, Sender } from '../../mail/index.ts';
import { findRecipient } from './queries.ts';

/** The callers that may send emails. */
export type EmailCaller = Exclude<Caller, { kind: 'anonymous' }>;

type Recipients = Pick<ParsedEmail, 'to' | 'cc' | 'bcc'>;

/**
 * Returns the recipients of a user's email, with the address exactly as it was verified. Throws FORBIDDEN unless all of
 * them are the user: users must not be able to write to strangers.
 */
export async function requireOwnAddress(
  { database }: Project,
  caller: UserCaller,
  { to, cc, bcc }: Recipients,
): Promise<Recipients> {
  const user = await findRecipient(database, caller.id);
  if (!user || user.email_verified === 0) {
    throw new AppError('FORBIDDEN', 'Please verify your email address before you write to it.');
  }
  const own = (list: readonly MailAddress[]) =>
    list.map(({ name, address }) => {
      if (address.toLowerCase() === user.email) return { name, address: user.email };
      throw new AppError(
        'FORBIDDEN',
        'You may write to your own address only; others are written to with the secret key.',
      );
    });
  return { to: own(to), cc: cc && own(cc), bcc: bcc && own(bcc) };
}

/**
 * Returns the sender that a caller with the secret key asks for, or undefined for the operator's. Its address must be in
 * the operator's domain: projects share a mail server, and none may write in the name of other domains. Throws
 * UNVERIFIED_SENDER, VALIDATION_FAILED.
 */
export function authorizeSender(
  from: string | null | undefined,
  caller: EmailCaller,
  sender: Sender,
): MailAddress | undefined {
  if (!from?.trim() || caller.kind === 'user') return undefined;
  const parsed = parseFrom(from);
  if (!parsed) {
    throw new AppError('VALIDATION_FAILED', '"from" must be a name, an address, or a name and an <address>.');
  }
  if (parsed.address === null) return { name: parsed.name, address: sender.address };
  const domain = domainOf(sender.address);
  if (domainOf(parsed.address) !== domain) {
    throw new AppError('UNVERIFIED_SENDER', `Emails are sent from addresses of ${domain} only.`);
  }
  return { name: parsed.name, address: parsed.address };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
