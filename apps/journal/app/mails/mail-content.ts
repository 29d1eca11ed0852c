/**
 * A request of the backend to render a mail. It repeats the backend's own `AuthMail`, because the app imports no types
 * from the backend. The compiler compares the two where the server passes `renderMail` to the backend.
 */
export type AuthMail = LinkMail | ConfirmationMail | OwnerNotice;

interface MailFrame {
  /** The recipient's language. A mail in a language that the journal does not have is rendered in English. */
  language: string;
  /** The origin of the site that sends the mail. */
  siteUrl: string;
}

export interface LinkMail extends MailFrame {
  kind: 'verify-email' | 'magic-link' | 'reset-password';
  /** The URL of the page that the button opens. */
  link: string;
  linkMinutes: number;
  /** Digits. */
  code: string;
  codeMinutes: number;
}

/** A mail with a code alone, by which the owner confirms a change of the account. */
export interface ConfirmationMail extends MailFrame {
  kind: 'confirm-change';
  code: string;
  codeMinutes: number;
}

/** A mail to the owner of an account about what has happened there. */
export interface OwnerNotice extends MailFrame {
  kind:
    | 'password-changed'
    | 'account-deleted'
    | 'data-exported'
    | 'provider-linked'
    | 'new-device'
    | 'factor-added'
    | 'factor-removed'
    | 'factors-reset'
    | 'recovery-codes-made'
    | 'recovery-code-used'
    | 'codes-guessed'
    /** An admin is told; the subject is the account with its roles. */
    | 'role-changed';
  /** ISO 8601. */
  at: string;
  /** Browser and system in words; null when they are not known. */
  device: string | null;
  /** The name of what it is about, such as an identity provider. */
  subject?: string | undefined;
}

/** A request of the backend to render a mail about what others did. It repeats the backend's own `Notice`. */
export interface Notice {
  kind: string;
  /** The recipient's language. A mail in a language that the journal does not have is rendered in English. */
  language: string;
  /** The row of the post. */
  about: Readonly<Record<string, string | number | boolean | null>>;
  /** The rows of the comments, newest first. */
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
  /** The number of comments, with those that `rows` leaves out. */
  total: number;
  stopLink: string;
  siteUrl: string;
}

/** Holds what mails show of the site in the recipient's language. */
export interface MailSite {
  name: string;
  /** Null where the operator has written none. */
  tagline: string | null;
}

interface RenderedMail {
  /** Shown as the sender unless the operator's setting has a name. */
  senderName: string;
  subject: string;
  html: string;
  text: string;
}

export type RenderMail = (mail: AuthMail, site: MailSite) => Promise<RenderedMail>;
/** Resolves to `undefined` for a kind that the journal has no texts for. */
export type RenderNotice = (notice: Notice, site: MailSite) => Promise<RenderedMail | undefined>;

/** The parts that every mail has, for its HTML and its text. */
interface CommonContent {
  language: string;
  siteName: string;
  tagline: string;
  siteUrl: string;
  subject: string;
  title: string;
  lead: string;
}

/** The content of a mail about comments, for its HTML and its text. */
export interface CommentsContent extends CommonContent {
  comments: readonly { id: string; name: string; text: string }[];
  /** Empty when the mail has all comments. */
  more: string;
  button: string;
  link: string;
  why: string;
  stop: string;
  stopLink: string;
}

/** The content of a mail without a link, for its HTML and its text. */
export interface AccountContent extends CommonContent {
  /** Set in large type; empty in a mail without one. */
  code: string;
  /** Further paragraphs. */
  notes: readonly string[];
}

/** The content of a mail with a link and a code, for its HTML and its text. */
export interface MailContent extends CommonContent {
  button: string;
  link: string;
  linkLead: string;
  linkValid: string;
  code: string;
  codeLead: string;
  codeValid: string;
  /** Warnings and advice at the end. */
  notes: readonly string[];
}
