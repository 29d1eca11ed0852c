import { createClient as createNewest } from '@blinkdotnew/sdk';
import { forwardedFor, limitedRequests, newIpAddress } from '@fabrica/test-peers/ip-addresses.ts';
import type { RunningServer } from '@fabrica/test-peers/start-server.ts';
import { createClient as createOld } from 'blink-sdk-0.18';
import { afterEach, beforeEach, expect, vi } from 'vitest';

/** A client of the wire contract that is not part of this project. */
export type PublicClient = ReturnType<typeof createNewest>;

/**
 * Has each test come from a network of its own, as a proxy tells a server with the limits of every installation, and fails a
 * test in which one of them refused a request: programs that use the client meet none.
 */
export function expectNoLimits(server: () => RunningServer | undefined): void {
  const limited = () => limitedRequests(server() ?? { output: () => '' });
  let before = 0;
  beforeEach(() => {
    before = limited().length;
    const send = globalThis.fetch;
    const ownNetwork = forwardedFor(newIpAddress());
    vi.stubGlobal('fetch', (input: string | URL | Request, init: RequestInit = {}) => {
      const headers = new Headers(init.headers ?? (input instanceof Request ? input.headers : undefined));
      for (const [name, value] of Object.entries(ownNetwork)) headers.set(name, value);
      return send(input, { ...init, headers });
    });
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    expect(limited().slice(before)).toEqual([]);
  });
}

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
