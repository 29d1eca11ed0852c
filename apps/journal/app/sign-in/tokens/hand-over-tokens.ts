import { type AuthClient, createClient } from '@fabrica/client';
import type { SignInTarget } from '../target/sign-in-target.ts';
import { deliverTokens, requireTokens } from './deliver-tokens.ts';
import { hasOpener, postToOpener } from './opener-window.ts';
import { resultPath } from './sign-in-result.tsx';

/** Signs in on a given client, as `(auth) => auth.signInWithEmail(email, password)` does. */
export type SignInCall = (auth: AuthClient) => Promise<unknown>;

/**
 * Signs in for another page, window or app and hands the session over. Returns the URL that this window goes on to.
 * The session is not stored here: two holders of one refresh token would end each other's session. Rejects with what
 * `signIn` throws; nothing is handed over then.
 */
export async function handOverTokens(
  projectId: string,
  target: Exclude<SignInTarget, { kind: 'own' }>,
  signIn: SignInCall,
): Promise<string> {
  if (target.kind === 'popup' && !hasOpener()) return resultPath('opener-gone');
  const { auth } = createClient({
    projectId,
    origin: window.location.origin,
    tokenStorage: createMemoryStorage(),
    language: () => document.documentElement.lang,
  });
  try {
    await signIn(auth);
    if (target.kind === 'popup') return await postTokens(auth, projectId, target);
    return await deliverTokens(auth, projectId, target);
  } finally {
    auth.destroy();
  }
}

async function postTokens(
  auth: AuthClient,
  projectId: string,
  { openerOrigin, state }: Extract<SignInTarget, { kind: 'popup' }>,
): Promise<string> {
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = requireTokens(auth);
  const tokenSet = { access_token, refresh_token, token_type, expires_in, refresh_expires_in };
  if (postToOpener(openerOrigin, { type: 'BLINK_AUTH_TOKENS', ...tokenSet, projectId, state })) {
    return resultPath('popup');
  }
  // The opener was closed in the meantime, and nobody else may have the session.
  await auth.signOut();
  return resultPath('opener-gone');
}

function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
