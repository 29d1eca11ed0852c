/**
 * An OpenID Connect issuer for tests: `oidc-provider` on loopback, with a short sign-in page. The page has one field,
 * `login`, which takes the login of one of the accounts, a button "Sign in" and a link "Cancel". Nobody is asked for
 * consent, and nothing is loaded from another host.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { exportJWK, generateKeyPair } from 'jose';
import Provider, { type AdapterFactory, type AdapterPayload, type Configuration } from 'oidc-provider';

export interface ProviderAccount {
  /** The text to type into the sign-in page, and the subject of the tokens. */
  login: string;
  /** Without it, the claims name no e-mail address. */
  email?: string;
  emailVerified?: boolean;
  name?: string;
  picture?: string;
}

export interface IdentityProviderOptions {
  clientId: string;
  /** The addresses that the issuer may redirect to: `<origin>/api/auth/callback/<provider>`. */
  redirectUris: readonly string[];
  accounts: readonly ProviderAccount[];
  /** Tells how the client authenticates; `none` makes it a public client. Default: `client_secret_basic`. */
  clientAuth?: 'client_secret_basic' | 'client_secret_post' | 'none';
  /** Whether the claims are in the ID token, and there is no user info endpoint. */
  claimsInIdToken?: boolean;
  /** Default: a free port. */
  port?: number;
}

export interface TestIdentityProvider {
  /** The value of `OAUTH_<NAME>_ISSUER`. */
  issuer: string;
  clientId: string;
  clientSecret: string;
  close(): Promise<void>;
}

export async function startIdentityProvider(options: IdentityProviderOptions): Promise<TestIdentityProvider> {
  const clientSecret = randomBytes(24).toString('base64url');
  let listener: (request: IncomingMessage, response: ServerResponse) => unknown = () => undefined;
  const server = createServer((request, response) => void listener(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port ?? 0, '127.0.0.1', resolve);
  });
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, await configure(options, clientSecret));
  const respond = provider.callback();
  listener = (request, response) => {
    // A browser asks for an icon when it finds the time, and reports it when there is none.
    if (request.url === '/favicon.ico') return response.writeHead(204).end();
    if (!request.url?.startsWith('/interaction/')) return respond(request, response);
    return interact(provider, options.accounts, request, response).catch(() => response.destroy());
  };
  return {
    issuer,
    clientId: options.clientId,
    clientSecret,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function configure(
  {
    clientId,
    redirectUris,
    accounts,
    clientAuth = 'client_secret_basic',
    claimsInIdToken = false,
  }: IdentityProviderOptions,
  clientSecret: string,
): Promise<Configuration> {
  const { privateKey } = await generateKeyPair('ES256', { extractable: true });
  return {
    adapter: createMemory(),
    clients: [
      {
        client_id: clientId,
        ...(clientAuth !== 'none' && { client_secret: clientSecret }),
        token_endpoint_auth_method: clientAuth,
        redirect_uris: [...redirectUris],
        id_token_signed_response_alg: 'ES256',
      },
    ],
    // Most issuers announce all methods, whichever one the client was registered with.
    clientAuthMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    claims: {
      openid: ['sub'],
      email: ['email', 'email_verified'],
      profile: ['name', 'picture'],
    },
    conformIdTokenClaims: !claimsInIdToken,
    features: { devInteractions: { enabled: false }, userinfo: { enabled: !claimsInIdToken } },
    findAccount: (_context, subject) => findAccount(accounts, subject),
    interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
    async loadExistingGrant({ oidc }) {
      const { client, session, params } = oidc;
      const earlier = client && session?.grantIdFor(client.clientId);
      if (earlier) return oidc.provider.Grant.find(earlier);
      const grant = new oidc.provider.Grant({
        ...(client && { clientId: client.clientId }),
        ...(session?.accountId && { accountId: session.accountId }),
      });
      grant.addOIDCScope(String(params?.scope ?? 'openid'));
      await grant.save();
      return grant;
    },
    cookies: { keys: [randomBytes(24).toString('base64url')] },
    jwks: { keys: [{ ...(await exportJWK(privateKey)), kid: 'test', alg: 'ES256', use: 'sig' }] },
    ttl: {
      AccessToken: 600,
      AuthorizationCode: 60,
      Grant: 600,
      IdToken: 600,
      Interaction: 600,
      Session: 600,
    },
  };
}

/** Returns a storage in memory for everything that one issuer keeps. */
function createMemory(): AdapterFactory {
  const rows = new Map<string, AdapterPayload>();
  const findBy = (model: string, matches: (row: AdapterPayload) => boolean) =>
    [...rows].find(([key, row]) => key.startsWith(`${model}:`) && matches(row))?.[1];
  return (model) => ({
    upsert: async (id, row) => void rows.set(`${model}:${id}`, row),
    find: async (id) => rows.get(`${model}:${id}`),
    findByUid: async (uid) => findBy(model, (row) => row.uid === uid),
    findByUserCode: async (code) => findBy(model, (row) => row.userCode === code),
    async consume(id) {
      const row = rows.get(`${model}:${id}`);
      if (row) row.consumed = Math.floor(Date.now() / 1_000);
    },
    destroy: async (id) => void rows.delete(`${model}:${id}`),
    async revokeByGrantId(grantId) {
      for (const [key, row] of rows) if (row.grantId === grantId) rows.delete(key);
    },
  });
}

function findAccount(accounts: readonly ProviderAccount[], subject: string) {
  const account = accounts.find(({ login }) => login === subject);
  if (!account) return undefined;
  const { email, emailVerified = false, name, picture } = account;
  return {
    accountId: subject,
    claims: () => ({
      sub: subject,
      ...(email && { email, email_verified: emailVerified }),
      ...(name && { name }),
      ...(picture && { picture }),
    }),
  };
}

async function interact(
  provider: Provider,
  accounts: readonly ProviderAccount[],
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { uid } = await provider.interactionDetails(request, response);
  if (request.url?.endsWith('/abort')) {
    const denied = { error: 'access_denied', error_description: 'The person turned back.' };
    return provider.interactionFinished(request, response, denied);
  }
  const login = request.method === 'POST' ? new URLSearchParams(await text(request)).get('login') : null;
  if (login && accounts.some((account) => account.login === login)) {
    return provider.interactionFinished(request, response, { login: { accountId: login } });
  }
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(signInPage(uid));
}

function signInPage(uid: string): string {
  return `<!doctype html>
<html lang="en">
<title>Test identity provider</title>
<link rel="icon" href="data:,">
<h1>Test identity provider</h1>
<form method="post" action="/interaction/${uid}">
<label>Login <input name="login" required autofocus></label>
<button>Sign in</button>
</form>
<a href="/interaction/${uid}/abort">Cancel</a>
</html>`;
}
