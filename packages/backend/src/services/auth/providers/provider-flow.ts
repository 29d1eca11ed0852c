import { randomBytes } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { authWriter } from '../queries.ts';
import { tokenProject } from '../sessions/token-project.ts';
import { type Asked, asked } from './authorize-query.ts';
import { bindBrowser, browserBinding, releaseBrowser } from './browser-binding.ts';
import type { IdentityProvider, ProviderFlow } from './identity-provider.ts';

const PATH = '/api/auth/callback';
/** Seconds that somebody may take at the provider. */
const LIFETIME = 600;

const flowData = z.object({
  provider: z.string(),
  nonce: z.string(),
  codeVerifier: z.string(),
  browser: browserBinding,
  asked,
});

/** A sign-in under way, as the browser that began it comes back with it. */
export interface ReturnedFlow {
  project: Project;
  provider: IdentityProvider;
  flow: ProviderFlow;
  asked: Asked;
}

/** Begins a sign-in at a provider: its secrets are kept for ten minutes, its `state` goes along with the browser. */
export async function beginFlow(
  { keys, publicUrl }: Pick<AuthContext, 'keys' | 'publicUrl'>,
  c: Context<AppEnvironment>,
  { project, provider, asked }: { project: Project; provider: IdentityProvider; asked: Asked },
): Promise<ProviderFlow> {
  const secrets = { nonce: randomText(), codeVerifier: randomText() };
  const browser = bindBrowser(c, {
    name: 'fabrica_flow',
    path: PATH,
    maxAge: LIFETIME,
    crossSite: provider.answersByPost,
    publicUrl,
  });
  const data = { ...secrets, provider: provider.id, browser, asked } satisfies z.infer<typeof flowData>;
  const { token } = await authWriter(project.database)
    .transaction()
    .execute((transaction) =>
      issueToken(keys, transaction, {
        kind: 'provider-flow',
        projectId: project.definition.id,
        data,
        lifetimeMs: LIFETIME * 1_000,
      }),
    );
  return { ...secrets, redirectUri: redirectUri(publicUrl, provider.id), state: token };
}

/**
 * The flow of the `state` that came back from the provider, once, and to the browser that began it; undefined
 * otherwise.
 */
export async function endFlow(
  { projects, providers, publicUrl }: Pick<AuthContext, 'projects' | 'providers' | 'publicUrl'>,
  c: Context<AppEnvironment>,
  { providerId, state }: { providerId: string; state: string },
): Promise<ReturnedFlow | undefined> {
  const project = projects.get(tokenProject(state) ?? '');
  const provider = providers.find(({ id }) => id === providerId);
  if (!project || !provider) return undefined;
  const spent = await spendToken(authWriter(project.database), 'provider-flow', state);
  if (!spent) return undefined;
  const { browser, asked, provider: begunWith, ...secrets } = flowData.parse(spent.data);
  const isSameBrowser = releaseBrowser(c, browser, PATH);
  if (!isSameBrowser || begunWith !== providerId) return undefined;
  const flow = { ...secrets, state, redirectUri: redirectUri(publicUrl, providerId) };
  return { project, provider, flow, asked };
}

function redirectUri(publicUrl: string, providerId: string): string {
  return new URL(`${PATH}/${providerId}`, publicUrl).href;
}

/** 43 characters: as long as a PKCE verifier must be. */
function randomText(): string {
  return randomBytes(32).toString('base64url');
}
