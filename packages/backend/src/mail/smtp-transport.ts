import type { MailTransport, OutgoingMail, RefusedRecipient } from './mail-transport.ts';
import { parseSender, type Sender } from './parse-sender.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** A server that does not answer is given up, so that no mail waits for ever; the next try may find it well. */
const LIMITS = {
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

export interface SmtpTransportOptions {
  /**
   * `smtp://[user:password@]host[:port]`: encrypted by STARTTLS when the server offers it; `smtps://…`: by TLS from
   * the first byte. A certificate that is not trusted is refused.
   */
  url: string;
  /** `Fabrica <mail@example.org>`, or the address alone. */
  from: string;
}

/**
 * Hands mails to an SMTP server, over a few connections that are kept open for the next ones. Throws an Error when
 * `url` or `from` is none.
 */
export function createSmtpTransport({ url, from }: SmtpTransportOptions): MailTransport {
  if (!URL.canParse(url) || !['smtp:', 'smtps:'].includes(new URL(url).protocol)) {
    throw new Error('The address of the mail server must begin with smtp:// or smtps://.');
  }
  const sender = parseSender(from);
  let transport: ReturnType<typeof openTransport> | undefined;
  let closed = false;
  return {
    async send(mail) {
      requireSendable(mail);
      if (closed) throw new Error('The transport is closed.');
      transport ??= openTransport(url, sender);
      const { rejected, rejectedErrors = [] } = await (await transport).sendMail(toSmtp(mail, sender));
      return rejected.map((address): RefusedRecipient => {
        const error = rejectedErrors.find(({ recipient }) => recipient === address);
        return { address, permanent: error?.permanent === true };
      });
    },
    async close() {
      closed = true;
      (await transport)?.close({ force: true });
    },
  };
}

function toSmtp(mail: OutgoingMail, sender: Sender) {
  const { to, cc, replyTo, from = sender, subject, html, text, headers, messageId } = mail;
  return {
    from,
    to: typeof to === 'string' ? { name: '', address: to } : [...to],
    ...(cc && { cc: [...cc] }),
    ...(replyTo && { replyTo }),
    // Whom it goes to is said here alone: hidden recipients are in no header, and those who have it get it once.
    envelope: { from: from.address, to: [...(mail.only ?? recipientsOf(mail))] },
    subject,
    html,
    text,
    // Nobody's holiday notice answers a mail that says this (RFC 3834).
    headers: { 'Auto-Submitted': 'auto-generated', ...headers },
    ...(messageId && { messageId }),
    attachments: (mail.attachments ?? []).map(({ filename, contentType, disposition, cid, content }) => ({
      filename,
      contentType,
      contentDisposition: disposition,
      content,
      encoding: 'base64' as const,
      ...(cid !== null && { cid }),
    })),
  };
}

/** The package is read with the first mail: a server that sends none does not pay for it at each start. */
async function openTransport(url: string, sender: Sender) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    // Whoever sends decides about another try; the pool has none of its own.
    { ...LIMITS, url, pool: true, maxRequeues: 0, disableFileAccess: true, disableUrlAccess: true },
    { from: sender },
  );
}
