import type { Context } from 'hono';
import type { Transaction } from 'kysely';
import { z } from 'zod';
import type { Project } from '../../../database/project.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { type AuthTables, authWriter } from '../queries.ts';
import { projectOfToken } from '../sessions/refresh-token.ts';
import { bindBrowser, browserBinding, releaseBrowser } from './browser-binding.ts';
import { type ProviderLink, providerLink } from './linking/link-proof.ts';

/** The cookie's path. It covers `/complete` and the page that a form without a script is sent to. */
const PATH = '/';
/** Seconds between the provider's callback and the page that finishes the sign-in. */
const LIFETIME = 60;

const completionData = z.object({
  provider: z.string(),
  browser: browserBinding,
  link: providerLink.optional(),
});

/** Issues a code for `/complete` that only this browser can use. */
export async function issueCompletion(
  { keys, publicUrl }: Pick<AuthContext, 'keys' | 'publicUrl'>,
  c: Context<AppEnvironment>,
  {
    transaction,
    project,
    ...user
  }: {
    transaction: Transaction<AuthTables>;
    project: Project;
    userId: string;
    provider: string;
    link?: ProviderLink | undefined;
  },
): Promise<string> {
  const browser = bindBrowser(c, {
    name: 'fabrica_completion',
    path: PATH,
    maxAge: LIFETIME,
    publicUrl,
  });
  const { token } = await issueToken(keys, transaction, {
    kind: 'completion',
    projectId: project.definition.id,
    userId: user.userId,
    data: { provider: user.provider, browser, link: user.link } satisfies z.infer<typeof completionData>,
    lifetimeMs: LIFETIME * 1_000,
  });
  return token;
}

/**
 * Spends a code and returns who signs in. Returns `undefined` for a code that is not valid or belongs to
 * another browser.
 */
export async function spendCompletion(
  { projects }: Pick<AuthContext, 'projects'>,
  c: Context<AppEnvironment>,
  code: string,
): Promise<
  { project: Project; userId: string; provider: string; link?: ProviderLink | undefined } | undefined
> {
  const project = projectOfToken(projects, code);
  if (!project) return undefined;
  const spent = await spendToken(authWriter(project.database), 'completion', code);
  if (!spent?.userId) return undefined;
  const { provider, browser, link } = completionData.parse(spent.data);
  return releaseBrowser(c, browser, PATH) ? { project, userId: spent.userId, provider, link } : undefined;
}
