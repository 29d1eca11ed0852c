import { Hono } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authWriter } from '../queries.ts';
import { limitByAccount, limitByIp } from '../routes/limits.ts';
import { defaultLanguage, languageOf, sourceOf } from '../routes/request-info.ts';
import { requireSession } from '../routes/require-session.ts';

/** Returns the route that mails the owner of an account a code, by which a change is confirmed. */
export function proofRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  routes.post('/proof/send', async (c) => {
    const { limits, authenticator, devices, queueProofMail } = context;
    const { clientIp } = c.var;
    const kind = 'confirm-change';
    await limitByIp(limits, 'mail', clientIp, kind);
    const { project, user } = await requireSession(c, authenticator);
    const owner = { projectId: project.definition.id, email: user.email };
    const device = devices.read(c, owner);
    await limitByAccount(limits, { call: 'mail', clientIp, ...owner, account: user.email, device, kind });
    await recordEvent(authWriter(project.database), {
      event: 'mail-requested',
      userId: user.id,
      ...sourceOf(c),
      details: { kind },
    });
    queueProofMail(project, user, user.language ?? languageOf(c, project) ?? defaultLanguage(project));
    return c.json({ success: true });
  });
  return routes;
}
