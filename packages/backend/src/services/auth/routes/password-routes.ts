import { mailRequest, passwordChange, passwordResetRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { authError, parseEmail } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { requestMail, requireRedirect } from '../mail-links/request-mail.ts';
import { changePassword, resetPassword } from '../passwords/change-password.ts';
import { authReader, findUserByEmail } from '../queries.ts';
import { limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { sourceOf } from './request-info.ts';
import { requireProject, requireSecretKey } from './require-project.ts';
import { requireSession } from './require-session.ts';

/** Returns the routes for a forgotten password and a new one. */
export function passwordRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, keys, limits, authenticator } = context;

  routes.post('/password/reset', async (c) => {
    await requestMail(context, c, 'reset-password');
    return c.json({ success: true });
  });

  routes.post('/password/reset/generate', async (c) => {
    const { projectId, email, ...target } = await parseJsonBody(c, mailRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await requireSecretKey(authenticator, c.req.header('authorization'), project);
    requireRedirect(context, { ...target, projectId });
    const user = await findUserByEmail(authReader(project.database), parseEmail(email));
    if (!user) throw authError('USER_NOT_FOUND');
    const mail = { kind: 'reset-password', email: user.email, userId: user.id } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, mail);
    const resetUrl = mailLink(context, { ...mail, ...target }, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), resetUrl });
  });

  routes.post('/password/reset/confirm', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'proof', clientIp);
    const { projectId, ...given } = await parseJsonBody(c, passwordResetRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    if (given.email) {
      await limitByAccount(limits, { call: 'proof', clientIp, projectId, account: given.email });
    }
    await resetPassword(context, project, { ...given, source: sourceOf(c) });
    return c.json({ success: true });
  });

  routes.post('/password/change', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'password', clientIp);
    const session = await requireSession(c, authenticator);
    const given = await parseJsonBody(c, passwordChange, MAX_AUTH_BYTES);
    const projectId = session.project.definition.id;
    await limitByAccount(limits, { call: 'password', clientIp, projectId, account: session.user.id });
    await changePassword(context, session, { ...given, source: sourceOf(c) });
    return c.json({ success: true });
  });
  return routes;
}
