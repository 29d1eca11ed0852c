export interface MailAddress {
  /** Blank when there is none. */
  name: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  disposition: 'attachment' | 'inline';
  /** That the HTML names it by: `<img src="cid:…">`. */
  cid: string | null;
  /** Base64. */
  content: string;
}

/** A mail as a transport takes it. */
export interface OutgoingMail {
  /** One plain address, or several of them with names. */
  to: string | readonly MailAddress[];
  cc?: readonly MailAddress[] | undefined;
  bcc?: readonly MailAddress[] | undefined;
  /** Default: the transport's own sender. */
  from?: MailAddress | undefined;
  replyTo?: MailAddress | undefined;
  subject: string;
  /** This or the text may be blank. */
  html: string;
  text: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** In its angle brackets; the same at every try, so that a mail that came twice is known for one. */
  messageId?: string | undefined;
  attachments?: readonly MailAttachment[] | undefined;
  /** Those of the recipients that have not got it yet; all of them by default. */
  only?: readonly string[] | undefined;
}

/** A mail to one address. */
export interface MailMessage extends OutgoingMail {
  to: string;
}

/** Of a mail that was taken for others of its recipients. */
export interface RefusedRecipient {
  address: string;
  /** Asking again is no use. */
  permanent: boolean;
}

/** The way out for mails: SMTP, or a folder. */
export interface MailTransport {
  /**
   * Resolves once the mail is in somebody else's hands (or on the disk), with those recipients that it was refused
   * for; rejects when nobody gets it. `permanent` of the error says that trying again is no use.
   */
  send(mail: OutgoingMail): Promise<readonly RefusedRecipient[]>;
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

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Puts a mail into words. */
export type RenderMail = (mail: AuthMail) => Promise<RenderedMail>;
