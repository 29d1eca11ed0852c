import type { Hono } from 'hono';
import { parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { limitAddress } from '../routes/rate-limits.ts';
import { originOf } from '../routes/request-facts.ts';
import { requireSession } from '../routes/require-session.ts';
import { presentSession } from '../sessions/open-session.ts';
import { enter } from '../sessions/sign-in.ts';
import { mobileSessionId } from './authorize-query.ts';
import { offerMobileSession, takeMobileSession } from './mobile-session.ts';

/** An app opens `/auth` in a browser with an id of its own making, and polls for the session by that id. */
export function addMobileSessionRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  routes.post('/mobile-session/:id', async (c) => {
    await limitAddress(context.limits, 'provider', c.var.clientIp);
    const { project, user } = await requireSession(c, context.authenticator);
    const id = parseWith(mobileSessionId, c.req.param('id'));
    await offerMobileSession(context, project, { id, userId: user.id });
    return c.json({ success: true });
  });

  routes.get('/mobile-session/:id', async (c) => {
    await limitAddress(context.limits, 'poll', c.var.clientIp);
    const id = parseWith(mobileSessionId, c.req.param('id'));
    const taken = await takeMobileSession(context, id);
    if (!taken) return c.json({ status: 'pending' }, 202);
    const { project, userId } = taken;
    c.set('project', project);
    const session = await enter(context, project, { userId, method: 'hand-over', ...originOf(c) });
    return c.json(await presentSession(context, project, session));
  });
}
