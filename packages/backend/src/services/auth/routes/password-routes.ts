import { mailRequest, passwordChange, passwordResetRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { authError, parseEmail } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { requireFreshProof } from '../fresh-proof/require-fresh-proof.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { requestMail, requireRedirect } from '../mail-links/request-mail.ts';
import { resetPassword, setPassword } from '../passwords/change-password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { authReader, findUserByEmail } from '../queries.ts';
import { forgiveGuesses, limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { readAttempt } from './read-attempt.ts';
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
    await requireSecretKey(c, authenticator, project);
    requireRedirect(context, { ...target, projectId });
    const user = await findUserByEmail(authReader(project.database), parseEmail(email));
    if (!user) throw authError('USER_NOT_FOUND');
    const mail = { kind: 'reset-password', email: user.email, userId: user.id } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, mail);
    const resetUrl = mailLink(context, { ...mail, ...target }, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), resetUrl });
  });

  routes.post('/password/reset/confirm', async (c) => {
    const { project, given, attempt } = await readAttempt(context, c, {
      call: 'proof',
      schema: passwordResetRequest,
      emailOf: ({ email }) => email,
    });
    if (attempt.account) await limitByAccount(limits, attempt);
    const { projectId: _, ...proof } = { ...given, isKnownDevice: attempt.device !== undefined };
    await resetPassword(context, project, { ...proof, source: sourceOf(c) });
    forgiveGuesses(limits, attempt);
    return c.json({ success: true });
  });

  routes.post('/password/change', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'password', clientIp);
    const session = await requireSession(c, authenticator);
    const { oldPassword, newPassword, ...given } = await parseJsonBody(c, passwordChange, MAX_AUTH_BYTES);
    const proof = oldPassword === undefined ? given.proof : { password: oldPassword };
    // A code works once: it is not spent on a password that is refused.
    requireGoodPassword(newPassword, session.user.email, context.settings.ownWords);
    await context.requireUnbreached(newPassword);
    await requireFreshProof(context, c, session, { proof, acceptPassword: oldPassword !== undefined });
    await setPassword(context, session, { password: newPassword, source: sourceOf(c) });
    return c.json({ success: true });
  });
  return routes;
}
