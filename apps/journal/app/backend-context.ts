import type { FabricaClient } from '@fabrica/client';
import type { SignInResponse, TokenSet } from '@fabrica/contract';
import { createContext, type RouterContext } from 'react-router';
import type { JournalPost } from '../project/entities.ts';
import type { Language } from '../project/languages.ts';
import type { ParseMarkdown } from '../project/markdown/parse-tree.ts';
import type { ContactDraft } from './contact/contact-draft.ts';
import type { Site } from './site/site.ts';

/** The server passes this to every loader and action. */
export interface PageBackend {
  /**
   * The client of the reader, who is signed in where the server keeps the session, and anonymous otherwise. Its calls do
   * not leave the process.
   */
  client: FabricaClient;
  /** The session that the server keeps for this reader. */
  session: KeptSession;
  cookies: ReaderCookies;
  /** The language that the page is rendered in. */
  language: Language;
  /** The journal's URL without a trailing slash. */
  publicUrl: string;
  /** The origin of the files' URLs; empty when it is the page's own origin. */
  storageOrigin: string;
  projectId: string;
  /** Parses Markdown beside the thread of the API. */
  parseMarkdown: ParseMarkdown;
  /** Reads the journal's site, in the page's language: also on a page for another project. */
  readSite(): Promise<Site>;
  /** Sends a message of the contact form to the operator. */
  sendContact(draft: ContactDraft): Promise<'sent' | 'limited' | 'failed'>;
  /** Returns the working copy that a secret link leads to; `null` when the link has expired or was withdrawn. */
  readPreview(token: string): Promise<{ post: JournalPost; expiresAt: number } | null>;
  /** Origins whose pages may show this one in a frame and give it tokens: those of the policy `frame-ancestors`. */
  parentOrigins: readonly string[];
  /** Tells whether tokens may be handed to the origin of this URL. */
  isAllowedOrigin(url: string): boolean;
  /**
   * Whether what is read may lack what was saved a moment ago: the primary of the database is away, and its replica is read.
   * What is not found may be there.
   */
  mayLackCommits: boolean;
  /** Whether a mail server is set. Without one, mails wait for the operator, and no page may promise them. */
  sendsMail: boolean;
  /** Whether there is a model of texts. Without one, no page may promise a translation. */
  hasModel: boolean;
  /** The identity providers that readers can sign in with, by the names that readers know. */
  providers: readonly { id: string; label: string }[];
  /** Marks the inline scripts of this page that the server may allow; it is not sent (see `takeScripts`). */
  scriptNonce: string;
  /** Logs an error that occurred while a page was rendered. */
  reportFailure(error: unknown): void;
}

/** The cookies that the reader's browser sent, and those of the response. */
export interface ReaderCookies {
  /** The Cookie header. */
  readonly header: string | undefined;
  /** Adds a Set-Cookie header to the response. */
  set(cookie: string): void;
}

/** The session that the server keeps in a cookie, for readers whose browser runs no script. */
export interface KeptSession {
  /** `null` when the server keeps none. */
  readonly tokens: SignInResponse | null;
  /** Keeps a session from the response on, in place of an earlier one. */
  keep(tokens: TokenSet): void;
  /** Keeps none from the response on. The session itself goes on. */
  release(): void;
}

/** The context is shared by a global symbol, as the built pages and the server each hold a copy of this module. */
const shared: { [key: symbol]: RouterContext<PageBackend> | undefined } = globalThis;
const key = Symbol.for('fabrica.backendContext');
shared[key] ??= createContext<PageBackend>();

export const backendContext: RouterContext<PageBackend> = shared[key];
