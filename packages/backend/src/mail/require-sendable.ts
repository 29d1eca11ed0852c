import type { OutgoingMail } from './mail-transport.ts';

/** Matches an email address without the characters that could end it in a header or an SMTP command. */
const PLAIN_ADDRESS = /^[^\s\p{C}<>()[\],;:\\"@]+@[^\s\p{C}<>()[\],;:\\"@]+$/u;
const LINE_BREAK_OR_CONTROL = /[\p{Cc}\u2028\u2029]/u;

export function isPlainAddress(address: string): boolean {
  return PLAIN_ADDRESS.test(address);
}

/** Returns whether a text stays on the line of its header. */
function isOneLine(text: string): boolean {
  return !LINE_BREAK_OR_CONTROL.test(text);
}

/** Returns the email addresses of all recipients, each once. */
export function recipientsOf({ to, cc = [], bcc = [] }: OutgoingMail): string[] {
  const named = [...(typeof to === 'string' ? [{ address: to }] : to), ...cc, ...bcc];
  return [...new Set(named.map(({ address }) => address))];
}

/**
 * Throws for recipients that are not plain email addresses, and for texts that would begin another header line. The error
 * has `permanent: true`, like nodemailer's own: trying again is of no use.
 */
export function requireSendable(mail: OutgoingMail): void {
  const recipients = recipientsOf(mail);
  if (recipients.length === 0 || !recipients.every(isPlainAddress)) {
    throw unsendable('A mail goes to plain addresses.');
  }
  const { to, cc = [], bcc = [], from, replyTo, headers = {}, attachments = [] } = mail;
  const people = [...(typeof to === 'string' ? [] : to), ...cc, ...bcc, from, replyTo];
  const lines = [
    mail.subject,
    ...people.flatMap((one) => (one ? [one.name, one.address] : [])),
    ...Object.entries(headers).flat(),
    ...attachments.flatMap(({ filename, contentType, cid }) => [filename, contentType, cid ?? '']),
  ];
  if (!lines.every(isOneLine)) throw unsendable('What stands in the head of a mail must be one line.');
}

function unsendable(reason: string): Error {
  return Object.assign(new Error(reason), { permanent: true });
}
