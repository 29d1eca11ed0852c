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
  /** Resolves when the server can be reached and lets us in. Rejects with its error. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** The mails with a link that sign-in sends. The product writes their texts (see `RenderMail`). */
export type LinkMailKind = 'verify-email' | 'magic-link' | 'reset-password';

interface MailFrame {
  /** The recipient's language, one of the project's `languages`. */
  language: string;
  /** The URL of the site. */
  siteUrl: string;
}

/** A mail with a link, and with a code that can be typed in its place. */
export interface LinkMail extends MailFrame {
  kind: LinkMailKind;
  /** The URL of the product's page with the button. */
  link: string;
  /** Minutes that the link is valid. */
  linkMinutes: number;
  /** Digits. */
  code: string;
  /** Minutes that the code is valid. */
  codeMinutes: number;
}

/** A mail with a code alone, by which its recipient confirms a change of the account. */
interface ConfirmationMail extends MailFrame {
  kind: 'confirm-change';
  code: string;
  codeMinutes: number;
}

/** Names the events that the owner of an account is notified of after they have happened; of a changed role, all admins are. */
const OWNER_NOTICES = [
  'password-changed',
  'account-deleted',
  'data-exported',
  'provider-linked',
  'new-device',
  'factor-added',
  'factor-removed',
  'factors-reset',
  'recovery-codes-made',
  'recovery-code-used',
  'codes-guessed',
  'role-changed',
] as const;

export type OwnerNoticeKind = (typeof OWNER_NOTICES)[number];

/** A mail to the owner of an account about what has happened there. It has no link that does anything. */
interface OwnerNotice extends MailFrame {
  kind: OwnerNoticeKind;
  /** ISO 8601. */
  at: string;
  /** Browser and system in words; `null` when they are not known. */
  device: string | null;
  /** The name of what it is about, such as an identity provider. */
  subject?: string | undefined;
}

export type AuthMail = LinkMail | ConfirmationMail | OwnerNotice;

export interface RenderedMail {
  /** Shown as the sender unless `MAIL_FROM` has a name. */
  senderName?: string | undefined;
  subject: string;
  html: string;
  text: string;
}

/** Writes the subject and the texts of a mail. */
export type RenderMail = (mail: AuthMail) => Promise<RenderedMail>;
