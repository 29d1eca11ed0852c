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
import type { Identity, IdentityProvider, ProviderAnswer } from './identity-provider.ts';
import { describeFailure, PROVIDER_TIMEOUT_MS, refusal, unproved, unreachable } from './provider-errors.ts';
import type { ProviderSettings, ProviderTraits } from './provider-settings.ts';
import { readClaims } from './read-claims.ts';

/** A provider that speaks OpenID Connect. It is asked for its particulars at the first sign-in, not at the start. */
export function createOpenIdConnectProvider(settings: ProviderSettings): IdentityProvider {
  const { id, label, traits } = settings;
  const clientAuth = createClientAuth(settings.credentials);
  const configuration = new Lazy(() =>
    discover(settings, clientAuth).catch((failure: unknown) => {
      throw unreachable(label, describeFailure(failure));
    }),
  );

  return {
    id,
    label,
    answersByPost: traits.answersByPost,
    async begin({ redirectUri, state, nonce, codeVerifier }) {
      return buildAuthorizationUrl(await configuration.get(), {
        redirect_uri: redirectUri,
        scope: traits.scope,
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
        ...(traits.answersByPost && { response_mode: 'form_post' }),
      });
    },
    async finish(answer) {
      const known = await configuration.get();
      try {
        return await identify(known, clientAuth, traits, answer);
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
  answer: ProviderAnswer,
): Promise<Identity> {
  const tokens = await exchange(configuration, clientAuth, answer);
  const claims = tokens.claims();
  if (!claims) throw new Error('The library let an answer without an ID token pass.');
  const identity = readClaims(claims, traits, answer.form);
  if (identity.email && identity.emailVerified && identity.name) return identity;
  // Many say no more than `sub` in the token itself.
  if (!configuration.serverMetadata().userinfo_endpoint) return identity;
  const more = readClaims(await fetchUserInfo(configuration, tokens.access_token, claims.sub), traits);
  // An address and what is said of it are taken from the same place.
  const address = identity.email && !(more.email === identity.email && more.emailVerified) ? identity : more;
  return {
    subject: identity.subject,
    email: address.email,
    emailVerified: address.emailVerified,
    name: identity.name ?? more.name,
    pictureUrl: identity.pictureUrl ?? more.pictureUrl,
  };
}

async function exchange(
  configuration: Configuration,
  clientAuth: ProviderClientAuth,
  { callback, redirectUri, state, nonce, codeVerifier }: ProviderAnswer,
) {
  // Behind a proxy the browser's address is not the one that the server sees.
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
    if (!isClientRefused(failure) || !clientAuth.tryOtherWay()) throw failure;
    return grant();
  }
}

/** Members of the errors that the library throws. */
interface LibraryError {
  code?: string;
  error?: string;
  status?: number;
  cause?: { cause?: { body?: unknown } };
}

function isClientRefused(failure: unknown): boolean {
  const { error, status } = failure as LibraryError;
  return error === 'invalid_client' || status === 401;
}

/** What is wrong with the tokens themselves, after they came. */
const FALSE_ANSWERS = [
  'OAUTH_JWT_CLAIM_COMPARISON_FAILED',
  'OAUTH_JWT_TIMESTAMP_CHECK_FAILED',
  'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED',
  'OAUTH_KEY_SELECTION_FAILED',
];

function presentFailure(label: string, failure: unknown): AppError {
  if (failure instanceof AuthorizationResponseError) return refusal(label, failure.error);
  const { code = '', error, cause } = failure as LibraryError;
  const described = describeFailure(failure);
  if (error === 'invalid_grant' || FALSE_ANSWERS.includes(code)) return unproved(label, described);
  // The library's one code for an answer without the members it must have, and for false ones in a token or address.
  const malformed = cause?.cause?.body !== undefined;
  if (code === 'OAUTH_INVALID_RESPONSE' && !malformed) return unproved(label, described);
  return unreachable(label, described);
}
