import { calculatePKCECodeChallenge } from 'openid-client';
import { z } from 'zod';
import type { AppError } from '../../../core/errors.ts';
import type { Identity, IdentityProvider, ProviderAnswer } from './identity-provider.ts';
import { describeFailure, PROVIDER_TIMEOUT_MS, refusal, unproved, unreachable } from './provider-errors.ts';
import type { ProviderSettings } from './provider-settings.ts';

const tokenAnswer = z.union([
  z.object({ access_token: z.string().min(1) }),
  z.object({ error: z.string().min(1) }),
]);

const account = z.object({
  id: z.number().int().positive(),
  login: z.string(),
  name: z.string().nullish(),
  avatar_url: z.string().nullish(),
});

const addresses = z.array(z.object({ email: z.string(), primary: z.boolean(), verified: z.boolean() }));

/** GitHub, or a GitHub Enterprise Server: OAuth 2 with PKCE, and its API in place of an ID token. */
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

  /** Throws NETWORK_ERROR, also for an answer that does not fit. */
  async function ask<T>(address: string, schema: z.ZodType<T>, request: RequestInit): Promise<T> {
    try {
      const answer = await fetch(address, {
        ...request,
        headers: { accept: 'application/json', 'user-agent': 'Fabrica', ...request.headers },
        redirect: 'error',
        signal: AbortSignal.timeout(PROVIDER_TIMEOUT_MS),
      });
      if (!answer.ok) throw Object.assign(new Error('Refused'), { status: answer.status });
      return schema.parse(await answer.json());
    } catch (failure) {
      throw unreachable(label, describeFailure(failure));
    }
  }

  async function exchange({ callback, redirectUri, codeVerifier }: ProviderAnswer): Promise<string> {
    const code = callback.searchParams.get('code');
    if (!code) throw unproved(label);
    const body = new URLSearchParams({
      client_id: clientId,
      code,
      redirect_uri: redirectUri,
      code_verifier: codeVerifier,
    });
    if (credentials.kind === 'secret') body.set('client_secret', credentials.secret);
    const answer = await ask(`${site}/login/oauth/access_token`, tokenAnswer, { method: 'POST', body });
    if ('access_token' in answer) return answer.access_token;
    throw presentTokenError(label, answer.error);
  }

  return {
    id,
    label,
    answersByPost: traits.answersByPost,
    async begin({ redirectUri, state, codeVerifier }) {
      const address = new URL(`${site}/login/oauth/authorize`);
      address.search = new URLSearchParams({
        client_id: clientId,
        redirect_uri: redirectUri,
        scope: traits.scope,
        state,
        code_challenge: await calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      }).toString();
      return address;
    },
    async finish(answer) {
      const { searchParams } = answer.callback;
      if (searchParams.get('state') !== answer.state) throw unproved(label);
      const error = searchParams.get('error');
      if (error) throw refusal(label, error);
      const headers = { authorization: `Bearer ${await exchange(answer)}` };
      const [user, emails] = await Promise.all([
        ask(`${api}/user`, account, { headers }),
        ask(`${api}/user/emails`, addresses, { headers }),
      ]);
      return readIdentity(user, emails);
    },
  };
}

/** The address that the account shows may be another one, and nobody says whether it is verified. */
function readIdentity(user: z.infer<typeof account>, emails: z.infer<typeof addresses>): Identity {
  const primary = emails.find((email) => email.primary);
  return {
    subject: String(user.id),
    email: primary?.email ?? null,
    emailVerified: primary?.verified === true,
    name: user.name || user.login,
    pictureUrl: user.avatar_url || null,
  };
}

/** GitHub says what is wrong with a status of 200. */
function presentTokenError(label: string, error: string): AppError {
  const described = describeFailure({ error });
  const ofThisFlow = ['bad_verification_code', 'invalid_grant', 'unverified_user_email'].includes(error);
  return ofThisFlow ? unproved(label, described) : unreachable(label, described);
}
