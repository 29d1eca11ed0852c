export interface EmailAttachment {
  filename: string;
  /** The server fetches the file from this URL; either this or `content` is required. */
  url?: string;
  /** Base64. */
  content?: string;
  /** Media type. Default: the type that the URL was served with, else `application/octet-stream`. */
  type?: string;
  disposition?: 'attachment' | 'inline';
  /** The id by which the HTML refers to it: `<img src="cid:…">`. */
  cid?: string;
}

/** A mail. Recipients are e-mail addresses, with or without a name: `Ada <ada@example.org>`. */
export interface EmailRequest {
  to: string | readonly string[];
  subject: string;
  /** Either this or `text` is required. */
  html?: string;
  text?: string;
  /** A name, or an e-mail address of the service's own domain. Requires the secret key. */
  from?: string;
  replyTo?: string;
  cc?: string | readonly string[];
  bcc?: string | readonly string[];
  attachments?: readonly EmailAttachment[];
}

export interface EmailResponse {
  /** The mail is stored in the outbox. */
  success: true;
  /** Includes the angle brackets. */
  messageId: string;
}

/** Says for each kind of mail about other people's actions whether the account wants it. */
export interface NotificationSettings {
  notices: Record<string, boolean>;
}

/** The most recipients of one mail: to, cc and bcc together. */
export const MAX_EMAIL_RECIPIENTS = 50;
export const MAX_EMAIL_ATTACHMENTS = 20;
/** The most bytes of all attachments of a mail together: 10 MB. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** The most characters of the HTML, and of the text. */
export const MAX_EMAIL_CHARACTERS = 1_000_000;

export const EMAIL_INCOMPLETE = 'An email needs "to", "subject" and "html" or "text".';
