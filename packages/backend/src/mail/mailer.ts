/** A mail as it leaves us. */
export interface MailMessage {
  to: string;
  subject: string;
  html: string;
  text: string;
}

/** The way out for mails: SMTP, or an outbox on disk. */
export interface Mailer {
  /** Resolves once the mail is in somebody else's hands (or on the disk); rejects when it is not. */
  send(message: MailMessage): Promise<void>;
  close(): Promise<void>;
}

/** The mails that sign-in needs; who writes them is the product's to say (see `RenderMail`). */
export type AuthMailKind = 'verify-email' | 'magic-link' | 'reset-password';

export interface AuthMail {
  kind: AuthMailKind;
  /** A code of the project's `languages`: the recipient's. */
  language: string;
  /** The page of ours with the button. */
  link: string;
  /** Minutes that the link is good for. */
  linkMinutes: number;
  /** Six digits. */
  code: string;
  /** Minutes that the code is good for. */
  codeMinutes: number;
  /** The address of the site that the mail speaks for. */
  siteUrl: string;
}

/** Puts a mail into words. */
export type RenderMail = (mail: AuthMail) => Promise<Omit<MailMessage, 'to'>>;
