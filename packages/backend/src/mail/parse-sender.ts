import addressparser from 'nodemailer/lib/addressparser';
import { isPlainAddress } from './require-sendable.ts';

export interface Sender {
  /** Blank when there is none. */
  name: string;
  address: string;
}

/**
 * Parses `Fabrica <mail@example.org>`, or the email address alone. Throws an Error for anything else, such as two
 * addresses, or one with a line break.
 */
export function parseSender(from: string): Sender {
  const [sender, ...others] = /\p{Cc}/u.test(from) ? [] : addressparser(from);
  if (!sender?.address || others.length > 0 || !isPlainAddress(sender.address)) {
    throw new Error(`"${from}" is no sender: write an address, or a name and the address as Name <address>.`);
  }
  return { name: sender.name, address: sender.address };
}
