import { createClient as createNewest } from '@blinkdotnew/sdk';
import { createClient as createOld } from 'blink-sdk-0.18';

/** A client of the wire contract that is not part of this project. */
export type PublicClient = ReturnType<typeof createNewest>;

/** The newest version of the client, and an old one that speaks the contract differently. */
export const versions = [
  ['2.9.0', createNewest],
  ['0.18.8', createOld as unknown as typeof createNewest],
] as const;

export interface PublicClientOptions {
  origin: string;
  projectId?: string;
  /** Sent with all calls, in place of the token of a signed-in user. */
  token?: string | undefined;
  /** The option that the newest version has for secret keys. */
  secretKey?: string | undefined;
}

/** Returns a client whose calls go to this origin. */
export function connectPublicClient(
  createClient: typeof createNewest,
  { origin, projectId = 'journal', token, secretKey }: PublicClientOptions,
): PublicClient {
  const auth = { mode: 'headless', authUrl: origin, coreUrl: origin } as const;
  const client = createClient({ projectId, auth, ...(secretKey !== undefined && { secretKey }) });
  // This client uses `coreUrl` for its sockets alone; its calls go to the URL in its HTTP client.
  const { httpClient } = client.storage as unknown as { httpClient: object };
  Object.assign(httpClient, {
    authUrl: origin,
    coreUrl: origin,
    ...(token !== undefined && { getToken: () => token, getValidToken: undefined }),
  });
  return client;
}

type Account = Parameters<PublicClient['auth']['signUp']>[0];

/** Signs up a new account with this client, which is then signed in. */
export function signUpWith(client: PublicClient, email: string, more: object = {}) {
  return client.auth.signUp({ email, password: 'a long enough passphrase', ...more } as Account);
}
