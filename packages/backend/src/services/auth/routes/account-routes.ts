import { profileUpdate, providersQuery, signUpRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { exportAccount } from '../accounts/export-account.ts';
import { signUp } from '../accounts/sign-up.ts';
import { updateProfile } from '../accounts/update-profile.ts';
import { presentUser, publishUser } from '../accounts/user.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { setOwnPassword } from '../passwords/change-password.ts';
import { authWriter } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';
import { presentSession } from '../sessions/open-session.ts';
import { signIn } from '../sessions/sign-in.ts';
import { limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { languageOf, sourceOf } from './request-info.ts';
import { requireProject } from './require-project.ts';
import { requireSession } from './require-session.ts';
import { queueVerificationMail } from './verification-routes.ts';

/** Returns the routes to create an account, and for its owner to read, change, export and delete it. */
export function accountRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, limits, bus, authenticator, providers } = context;

  routes.post('/signup', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'signUp', clientIp);
    const { projectId, ...account } = await parseJsonBody(c, signUpRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await limitByAccount(limits, {
      call: 'signUp',
      clientIp,
      projectId,
      account: account.email.trim().toLowerCase(),
    });
    const info = { ...sourceOf(c), language: languageOf(c, project) };
    const user = await signUp(context, project, account, info);
    publishUser(bus, project, { before: null, after: user });
    await queueVerificationMail(context, c, project, user);
    const session = await signIn(context, project, { userId: user.id, method: 'password', ...info });
    return c.json(await presentSession(context, project, session));
  });

  routes.get('/me', async (c) => {
    const { user } = await requireSession(c, authenticator);
    return c.json({ user: presentUser(user) });
  });

  routes.patch('/me', async (c) => {
    const session = await requireSession(c, authenticator);
    const { project, user } = session;
    const { password, ...changes } = await parseJsonBody(c, profileUpdate, MAX_AUTH_BYTES);
    if (password !== undefined) {
      const attempt = {
        clientIp: c.var.clientIp,
        projectId: project.definition.id,
        account: user.id,
      };
      await limitByAccount(limits, { call: 'password', ...attempt });
      await setOwnPassword(context, session, { password, source: sourceOf(c) });
    }
    const changed = await updateProfile(project, bus, user, changes);
    return c.json({ user: presentUser(changed) });
  });

  routes.get('/export', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    await recordEvent(authWriter(project.database), {
      event: 'account-exported',
      userId: user.id,
      ...sourceOf(c),
    });
    c.header('content-type', 'application/json; charset=utf-8');
    c.header('content-disposition', `attachment; filename="${project.definition.id}-account.json"`);
    return stream(c, async (out) => {
      for await (const part of exportAccount({ project, userId: user.id })) await out.write(part);
    });
  });

  routes.delete('/account', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    if (!(await deleteAccount({ project, bus, userId: user.id }))) throw invalidToken();
    return c.json({ success: true });
  });

  routes.get('/providers', (c) => {
    const { projectId } = parseWith(providersQuery, c.req.query());
    requireProject(c, projects, projectId);
    return c.json({ providers: ['email', ...providers.map(({ id }) => id)] });
  });
  return routes;
}
