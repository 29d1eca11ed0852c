import { createClient, type FabricaClient } from '@fabrica/client';
import type { HandOver } from './read-request.ts';

/**
 * Signs in for another page and answers the address that hands it the tokens. They are kept nowhere
 * here: two holders of one refresh token would end each other's session.
 */
export async function handOverTokens(
  projectId: string,
  { redirectUrl, state }: HandOver,
  enter: (auth: FabricaClient['auth']) => Promise<unknown>,
): Promise<string> {
  const { auth } = createClient({
    projectId,
    origin: window.location.origin,
    tokenStorage: createMemoryStorage(),
  });
  try {
    await enter(auth);
    const { tokens } = auth.getState();
    if (!tokens) throw new Error('Signed in without tokens.');
    const { access_token, refresh_token, token_type, expires_in, refresh_expires_in } = tokens;
    return addToQuery(redirectUrl, {
      access_token,
      refresh_token,
      token_type,
      expires_in: String(expires_in),
      refresh_expires_in: String(refresh_expires_in),
      project_id: projectId,
      ...(state !== null && { state }),
    });
  } finally {
    auth.destroy();
  }
}

function addToQuery(address: string, parameters: Record<string, string>): string {
  const url = new URL(address);
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  return url.href;
}

function createMemoryStorage() {
  const items = new Map<string, string>();
  return {
    getItem: (key: string) => items.get(key) ?? null,
    setItem: (key: string, value: string) => void items.set(key, value),
    removeItem: (key: string) => void items.delete(key),
  };
}
