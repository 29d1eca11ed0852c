import { type Auth, createClient } from '@fabrica/client';
import type { ServedRequest } from '../request/sign-in-request.ts';
import { deliverTokens } from './deliver-tokens.ts';
import { endingAddress } from './endings.ts';
import { answerOpener, hasOpener } from './opener-window.ts';

/** Asked for by another page, window or app than this site itself. */
export type HandOverRequest = Exclude<ServedRequest, { kind: 'own' }>;
type PopupRequest = Extract<ServedRequest, { kind: 'popup' }>;

/**
 * Signs in for somebody else and hands the session over; answers the address that this window goes on to. The
 * session is one of its own and kept nowhere here: two holders of one refresh token would end each other's session.
 * Rejects with what `enter` throws; nothing is handed over then.
 */
export async function handOverTokens(
  projectId: string,
  request: HandOverRequest,
  enter: (auth: Auth) => Promise<unknown>,
): Promise<string> {
  if (request.kind === 'popup' && !hasOpener()) return endingAddress('opener-gone');
  const { auth } = createClient({
    projectId,
    origin: window.location.origin,
    tokenStorage: createMemoryStorage(),
    language: () => document.documentElement.lang,
  });
  try {
    await enter(auth);
    if (request.kind === 'popup') return await postToOpener(auth, projectId, request);
    return await deliverTokens(auth, projectId, request);
  } finally {
    auth.destroy();
  }
}

async function postToOpener(auth: Auth, projectId: string, request: PopupRequest): Promise<string> {
  const { tokens } = auth.getState();
  if (!tokens) throw new Error('Signed in without tokens.');
  const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = tokens;
  const tokenSet = { access_token, refresh_token, token_type, expires_in, refresh_expires_in };
  const { openerOrigin, state } = request;
  if (answerOpener(openerOrigin, { type: 'BLINK_AUTH_TOKENS', ...tokenSet, projectId, state })) {
    return endingAddress('popup');
  }
  // It was closed meanwhile, and nobody else is to have the session.
  await auth.signOut();
  return endingAddress('opener-gone');
}

function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
