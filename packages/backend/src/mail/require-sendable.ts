import type { MailMessage } from './mailer.ts';

/** None of the characters that end an address, or begin another one, in a header or in an SMTP command. */
const PLAIN_ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;
const LINE_BREAK_OR_CONTROL = /[\p{Cc}\u2028\u2029]/u;

export function isPlainAddress(address: string): boolean {
  return PLAIN_ADDRESS.test(address);
}

/**
 * Throws for a mail to anything but one plain address, and for a subject that would begin another header line.
 * `permanent` of the error says that trying again is no use, as it does in nodemailer's own errors.
 */
export function requireSendable({ to, subject }: MailMessage): void {
  if (!isPlainAddress(to)) throw unsendable('The recipient of a mail must be one plain address.');
  if (LINE_BREAK_OR_CONTROL.test(subject)) throw unsendable('The subject of a mail must be one line.');
}

function unsendable(reason: string): Error {
  return Object.assign(new Error(reason), { permanent: true });
}
