export interface EmailAttachment {
  filename: string;
  /** Where the file is fetched from, by the server; this or its content. */
  url?: string;
  /** Base64. */
  content?: string;
  /** Its media type; default: what it was fetched as, else `application/octet-stream`. */
  type?: string;
  disposition?: 'attachment' | 'inline';
  /** That the HTML names it by: `<img src="cid:…">`. */
  cid?: string;
}

/** Addresses are plain, or with a name as in `Ada <ada@example.org>`. */
export interface EmailRequest {
  to: string | readonly string[];
  subject: string;
  /** This, or the text, or both. */
  html?: string;
  text?: string;
  /** A name, or an address of the service's own domain; with the secret key only. */
  from?: string;
  replyTo?: string;
  cc?: string | readonly string[];
  bcc?: string | readonly string[];
  attachments?: readonly EmailAttachment[];
}

export interface EmailResponse {
  /** It is in the outbox, and will not be lost. */
  success: true;
  /** In its angle brackets. */
  messageId: string;
}

/** Mails about what others do, by their kind: are they wanted? */
export interface NotificationSettings {
  notices: Record<string, boolean>;
}

/** Recipients of one mail at most, everybody together. */
export const MAX_EMAIL_RECIPIENTS = 50;
export const MAX_EMAIL_ATTACHMENTS = 20;
/** Bytes of all attachments of a mail together: 10 MB. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** Characters of the HTML, and of the text, at most. */
export const MAX_EMAIL_CHARACTERS = 1_000_000;

export const EMAIL_INCOMPLETE = 'An email needs "to", "subject" and "html" or "text".';
