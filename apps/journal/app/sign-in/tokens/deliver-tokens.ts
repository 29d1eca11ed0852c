import type { AuthClient } from '@fabrica/client';
import type { TokenSet } from '@fabrica/contract';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { resultPath } from './sign-in-result.tsx';
import { urlWithTokens } from './url-with-tokens.ts';

/** The server can bring a session to these targets, so that a form works without JavaScript. */
type ScriptlessTarget = Exclude<SignInTarget, { kind: 'popup' }>;

export function worksWithoutScript(target: SignInTarget): target is ScriptlessTarget {
  return target.kind !== 'popup';
}

/** Delivers the session of `auth` to the target, and returns the URL that the reader goes on to. */
export async function deliverTokens(
  auth: AuthClient,
  projectId: string,
  target: Exclude<ScriptlessTarget, { kind: 'own' }>,
): Promise<string> {
  if (target.kind === 'redirect') return urlWithTokens(projectId, target, requireTokens(auth));
  try {
    await auth.handToMobileSession(target.sessionId);
  } finally {
    // The app receives a session of its own, so this one is no longer needed.
    await auth.signOut();
  }
  return resultPath('app');
}

/** Returns the tokens of a client that has just signed in. */
export function requireTokens(auth: AuthClient): TokenSet {
  const { tokens } = auth.getState();
  if (!tokens) throw new Error('Signed in without tokens.');
  return tokens;
}
