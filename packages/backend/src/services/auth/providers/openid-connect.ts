import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
} from 'openid-client';
import type { AppError } from '../../../core/errors.ts';
import { Lazy } from '../../../runtime/lazy.ts';
import { createClientAuth, type ProviderClientAuth } from './client-auth.ts';
import type { Identity, IdentityProvider, ProviderResponse } from './identity-provider.ts';
import {
  describeProviderFailure,
  PROVIDER_TIMEOUT_MS,
  providerRefused,
  providerUnreachable,
  verificationFailed,
} from './provider-errors.ts';
import type { ProviderSettings, ProviderTraits } from './provider-settings.ts';
import { readClaims } from './read-claims.ts';

/**
 * Creates an OpenID Connect provider. Its discovery document is fetched at the first sign-in, not at the
 * start.
 */
export function createOpenIdConnectProvider(settings: ProviderSettings): IdentityProvider {
  const { id, label, traits } = settings;
  const clientAuth = createClientAuth(settings.credentials);
  const configuration = new Lazy(() =>
    discover(settings, clientAuth).catch((failure: unknown) => {
      throw providerUnreachable(label, describeProviderFailure(failure));
    }),
  );

  return {
    id,
    label,
    respondsByPost: traits.respondsByPost,
    async begin({ redirectUri, state, nonce, codeVerifier }) {
      return buildAuthorizationUrl(await configuration.get(), {
        redirect_uri: redirectUri,
        scope: traits.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(traits.respondsByPost && { response_mode: 'form_post' }),
      });
    },
    async finish(response) {
      const known = await configuration.get();
      try {
        return await identify(known, clientAuth, traits, response);
      } catch (failure) {
        throw presentFailure(label, failure);
      }
    },
  };
}

function discover(
  { issuer, clientId }: ProviderSettings,
  { authenticate }: ProviderClientAuth,
): Promise<Configuration> {
  const server = new URL(issuer);
  return discovery(server, clientId, undefined, authenticate, {
    timeout: PROVIDER_TIMEOUT_MS / 1_000,
    execute: [
      // Signatures are checked although the tokens come straight from the provider.
      enableNonRepudiationChecks,
      ...(server.protocol === 'http:' ? [allowInsecureRequests] : []),
    ],
  });
}

async function identify(
  configuration: Configuration,
  clientAuth: ProviderClientAuth,
  traits: ProviderTraits,
  response: ProviderResponse,
): Promise<Identity> {
  const tokens = await exchange(configuration, clientAuth, response);
  const claims = tokens.claims();
  if (!claims) throw new Error('The library let a response without an ID token pass.');
  const identity = readClaims(claims, traits, response.form);
  if (identity.email && identity.emailVerified && identity.name) return identity;
  // Many providers put only `sub` into the token.
  if (!configuration.serverMetadata().userinfo_endpoint) return identity;
  const more = readClaims(await fetchUserInfo(configuration, tokens.access_token, claims.sub), traits);
  // The e-mail and its verification are taken from the same source.
  const verified = identity.email && !(more.email === identity.email && more.emailVerified) ? identity : more;
  return {
    subject: identity.subject,
    email: verified.email,
    emailVerified: verified.emailVerified,
    name: identity.name ?? more.name,
    pictureUrl: identity.pictureUrl ?? more.pictureUrl,
  };
}

async function exchange(
  configuration: Configuration,
  clientAuth: ProviderClientAuth,
  { callback, redirectUri, state, nonce, codeVerifier }: ProviderResponse,
) {
  // Behind a reverse proxy the browser's URL is not the one that the server sees.
  const current = new URL(redirectUri);
  current.search = callback.search;
  const grant = () =>
    authorizationCodeGrant(configuration, current, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: codeVerifier,
      idTokenExpected: true,
    });
  try {
    return await grant();
  } catch (failure) {
    if (!isClientRejected(failure) || !clientAuth.tryOtherMethod()) throw failure;
    return grant();
  }
}

/** Fields of the errors that the library throws. */
interface LibraryError {
  code?: string;
  error?: string;
  status?: number;
  cause?: { cause?: { body?: unknown } };
}

function isClientRejected(failure: unknown): boolean {
  const { error, status } = failure as LibraryError;
  return error === 'invalid_client' || status === 401;
}

/** Library codes for tokens that are not valid. */
const INVALID_TOKEN_CODES = [
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
];

function presentFailure(label: string, failure: unknown): AppError {
  if (failure instanceof AuthorizationResponseError) return providerRefused(label, failure.error);
  const { code = '', error, cause } = failure as LibraryError;
  const described = describeProviderFailure(failure);
  if (error === 'invalid_grant' || INVALID_TOKEN_CODES.includes(code))
    return verificationFailed(label, described);
  // The library has one code for a response without its required fields and for false ones in a token or URL.
  const malformed = cause?.cause?.body !== undefined;
  if (code === 'OAUTH_INVALID_RESPONSE' && !malformed) return verificationFailed(label, described);
  return providerUnreachable(label, described);
}
