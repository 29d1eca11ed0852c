import { isAuthErrorCode } from '@fabrica/contract';
import { type Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authWriter } from '../queries.ts';
import { limitByIp, MAX_AUTH_BYTES } from '../routes/limits.ts';
import { sourceOf } from '../routes/request-info.ts';
import { requireProject } from '../routes/require-project.ts';
import { parseAuthorizeQuery, type SignInTarget } from './authorize-query.ts';
import { finishSignIn } from './finish-sign-in.ts';
import { beginFlow, endFlow, type ReturnedFlow } from './provider-flow.ts';

type AppContext = Context<AppEnvironment>;

/** The parameters that are taken from a form that a provider has the browser post. */
const POSTED_PARAMETERS = ['code', 'state', 'iss', 'error'];

/**
 * Returns the routes to an identity provider and back. Browsers navigate to them, so errors redirect to the
 * sign-in page.
 */
export function flowRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { limits, projects, providers, pages } = context;

  routes.get('/authorize', async (c) => {
    await limitByIp(limits, 'provider', c.var.clientIp);
    const { provider: providerId, ...target } = parseAuthorizeQuery(context, c.req.query());
    const project = requireProject(c, projects, target.project_id);
    const provider = providers.find(({ id }) => id === providerId);
    if (!provider) throw new AppError('NOT_FOUND', 'There is no such provider here.');
    // Another site must not sign the reader in for an app of that site's choice without our page in between.
    if (target.mode === 'mobile-session' && isCrossSite(c))
      return redirectToPage(c, pages.signIn, { ...target });
    try {
      const flow = await beginFlow(context, c, { project, provider, target });
      return redirectTo(c, (await provider.begin(flow)).href);
    } catch (error) {
      return redirectToSignIn(context, c, { error, project, provider, target });
    }
  });

  routes.get('/callback/:provider', (c) => handleCallback(context, c, new URL(c.req.url)));

  routes.post('/callback/:provider', bodyLimit({ maxSize: MAX_AUTH_BYTES, onError: tooLarge }), async (c) => {
    const form = new URLSearchParams(await c.req.text().catch(() => ''));
    const callback = new URL(c.req.url);
    callback.search = new URLSearchParams(
      [...form].filter(([name]) => POSTED_PARAMETERS.includes(name)),
    ).toString();
    return handleCallback(context, c, callback, form);
  });
  return routes;
}

async function handleCallback(
  context: AuthContext,
  c: AppContext,
  callback: URL,
  form?: URLSearchParams,
): Promise<Response> {
  await limitByIp(context.limits, 'provider', c.var.clientIp);
  const state = callback.searchParams.get('state') ?? '';
  const returned = await endFlow(context, c, { providerId: c.req.param('provider') ?? '', state });
  // An unknown flow may be another browser's, so nothing of it is revealed, not even its target.
  if (!returned) return redirectToPage(c, context.pages.signIn, { error: 'VERIFICATION_FAILED' });
  try {
    const code = await finishSignIn(context, c, { ...returned, callback, form });
    return redirectToPage(c, context.pages.completeSignIn, { code, ...returned.target });
  } catch (error) {
    return redirectToSignIn(context, c, { error, ...returned });
  }
}

/** Redirects to the sign-in page with the error's code. Rethrows an error that is not an auth error. */
async function redirectToSignIn(
  { log, pages }: Pick<AuthContext, 'log' | 'pages'>,
  c: AppContext,
  { error, project, provider, target }: Omit<ReturnedFlow, 'flow'> & { error: unknown },
): Promise<Response> {
  if (!(error instanceof AppError) || !isAuthErrorCode(error.code)) throw error;
  const { code, cause } = error;
  // Canceling at the provider is not a failure.
  if (code !== 'POPUP_CANCELED') {
    const failure = cause instanceof Error ? cause.message : undefined;
    log.warn(
      { requestId: c.var.requestId, provider: provider.id, code, failure },
      'A sign-in at an identity provider failed',
    );
    await recordEvent(authWriter(project.database), {
      event: 'sign-in-failed',
      userId: null,
      ...sourceOf(c),
      details: { method: `provider:${provider.id}`, code },
    });
  }
  return redirectToPage(c, pages.signIn, { error: code, ...target });
}

/** Redirects to a page of the product, with the target of the sign-in as it was requested. */
function redirectToPage(
  c: AppContext,
  path: string,
  parameters: Partial<SignInTarget> & { code?: string; error?: string },
): Response {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return redirectTo(c, `${path}?${query}`);
}

function redirectTo(c: AppContext, url: string): Response {
  c.header('referrer-policy', 'no-referrer');
  c.header('cache-control', 'no-store');
  return c.redirect(url, 303);
}

/** Returns whether another site sent the browser here. Browsers without `Sec-Fetch-Site` are trusted. */
function isCrossSite(c: AppContext): boolean {
  return ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
}

function tooLarge(): never {
  throw new AppError('PAYLOAD_TOO_LARGE', 'The request’s body is too large.');
}
