import { isAuthErrorCode } from '@fabrica/contract';
import type { Context, Hono } from 'hono';
import { bodyLimit } from 'hono/body-limit';
import { AppError } from '../../../core/errors.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authWriter } from '../queries.ts';
import { MAX_AUTH_BYTES } from '../routes/limits.ts';
import { limitAddress } from '../routes/rate-limits.ts';
import { originOf } from '../routes/request-facts.ts';
import { requireProject } from '../routes/require-project.ts';
import { type Asked, parseAuthorizeQuery } from './authorize-query.ts';
import { arrive } from './finish-provider-sign-in.ts';
import { beginFlow, endFlow, type ReturnedFlow } from './provider-flow.ts';

type AppContext = Context<AppEnvironment>;

/** What a provider may say in a form that it has the browser post; the rest is not for the protocol. */
const POSTED = ['code', 'state', 'iss', 'error'];

/** To an identity provider, and back from it. These are pages for a browser: what goes wrong leads back to the sign-in page. */
export function addFlowRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  const { limits, projects, providers, pages } = context;

  routes.get('/authorize', async (c) => {
    await limitAddress(limits, 'provider', c.var.clientIp);
    const { provider: providerId, ...asked } = parseAuthorizeQuery(context, c.req.query());
    const project = requireProject(c, projects, asked.project_id);
    const provider = providers.find(({ id }) => id === providerId);
    if (!provider) throw new AppError('NOT_FOUND', 'There is no such provider here.');
    // A stranger's page must not have our reader signed in at a provider for the stranger's app, without a look at ours.
    if (asked.mode === 'mobile-session' && isFromElsewhere(c)) return lead(c, pages.signIn, { ...asked });
    try {
      const flow = await beginFlow(context, c, { project, provider, asked });
      return send(c, (await provider.begin(flow)).href);
    } catch (error) {
      return leadBack(context, c, { error, project, provider, asked });
    }
  });

  routes.get('/callback/:provider', (c) => comeBack(context, c, new URL(c.req.url)));

  routes.post('/callback/:provider', bodyLimit({ maxSize: MAX_AUTH_BYTES, onError: tooLarge }), async (c) => {
    const form = new URLSearchParams(await c.req.text().catch(() => ''));
    const callback = new URL(c.req.url);
    callback.search = new URLSearchParams([...form].filter(([name]) => POSTED.includes(name))).toString();
    return comeBack(context, c, callback, form);
  });
}

async function comeBack(
  context: AuthContext,
  c: AppContext,
  callback: URL,
  form?: URLSearchParams,
): Promise<Response> {
  await limitAddress(context.limits, 'provider', c.var.clientIp);
  const state = callback.searchParams.get('state') ?? '';
  const returned = await endFlow(context, c, { providerId: c.req.param('provider') ?? '', state });
  // Of a flow that is not this browser's nothing is said, not even where it was to lead.
  if (!returned) return lead(c, context.pages.signIn, { error: 'VERIFICATION_FAILED' });
  try {
    const code = await arrive(context, c, { ...returned, callback, form });
    return lead(c, context.pages.completeSignIn, { code, ...returned.asked });
  } catch (error) {
    return leadBack(context, c, { error, ...returned });
  }
}

/** Back to the page that the reader came from, with the code of what went wrong; throws what is no auth error. */
async function leadBack(
  { log, pages }: Pick<AuthContext, 'log' | 'pages'>,
  c: AppContext,
  { error, project, provider, asked }: Omit<ReturnedFlow, 'flow'> & { error: unknown },
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
      ...originOf(c),
      details: { method: `provider:${provider.id}`, code },
    });
  }
  return lead(c, pages.signIn, { error: code, ...asked });
}

/** To a page of ours, with what was asked for as it was. */
function lead(
  c: AppContext,
  path: string,
  parameters: Partial<Asked> & { code?: string; error?: string },
): Response {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) if (value !== undefined) query.set(name, value);
  return send(c, `${path}?${query}`);
}

function send(c: AppContext, address: string): Response {
  c.header('referrer-policy', 'no-referrer');
  c.header('cache-control', 'no-store');
  return c.redirect(address, 303);
}

/** As browsers say; those too old to say it are taken at their word. */
function isFromElsewhere(c: AppContext): boolean {
  return ['cross-site', 'same-site'].includes(c.req.header('sec-fetch-site') ?? '');
}

function tooLarge(): never {
  throw new AppError('PAYLOAD_TOO_LARGE', 'The request’s body is too large.');
}
