import { type ParsedEmail, parseFrom } from '@fabrica/contract/schemas';
import type { Caller, UserCaller } from '../../core/caller.ts';
import { AppError } from '../../core/errors.ts';
import type { Project } from '../../database/project.ts';
import type { MailAddress, Sender } from '../../mail/index.ts';
import { findRecipient } from './queries.ts';

/** Who may have mails sent. */
export type Writer = Exclude<Caller, { kind: 'anonymous' }>;

type Recipients = Pick<ParsedEmail, 'to' | 'cc' | 'bcc'>;

/**
 * The recipients of a user's mail, each at the address that was verified, letter for letter. Throws FORBIDDEN unless
 * all of them are the user: this is nobody's way to write to strangers.
 */
export async function addressToSelf(
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
 * Who the mail comes from: what the secret key asked for, else the operator's sender. The address must be of the
 * operator's own domain: several projects share one mail server, and none of them is to write in another's name.
 * Throws UNVERIFIED_SENDER, VALIDATION_FAILED.
 */
export function senderOf(
  from: string | null | undefined,
  caller: Writer,
  sender: Sender,
): MailAddress | undefined {
  if (!from?.trim() || caller.kind === 'user') return undefined;
  const asked = parseFrom(from);
  if (!asked) {
    throw new AppError('VALIDATION_FAILED', '"from" must be a name, an address, or a name and an <address>.');
  }
  if (asked.address === null) return { name: asked.name, address: sender.address };
  const domain = domainOf(sender.address);
  if (domainOf(asked.address) !== domain) {
    throw new AppError('UNVERIFIED_SENDER', `Emails are sent from addresses of ${domain} only.`);
  }
  return { name: asked.name, address: asked.address };
}

function domainOf(address: string): string {
  return address.slice(address.lastIndexOf('@') + 1).toLowerCase();
}
