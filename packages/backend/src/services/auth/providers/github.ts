import { calculatePKCECodeChallenge } from 'openid-client';
import { z } from 'zod';
import type { AppError } from '../../../core/errors.ts';
import type { Identity, IdentityProvider, ProviderResponse } from './identity-provider.ts';
import {
  describeProviderFailure,
  PROVIDER_TIMEOUT_MS,
  providerRefused,
  providerUnreachable,
  verificationFailed,
} from './provider-errors.ts';
import type { ProviderSettings } from './provider-settings.ts';

const tokenResponse = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string().min(1) }),
]);

const account = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});

const emailList = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/**
 * Creates the provider for GitHub or a GitHub Enterprise Server: OAuth 2 with PKCE, and the API in place of
 * an ID token.
 */
export function createGitHubProvider({
  id,
  label,
  issuer,
  clientId,
  credentials,
  traits,
}: ProviderSettings): IdentityProvider {
  const site = issuer.replace(/\/+$/, '');
  const api = site === 'https://github.com' ? 'https://api.github.com' : `${site}/api/v3`;

  /** Throws `NETWORK_ERROR`, also when the response has another shape. */
  async function fetchJson<T>(url: string, schema: z.ZodType<T>, request: RequestInit): Promise<T> {
    try {
      const response = await fetch(url, {
        ...request,
        headers: { accept: 'application/json', 'user-agent': 'Fabrica', ...request.headers },
        redirect: 'error',
        signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      });
      if (!response.ok) throw Object.assign(new Error('Refused'), { status: response.status });
      return schema.parse(await response.json());
    } catch (failure) {
      throw providerUnreachable(label, describeProviderFailure(failure));
    }
  }

  async function exchange({ callback, redirectUri, codeVerifier }: ProviderResponse): Promise<string> {
    const code = callback.searchParams.get('code');
    if (!code) throw verificationFailed(label);
    const body = new URLSearchParams({
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    if (credentials.kind === 'secret') body.set('client_secret', credentials.secret);
    const response = await fetchJson(`${site}/login/oauth/access_token`, tokenResponse, {
      method: 'POST',
      body,
    });
    if ('access_token' in response) return response.access_token;
    throw tokenError(label, response.error);
  }

  return {
    id,
    label,
    respondsByPost: traits.respondsByPost,
    async begin({ redirectUri, state, codeVerifier }) {
      const url = new URL(`${site}/login/oauth/authorize`);
      url.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: traits.scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).toString();
      return url;
    },
    async finish(response) {
      const { searchParams } = response.callback;
      if (searchParams.get('state') !== response.state) throw verificationFailed(label);
      const error = searchParams.get('error');
      if (error) throw providerRefused(label, error);
      const headers = { authorization: `Bearer ${await exchange(response)}` };
      const [user, emails] = await Promise.all([
        fetchJson(`${api}/user`, account, { headers }),
        fetchJson(`${api}/user/emails`, emailList, { headers }),
      ]);
      return readIdentity(user, emails);
    },
  };
}

/**
 * Reads the identity. The e-mail comes from the list: the one on the account may be another and is not marked
 * as verified.
 */
function readIdentity(user: z.infer<typeof account>, emails: z.infer<typeof emailList>): Identity {
  const primary = emails.find((email) => email.primary);
  return {
    subject: String(user.id),
    email: primary?.email ?? null,
    emailVerified: primary?.verified === true,
    name: user.name || user.login,
    pictureUrl: user.avatar_url || null,
  };
}

/** Converts the error of a token response, which GitHub sends with status 200. */
function tokenError(label: string, error: string): AppError {
  const described = describeProviderFailure({ error });
  const isOfThisFlow = ['bad_verification_code', 'invalid_grant', 'unverified_user_email'].includes(error);
  return isOfThisFlow ? verificationFailed(label, described) : providerUnreachable(label, described);
}
