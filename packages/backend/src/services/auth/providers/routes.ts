import { completionRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { requireRecentSignIn } from '../fresh-proof/require-fresh-proof.ts';
import { authReader, findSession } from '../queries.ts';
import { limitByIp, MAX_AUTH_BYTES } from '../routes/limits.ts';
import { languageOf, sourceOf } from '../routes/request-info.ts';
import { requireSession } from '../routes/require-session.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { signIn } from '../sessions/sign-in.ts';
import { mobileSessionId } from './authorize-query.ts';
import { spendCompletion } from './completion.ts';
import { flowRoutes } from './flow-routes.ts';
import { mailLinkCode } from './linking/link-proof.ts';
import { offerMobileSession, takeMobileSession } from './mobile-session.ts';

/**
 * Returns the routes for signing in at an identity provider, and for handing a session to an app that polls
 * for it.
 */
export function providerRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.route('/', flowRoutes(context));
  routes.route('/', completionRoutes(context));
  routes.route('/', mobileSessionRoutes(context));
  return routes;
}

/** Returns the last step of a sign-in at a provider: the product's page fetches its tokens. */
function completionRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.post('/complete', async (c) => {
    await limitByIp(context.limits, 'provider', c.var.clientIp);
    const { code } = await parseJsonBody(c, completionRequest, MAX_AUTH_BYTES);
    const arrived = await spendCompletion(context, c, code);
    if (!arrived) {
      throw new AppError('VERIFICATION_FAILED', 'This sign-in has expired. Please sign in again.');
    }
    const { project, userId, provider, link } = arrived;
    c.set('project', project);
    const info = { ...sourceOf(c), language: languageOf(c, project), link };
    const outcome = await signIn(context, project, { userId, method: `provider:${provider}`, ...info });
    const isMailed = 'details' in outcome && outcome.details.methods.includes('mail-code');
    if (isMailed) await mailLinkCode(context, c, project, outcome.user);
    return c.json(await presentSignIn(context, c, project, outcome));
  });
  return routes;
}

/**
 * Returns the routes of an app that opens `/auth` in a browser with an id of its own, and polls for the
 * session by that id.
 */
function mobileSessionRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.post('/mobile-session/:id', async (c) => {
    await limitByIp(context.limits, 'provider', c.var.clientIp);
    const own = await requireSession(c, context.authenticator);
    const { project, user, sessionId } = own;
    const id = parseWith(mobileSessionId, c.req.param('id'));
    // Whoever has found an access token has minutes: they must not become a session of months.
    await requireRecentSignIn(own);
    const session = await findSession(authReader(project.database), sessionId);
    const secondStep = session?.second_step ?? null;
    await offerMobileSession(context, project, { id, userId: user.id, secondStep });
    return c.json({ success: true });
  });

  routes.get('/mobile-session/:id', async (c) => {
    await limitByIp(context.limits, 'poll', c.var.clientIp);
    const id = parseWith(mobileSessionId, c.req.param('id'));
    const taken = await takeMobileSession(context, id);
    if (!taken) return c.json({ status: 'pending' }, 202);
    const { project, userId, secondStep } = taken;
    c.set('project', project);
    const session = await signIn(context, project, {
      userId,
      method: 'hand-over',
      secondStep,
      ...sourceOf(c),
    });
    return c.json(await presentSignIn(context, c, project, session));
  });
  return routes;
}
