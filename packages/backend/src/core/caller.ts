import { AppError } from './errors.ts';

/** Who is calling, as every service sees it. */
export type Caller =
  | { kind: 'anonymous' }
  | { kind: 'user'; id: string; email: string; displayName: string | null; role: string }
  | { kind: 'service' };

export const anonymous: Caller = { kind: 'anonymous' };

export type UserCaller = Extract<Caller, { kind: 'user' }>;

/** The role whose policies bind the caller. */
export function callerRole(caller: Caller): string {
  return caller.kind === 'user' ? caller.role : caller.kind;
}

/** Display name, else e-mail, else "Anonymous" (docs/spec/product.md section 3). */
export function callerName(caller: Caller): string {
  if (caller.kind !== 'user') return 'Anonymous';
  return caller.displayName || caller.email || 'Anonymous';
}

/** Throws UNAUTHENTICATED for an anonymous caller. */
export function requireSignedIn(caller: Caller): Exclude<Caller, { kind: 'anonymous' }> {
  if (caller.kind === 'anonymous') throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return caller;
}

/** Throws UNAUTHENTICATED unless a user is signed in; the service role has no account of its own. */
export function requireUser(caller: Caller): UserCaller {
  if (caller.kind !== 'user') throw new AppError('UNAUTHENTICATED', 'Please sign in first.');
  return caller;
}
