import type { MailRequest, RoleMap } from '@fabrica/contract';
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

/** Returns whether a call with `askFirst` was refused, as it would have ended a password. The proof is still good. */
export function endsPassword(error: unknown): boolean {
  const details = error instanceof Error && 'details' in error ? error.details : undefined;
  return typeof details === 'object' && details !== null && 'endsPassword' in details;
}

/** Returns the access token of the session, for a call that works without one too. */
export async function optionalBearer(session: ClientSession): Promise<string | undefined> {
  // A session that is over, or cannot be refreshed now, does not keep the call from being made.
  const token = (await session.stored()) && (await session.accessToken().catch(() => undefined));
  return token ?? undefined;
}

export type MailOptions = Pick<MailRequest, 'redirectUrl' | 'returnTo'>;
