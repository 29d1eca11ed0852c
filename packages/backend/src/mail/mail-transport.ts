export interface MailAddress {
  /** Blank when there is none. */
  name: string;
  address: string;
}

export interface MailAttachment {
  filename: string;
  contentType: string;
  disposition: 'attachment' | 'inline';
  /** The Content-ID by which the HTML refers to it: `<img src="cid:…">`. */
  cid: string | null;
  /** Base64. */
  content: string;
}

/** A mail as a transport sends it. */
export interface OutgoingMail {
  /** One plain email address, or several with names. */
  to: string | readonly MailAddress[];
  cc?: readonly MailAddress[] | undefined;
  bcc?: readonly MailAddress[] | undefined;
  /** Default: the sender of the transport. */
  from?: MailAddress | undefined;
  /** The name of that sender unless it has one of its own. */
  senderName?: string | undefined;
  replyTo?: MailAddress | undefined;
  subject: string;
  /** Either this or `text` may be blank. */
  html: string;
  text: string;
  headers?: Readonly<Record<string, string>> | undefined;
  /** In angle brackets. It is the same for every try, so that mail programs recognise a mail that arrives twice. */
  messageId?: string | undefined;
  attachments?: readonly MailAttachment[] | undefined;
  /** The recipients that have not got the mail yet; all of them by default. */
  only?: readonly string[] | undefined;
}

/** A mail to one recipient. */
export interface MailMessage extends OutgoingMail {
  to: string;
}

/** A recipient that the server refused, while it accepted others of the same mail. */
export interface RefusedRecipient {
  address: string;
  /** True when trying again is of no use. */
  permanent: boolean;
}

/** Sends mails by SMTP, or stores them in a folder. */
export interface MailTransport {
  /**
   * Resolves once the server has accepted the mail, or it is on the disk, with the recipients that were refused. Rejects
   * when nobody gets the mail; `permanent` of the error tells whether trying again is of no use.
   */
  send(mail: OutgoingMail): Promise<readonly RefusedRecipient[]>;
  close(): Promise<void>;
}

/** The mails that sign-in sends. The product writes their texts (see `RenderMail`). */
export type AuthMailKind = 'verify-email' | 'magic-link' | 'reset-password';

export interface AuthMail {
  kind: AuthMailKind;
  /** The recipient's language, one of the project's `languages`. */
  language: string;
  /** The URL of the product's page with the button. */
  link: string;
  /** Minutes that the link is valid. */
  linkMinutes: number;
  /** Six digits. */
  code: string;
  /** Minutes that the code is valid. */
  codeMinutes: number;
  /** The URL of the site. */
  siteUrl: string;
}

export interface RenderedMail {
  /** Shown as the sender unless `MAIL_FROM` has a name. */
  senderName?: string | undefined;
  subject: string;
  html: string;
  text: string;
}

/** Writes the subject and the texts of a mail. */
export type RenderMail = (mail: AuthMail) => Promise<RenderedMail>;
