import { createHmac } from 'node:crypto';
import type { Context } from 'hono';
import { z } from 'zod';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { authWriter } from '../queries.ts';
import { projectOfToken } from '../sessions/refresh-token.ts';
import { type SignInTarget, signInTarget } from './authorize-query.ts';
import { bindBrowser, browserBinding, releaseBrowser } from './browser-binding.ts';
import type { IdentityProvider, ProviderFlow } from './identity-provider.ts';

const PATH = '/api/auth/callback';
/** Seconds that the person may take at the provider. */
const LIFETIME = 600;

const flowData = z.object({
  provider: z.string(),
  browser: browserBinding,
  /** The stored name of `target`; renaming it would break the flows that are under way. */
  asked: signInTarget,
  /** The name of the key that its secrets are derived from. */
  key: z.string().optional(),
});

/** A sign-in under way, returned to the browser that began it. */
export interface ReturnedFlow {
  project: Project;
  provider: IdentityProvider;
  flow: ProviderFlow;
  target: SignInTarget;
}

/**
 * Begins a sign-in at a provider, for ten minutes. The browser carries its `state`, which is stored as a hash only and
 * from which its secrets are derived.
 */
export async function beginFlow(
  { keys, publicUrl }: Pick<AuthContext, 'keys' | 'publicUrl'>,
  c: Context<AppEnvironment>,
  { project, provider, target }: { project: Project; provider: IdentityProvider; target: SignInTarget },
): Promise<ProviderFlow> {
  const browser = bindBrowser(c, {
    name: 'fabrica_flow',
    path: PATH,
    maxAge: LIFETIME,
    crossSite: provider.respondsByPost,
    publicUrl,
  });
  const key = keys.refreshKeys.current;
  const data = { provider: provider.id, browser, asked: target, key: nameOf(key) } satisfies z.infer<
    typeof flowData
  >;
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
  return { ...secretsOf(key, token), redirectUri: redirectUri(publicUrl, provider.id), state: token };
}

/**
 * Returns the flow of a `state`, once and only to the browser that began it. Otherwise returns `undefined`.
 */
export async function endFlow(
  {
    keys,
    projects,
    providers,
    publicUrl,
  }: Pick<AuthContext, 'keys' | 'projects' | 'providers' | 'publicUrl'>,
  c: Context<AppEnvironment>,
  { providerId, state }: { providerId: string; state: string },
): Promise<ReturnedFlow | undefined> {
  const project = projectOfToken(projects, state);
  const provider = providers.find(({ id }) => id === providerId);
  if (!project || !provider) return undefined;
  const spent = await spendToken(authWriter(project.database), 'provider-flow', state);
  if (!spent) return undefined;
  const { browser, asked: target, provider: begunWith, key: name } = flowData.parse(spent.data);
  const isSameBrowser = releaseBrowser(c, browser, PATH);
  if (!isSameBrowser || begunWith !== providerId) return undefined;
  const key = keys.refreshKeys.all.find((one) => nameOf(one) === name) ?? keys.refreshKeys.current;
  const flow = { ...secretsOf(key, state), state, redirectUri: redirectUri(publicUrl, providerId) };
  return { project, provider, flow, target };
}

function redirectUri(publicUrl: string, providerId: string): string {
  return new URL(`${PATH}/${providerId}`, publicUrl).href;
}

/** Returns a name of a key, which tells nothing of it. */
function nameOf(key: Buffer): string {
  return createHmac('sha256', key).update('provider-flow\0key').digest('base64url').slice(0, 8);
}

/** Returns secrets of 43 characters, the length that a PKCE verifier needs. */
function secretsOf(key: Buffer, state: string): Pick<ProviderFlow, 'nonce' | 'codeVerifier'> {
  const derive = (name: string) =>
    createHmac('sha256', key).update(`provider-flow\0${name}\0${state}`).digest('base64url');
  return { nonce: derive('nonce'), codeVerifier: derive('code-verifier') };
}
