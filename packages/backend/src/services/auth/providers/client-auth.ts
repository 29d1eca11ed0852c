import type { KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import { type ClientAuth, ClientSecretBasic, ClientSecretPost, None } from 'openid-client';
import type { ClientCredentials } from './provider-settings.ts';

/** Seconds that one of Apple's client secrets is valid; each is made for one call. */
const SECRET_SECONDS = 300;

export interface ProviderClientAuth {
  authenticate: ClientAuth;
  /** Switches to the other method after a rejection. Returns whether there is another one. */
  tryOtherMethod(): boolean;
}

/** Creates the client authentication for a provider's token endpoint. */
export function createClientAuth(credentials: ClientCredentials): ProviderClientAuth {
  switch (credentials.kind) {
    case 'none':
      return { authenticate: None(), tryOtherMethod: () => false };
    case 'apple-key':
      return { authenticate: appleSecret(credentials), tryOtherMethod: () => false };
    case 'secret':
      return secretByEitherMethod(credentials.secret);
  }
}

/**
 * Sends the secret in the header or in the body. Providers publish which methods they support, but not which
 * one this client was registered for.
 */
function secretByEitherMethod(secret: string): ProviderClientAuth {
  const [basic, post] = [ClientSecretBasic(secret), ClientSecretPost(secret)];
  let useOther = false;
  return {
    authenticate(server, client, body, headers) {
      const { token_endpoint_auth_methods_supported: known = ['client_secret_basic'] } = server;
      const usual = known.includes('client_secret_basic') ? basic : post;
      const other = usual === basic ? post : basic;
      return (useOther ? other : usual)(server, client, body, headers);
    },
    tryOtherMethod() {
      useOther = !useOther;
      return true;
    },
  };
}

function appleSecret(key: { teamId: string; keyId: string; privateKey: KeyObject }): ClientAuth {
  // The library awaits the promise, although its type does not say so.
  return async (server, client, body) => {
    const secret = await new SignJWT()
      .setProtectedHeader({ alg: 'ES256', kid: key.keyId })
      .setIssuer(key.teamId)
      .setSubject(client.client_id)
      .setAudience(server.issuer)
      .setIssuedAt()
      .setExpirationTime(`${SECRET_SECONDS}s`)
      .sign(key.privateKey);
    body.set('client_id', client.client_id);
    body.set('client_secret', secret);
  };
}
