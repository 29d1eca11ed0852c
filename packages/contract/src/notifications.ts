export interface EmailResponse {
  /** The mail is stored in the outbox. */
  success: true;
  /** Includes the angle brackets. */
  messageId: string;
}

/** The most recipients of one mail: to, cc and bcc together. */
export const MAX_EMAIL_RECIPIENTS = 50;
export const MAX_EMAIL_ATTACHMENTS = 20;
/** The most bytes of all attachments of a mail together: 10 MB. */
export const MAX_ATTACHMENT_BYTES = 10 * 1024 * 1024;
/** The most characters of the HTML, and of the text. */
export const MAX_EMAIL_CHARACTERS = 1_000_000;

export const EMAIL_INCOMPLETE = 'An email needs "to", "subject" and "html" or "text".';
