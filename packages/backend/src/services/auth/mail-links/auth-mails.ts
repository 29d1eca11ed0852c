import { CODE_MINUTES, LINK_MINUTES } from '@fabrica/contract';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthMailKind, MailQueue, RenderMail } from '../../../mail/index.ts';
import { authWriter } from '../queries.ts';
import type { AuthPages } from '../settings.ts';
import { type IssuedToken, issueToken } from './one-time-token.ts';

export interface MailOrder {
  kind: AuthMailKind;
  /** Trimmed and lower-cased. */
  email: string;
  /** Null for an address that has no account yet. */
  userId: string | null;
  language: string;
  /** Where the page of ours hands the token on to, of an allowed origin; null when it is spent here. */
  redirectUrl?: string | null | undefined;
  /** A path of ours to go on to. */
  returnTo?: string | null | undefined;
}

export type PostAuthMail = (project: Project, order: MailOrder) => void;

/** The page that each kind of mail leads to. */
const PAGES = {
  'verify-email': 'verifyEmail',
  'magic-link': 'magicLink',
  'reset-password': 'resetPassword',
} as const satisfies Record<AuthMailKind, keyof AuthPages>;

/** Where links in mails lead. */
export interface LinkTarget {
  publicUrl: string;
  pages: AuthPages;
}

export interface AuthMailsOptions {
  keys: Keys;
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  render: RenderMail;
  publicUrl: string;
  pages: AuthPages;
}

/**
 * Makes the token, the link and the code, has them put into words, and sends them: all of it in the background. Where
 * nobody is to be written to, all but the sending is done: a server that is busy a moment later would tell who has an
 * account.
 */
export function createAuthMails({
  keys,
  mailQueue,
  render,
  publicUrl,
  pages,
}: AuthMailsOptions): PostAuthMail {
  return (project, order) =>
    mailQueue.enqueueLater(project, order.kind, async () => {
      const { token, code } = await issueMailToken(keys, project, order, { withCode: true });
      const mail = await render({
        kind: order.kind,
        language: order.language,
        link: mailLink({ publicUrl, pages }, order, token),
        linkMinutes: LINK_MINUTES[order.kind],
        code: code ?? '',
        codeMinutes: CODE_MINUTES,
        siteUrl: publicUrl,
      });
      // A link that is no good any more is sent to nobody.
      const about = { userId: order.userId, usefulMs: LINK_MINUTES[order.kind] * 60_000 };
      return isForSomebody(order) ? { to: order.email, ...mail, ...about } : undefined;
    });
}

/** Nobody without an account has a password to forget; a link to sign in makes the account. */
function isForSomebody({ kind, userId }: MailOrder): boolean {
  return userId !== null || kind === 'magic-link';
}

/** The token of a mail; also for the operator's servers, which write mails of their own. */
export function issueMailToken(
  keys: Keys,
  project: Project,
  { kind, email, userId }: Pick<MailOrder, 'kind' | 'email' | 'userId'>,
  { withCode = false } = {},
): Promise<IssuedToken> {
  return authWriter(project.database)
    .transaction()
    .execute((transaction) =>
      issueToken(keys, transaction, {
        kind,
        projectId: project.definition.id,
        userId,
        email,
        lifetimeMs: LINK_MINUTES[kind] * 60_000,
        withCode,
      }),
    );
}

/** A mail's page is in the language of the mail, whatever browser it is opened in. */
type LinkOrder = Pick<MailOrder, 'kind' | 'redirectUrl' | 'returnTo'> & Partial<Pick<MailOrder, 'language'>>;

/** A page of ours with a button; nothing happens when it is merely opened. */
export function mailLink(
  { publicUrl, pages }: LinkTarget,
  { kind, redirectUrl, returnTo, language }: LinkOrder,
  token: string,
): string {
  const link = new URL(pages[PAGES[kind]], publicUrl);
  link.searchParams.set('token', token);
  if (language) link.searchParams.set('lang', language);
  if (redirectUrl) link.searchParams.set('redirect_url', redirectUrl);
  else if (returnTo) link.searchParams.set('return_to', returnTo);
  return link.href;
}
