import type { RoleMap } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { SendHttpRequest } from '../http/http.ts';
import type { ClientSession } from './session/client-session.ts';

/** The dependencies of all parts of `AuthClient`. */
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

/** The token of the link in a mail, or the recipient's e-mail address and the code from that mail. */
export type MailProof = { token: string } | { email: string; code: string };

export interface MailOptions {
  /** A page of an allowed origin. The link in the mail passes its unused token to that page. */
  redirectUrl?: string | undefined;
  /** A path on the backend's own pages that the link leads to; used if there is no `redirectUrl`. */
  returnTo?: string | undefined;
}
