import { CODE_MINUTES, LINK_MINUTES } from '@fabrica/contract';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { RateLimits } from '../../../http/rate-limit.ts';
import type { LinkMailKind, MailQueue, RenderMail } from '../../../mail/index.ts';
import { authWriter } from '../queries.ts';
import { codeDigits } from '../routes/limits.ts';
import type { AuthPages } from '../settings.ts';
import { type IssuedToken, issueToken } from './one-time-token.ts';

interface AuthMailRequest {
  kind: LinkMailKind;
  /** Trimmed and lower-cased. */
  email: string;
  /** `null` for an e-mail that has no account yet. */
  userId: string | null;
  language: string;
  /**
   * A URL of an allowed origin that our page passes the token to; `null` when our page uses the token itself.
   */
  redirectUrl?: string | null | undefined;
  /** A path of this site to continue to. */
  returnTo?: string | null | undefined;
}

export type QueueAuthMail = (project: Project, request: AuthMailRequest) => void;

/** The page that each kind of mail links to. */
const PAGES = {
  'verify-email': 'verifyEmail',
  'magic-link': 'magicLink',
  'reset-password': 'resetPassword',
} as const satisfies Record<LinkMailKind, keyof AuthPages>;

/** The site that links in mails point to. */
interface LinkTarget {
  publicUrl: string;
  pages: AuthPages;
}

interface AuthMailsOptions {
  keys: Keys;
  limits: RateLimits;
  mailQueue: Pick<MailQueue, 'enqueueLater'>;
  render: RenderMail;
  publicUrl: string;
  pages: AuthPages;
}

/**
 * Returns a function that issues the token, link and code, renders the mail and queues it, all in the
 * background. When there is no recipient, everything but the sending is done: otherwise the load right after
 * the request would tell whether the account exists.
 */
export function createAuthMails({
  keys,
  limits,
  mailQueue,
  render,
  publicUrl,
  pages,
}: AuthMailsOptions): QueueAuthMail {
  return (project, request) =>
    mailQueue.enqueueLater(project, request.kind, async () => {
      const whose = { projectId: project.definition.id, account: request.email };
      const digits = await codeDigits(limits, whose);
      const { token, code } = await issueMailToken(keys, project, request, digits);
      const mail = await render({
        kind: request.kind,
        language: request.language,
        link: mailLink({ publicUrl, pages }, request, token),
        linkMinutes: LINK_MINUTES[request.kind],
        code: code ?? '',
        codeMinutes: CODE_MINUTES,
        siteUrl: publicUrl,
      });
      // A mail whose link has expired is not sent.
      const delivery = { userId: request.userId, usefulMs: LINK_MINUTES[request.kind] * 60_000 };
      return hasRecipient(request) ? { to: request.email, ...mail, ...delivery } : undefined;
    });
}

/**
 * Returns whether anybody is to get the mail: without an account there is no password to reset, but a sign-in
 * link creates the account.
 */
function hasRecipient({ kind, userId }: AuthMailRequest): boolean {
  return userId !== null || kind === 'magic-link';
}

/** Issues the token of a mail. The operator's own servers use it too, to write mails of their own. */
export function issueMailToken(
  keys: Keys,
  project: Project,
  { kind, email, userId }: Pick<AuthMailRequest, 'kind' | 'email' | 'userId'>,
  codeDigits = 0,
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
        codeDigits,
      }),
    );
}

/** The page of a link has the language of its mail, whatever browser opens it. */
type LinkOptions = Pick<AuthMailRequest, 'kind' | 'redirectUrl' | 'returnTo'> &
  Partial<Pick<AuthMailRequest, 'language'>>;

/** Returns the URL of a page with a button. Opening the page spends nothing. */
export function mailLink(
  { publicUrl, pages }: LinkTarget,
  { kind, redirectUrl, returnTo, language }: LinkOptions,
  token: string,
): string {
  const link = new URL(pages[PAGES[kind]], publicUrl);
  link.searchParams.set('token', token);
  if (language) link.searchParams.set('lang', language);
  if (redirectUrl) link.searchParams.set('redirect_url', redirectUrl);
  else if (returnTo) link.searchParams.set('return_to', returnTo);
  return link.href;
}
