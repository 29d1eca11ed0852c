import { CODE_MINUTES, LINK_MINUTES } from '@fabrica/contract';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthMailKind, MailQueue, RenderMail } from '../../../mail/index.ts';
import { authWriter } from '../queries.ts';
import type { AuthPages } from '../settings.ts';
import { type IssuedToken, issueToken } from './one-time-token.ts';

export interface AuthMailRequest {
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

export type QueueAuthMail = (project: Project, request: AuthMailRequest) => void;

/** The page that each kind of mail leads to. */
const PAGES = {
  'verify-email': 'verifyEmail',
  'magic-link': 'magicLink',
  'reset-password': 'resetPassword',
} as const satisfies Record<AuthMailKind, keyof AuthPages>;

/** Where links in mails redirectToPage. */
export interface LinkTarget {
  publicUrl: string;
  pages: AuthPages;
}

export interface AuthMailsOptions {
  keys: Keys;
  mailQueue: Pick<MailQueue, 'post'>;
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
}: AuthMailsOptions): QueueAuthMail {
  return (project, request) =>
    mailQueue.post(project, request.kind, async () => {
      const { token, code } = await issueMailToken(keys, project, request, { withCode: true });
      const mail = await render({
        kind: request.kind,
        language: request.language,
        link: mailLink({ publicUrl, pages }, request, token),
        linkMinutes: LINK_MINUTES[request.kind],
        code: code ?? '',
        codeMinutes: CODE_MINUTES,
        siteUrl: publicUrl,
      });
      // A link that is no good any more is sent to nobody.
      const delivery = { userId: request.userId, usefulMs: LINK_MINUTES[request.kind] * 60_000 };
      return hasRecipient(request) ? { to: request.email, ...mail, ...delivery } : undefined;
    });
}

/** Nobody without an account has a password to forget; a link to sign in makes the account. */
function hasRecipient({ kind, userId }: AuthMailRequest): boolean {
  return userId !== null || kind === 'magic-link';
}

/** The token of a mail; also for the operator's servers, which write mails of their own. */
export function issueMailToken(
  keys: Keys,
  project: Project,
  { kind, email, userId }: Pick<AuthMailRequest, 'kind' | 'email' | 'userId'>,
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
type LinkOptions = Pick<AuthMailRequest, 'kind' | 'redirectUrl' | 'returnTo'> &
  Partial<Pick<AuthMailRequest, 'language'>>;

/** A page of ours with a button; nothing happens when it is merely opened. */
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
