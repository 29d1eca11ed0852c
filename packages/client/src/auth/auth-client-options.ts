import type { RoleMap } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { Send } from '../http/http.ts';
import type { Session } from './session/client-session.ts';

/** What every part of `Auth` is made of. */
export interface AuthOptions {
  session: Session;
  send: Send;
  projectId: string;
  origin: string;
  window?: WindowLike | undefined;
  roles: RoleMap;
  authMode: 'headless' | 'managed';
  /** Epoch milliseconds. */
  now: () => number;
}

/** The token of a mail's link, or the address that the mail went to and the six digits that stand beside the link. */
export type MailProof = { token: string } | { email: string; code: string };

export interface MailOptions {
  /** An allowed origin's page that the link of the mail hands its token on to, unspent. */
  redirectUrl?: string | undefined;
  /** Where on the backend's own pages the link leads on to; used when there is no `redirectUrl`. */
  returnTo?: string | undefined;
}
