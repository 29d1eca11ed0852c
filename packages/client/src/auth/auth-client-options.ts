import type { RoleMap } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { SendHttpRequest } from '../http/http.ts';
import type { ClientSession } from './session/client-session.ts';

/** What every part of `Auth` is made of. */
export interface AuthClientOptions {
  session: ClientSession;
  send: SendHttpRequest;
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
