import { looksLikeEmail } from '@fabrica/contract';
import { notSignedIn } from './errors.ts';

/** The one who makes a request: nobody known, a signed-in user, or the service role (the secret key). */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'user'; id: string; email: string; displayName: string | null; role: string }
  | { kind: 'service' };

export const anonymous: Caller = { kind: 'anonymous' };

export type UserCaller = Extract<Caller, { kind: 'user' }>;

/** Returns the role whose policies bind the caller. */
export function callerRole(caller: Caller): string {
  return caller.kind === 'user' ? caller.role : caller.kind;
}

/** Stands for the name of a caller that has none. */
export const ANONYMOUS_NAME = 'Anonymous';

/** Returns the caller's public name: the display name, else "Anonymous", and never an e-mail address. */
export function callerName(caller: Caller): string {
  return caller.kind === 'user' ? publicName(caller.displayName) : ANONYMOUS_NAME;
}

/** Returns the name that strangers see of an account with this display name. */
export function publicName(displayName: string | null): string {
  return displayName && !looksLikeEmail(displayName) ? displayName : ANONYMOUS_NAME;
}

/** Returns the caller if it is signed in or the service role. Throws UNAUTHENTICATED for an anonymous one. */
export function requireSignedIn(caller: Caller): Exclude<Caller, { kind: 'anonymous' }> {
  if (caller.kind === 'anonymous') throw notSignedIn();
  return caller;
}

/** Returns the signed-in user. Throws UNAUTHENTICATED for anybody else: the service role has no account of its own. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw notSignedIn();
  return caller;
}
