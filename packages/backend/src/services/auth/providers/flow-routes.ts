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

/** What a provider may say in a form that it has the browser post; the rest is not for the protocol. */
const POSTED_PARAMETERS = ['code', 'state', 'iss', 'error'];

/** To an identity provider, and back from it. These are pages for a browser: what goes wrong leads back to the sign-in page. */
export function flowRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { limits, projects, providers, pages } = context;

  routes.get('/authorize', async (c) => {
    await limitByIp(limits, 'provider', c.var.clientIp);
    const { provider: providerId, ...target } = parseAuthorizeQuery(context, c.req.query());
    const project = requireProject(c, projects, target.project_id);
    const provider = providers.find(({ id }) => id === providerId);
    if (!provider) throw new AppError('NOT_FOUND', 'There is no such provider here.');
    // A stranger's page must not have our reader signed in at a provider for the stranger's app, without a look at ours.
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
  // Of a flow that is not this browser's nothing is said, not even where it was to redirectToPage.
  if (!returned) return redirectToPage(c, context.pages.signIn, { error: 'VERIFICATION_FAILED' });
  try {
    const code = await finishSignIn(context, c, { ...returned, callback, form });
    return redirectToPage(c, context.pages.completeSignIn, { code, ...returned.target });
  } catch (error) {
    return redirectToSignIn(context, c, { error, ...returned });
  }
}

/** Back to the page that the reader came from, with the code of what went wrong; throws what is no auth error. */
async function redirectToSignIn(
  { log, pages }: Pick<AuthContext, 'log' | 'pages'>,
  c: AppContext,
  { error, project, provider, target }: Omit<ReturnedFlow, 'flow'> & { error: unknown },
): Promise<Response> {
  if (!(error instanceof AppError) || !isAuthErrorCode(error.code)) throw error;
  const { code, cause } = error;
  // Turning back is nobody's failure.
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

/** To a page of ours, with what was target for as it was. */
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

/** As browsers say; those too old to say it are taken at their word. */
function isCrossSite(c: AppContext): boolean {
  return ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
}

function tooLarge(): never {
  throw new AppError('PAYLOAD_TOO_LARGE', 'The request’s body is too large.');
}
