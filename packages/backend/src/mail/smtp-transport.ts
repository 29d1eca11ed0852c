import type { MailTransport, OutgoingMail, RefusedRecipient } from './mail-transport.ts';
import { parseSender, type Sender } from './parse-sender.ts';
import { recipientsOf, requireSendable } from './require-sendable.ts';

/** Milliseconds. A try fails when the server does not respond in time. */
const TIMEOUTS = {
  connectionTimeout: 10_000,
  dnsTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 20_000,
};

export interface SmtpTransportOptions {
  /**
   * `smtp://[user:password@]host[:port]` encrypts by STARTTLS if the server offers it; `smtps://…` encrypts from the first
   * byte. A certificate that is not trusted is refused.
   */
  url: string;
  /** `Fabrica <mail@example.org>`, or the email address alone. */
  from: string;
}

/** Sends mails to an SMTP server, over a few connections that stay open. Throws an Error for an invalid `url` or `from`. */
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
    async verify() {
      transport ??= openTransport(url, sender);
      await (await transport).verify();
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
    // The envelope decides who gets the mail: bcc recipients are in no header, and nobody gets it twice.
    envelope: { from: from.address, to: [...(mail.only ?? recipientsOf(mail))] },
    subject,
    html,
    text,
    // Tells automatic responders, such as vacation notices, not to reply (RFC 3834).
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

/** Loads the package with the first mail, so that a server that sends none starts faster. */
async function openTransport(url: string, sender: Sender) {
  const { createTransport } = await import('nodemailer');
  return createTransport(
    // The delivery worker decides about retries, so the pool must not retry.
    { ...TIMEOUTS, url, pool: true, maxRequeues: 0, disableFileAccess: true, disableUrlAccess: true },
    { from: sender },
  );
}
