/**
 * What the backend asks to be put into words. It says the same as the backend's own `AuthMail`: the app speaks to the
 * backend through the client only and takes no types from it. Where the two are put together, the compiler compares.
 */
export interface AuthMail {
  kind: 'verify-email' | 'magic-link' | 'reset-password';
  /** The recipient's; any other than ours is answered in English. */
  language: string;
  /** The page of ours with the button. */
  link: string;
  linkMinutes: number;
  /** Six digits. */
  code: string;
  codeMinutes: number;
  /** The address of the site that the mail speaks for. */
  siteUrl: string;
}

/** What the backend asks to be put into words about what others did; the same as its own `Notice`. */
export interface Notice {
  kind: string;
  /** The recipient's; any other than ours is answered in English. */
  language: string;
  /** The post, as its table has it. */
  about: Readonly<Record<string, string | number | boolean | null>>;
  /** Comments, the newest first. */
  rows: readonly Readonly<Record<string, string | number | boolean | null>>[];
  /** How many there are in all. */
  total: number;
  stopLink: string;
  siteUrl: string;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

export type RenderMail = (mail: AuthMail) => Promise<RenderedMail>;
/** Undefined for a kind that there are no words for. */
export type RenderNotice = (notice: Notice) => Promise<RenderedMail | undefined>;

/** All that a mail about comments says. */
export interface CommentsContent {
  language: string;
  siteName: string;
  tagline: string;
  siteUrl: string;
  subject: string;
  title: string;
  lead: string;
  comments: readonly { id: string; name: string; text: string }[];
  /** Blank when all of them are there. */
  more: string;
  button: string;
  link: string;
  why: string;
  stop: string;
  stopLink: string;
}

/** All that a mail says, ready to be laid out as HTML or as text. */
export interface MailContent {
  language: string;
  siteName: string;
  tagline: string;
  siteUrl: string;
  subject: string;
  title: string;
  lead: string;
  button: string;
  link: string;
  linkLead: string;
  linkValid: string;
  code: string;
  codeLead: string;
  codeValid: string;
  /** What to leave undone, and what to beware of. */
  notes: readonly string[];
}
