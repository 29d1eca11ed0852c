import type { MailMessage } from '../../src/mail/mail-transport.ts';
import { fixedKey } from '../fixed-key.ts';

/** The keys with which the outboxes of tests are sealed. */
export const MAIL_KEYS = { refreshKeys: fixedKey(Buffer.alloc(32)) };

export const FROM = 'Fabrica – Medizin & Kunst <post@fabrica.example.org>';

/** Builds a mail with non-ASCII letters, long lines and lines that begin with a dot. */
export function buildMail(changes: Partial<MailMessage> = {}): MailMessage {
  return {
    to: 'ada@example.org',
    subject: 'Bestätigen Sie Ihre Adresse für Fabrica: größer, schöner, überall und ohne Umstände',
    html: `<p>Grüße &amp; <a href="https://fabrica.example.org/auth/verify?token=${'t'.repeat(90)}">weiter</a></p>`,
    text: `Grüße\n\nhttps://fabrica.example.org/auth/verify?token=${'t'.repeat(90)}\n\n. und … – “fertig” 123456\n`,
    ...changes,
  };
}
