import { profileUpdate, providersQuery, signUpRequest } from '@fabrica/contract/schemas';
import type { Hono } from 'hono';
import { stream } from 'hono/streaming';
import { parseJsonBody, parseWith } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { deleteAccount } from '../accounts/delete-account.ts';
import { exportAccount } from '../accounts/export-account.ts';
import { presentUser } from '../accounts/present-user.ts';
import { publishUser } from '../accounts/publish-user.ts';
import { signUp } from '../accounts/sign-up.ts';
import { updateProfile } from '../accounts/update-profile.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { setOwnPassword } from '../passwords/change-password.ts';
import { authWriter } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';
import { presentSession } from '../sessions/open-session.ts';
import { enter } from '../sessions/sign-in.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { limitAccount, limitAddress } from './rate-limits.ts';
import { languageOf, originOf } from './request-facts.ts';
import { requireProject } from './require-project.ts';
import { requireSession } from './require-session.ts';
import { postVerification } from './verification-routes.ts';

/** Making an account, and what its owner does with it. */
export function addAccountRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  const { projects, limits, bus, authenticator, providers } = context;

  routes.post('/signup', async (c) => {
    const { clientIp } = c.var;
    await limitAddress(limits, 'signUp', clientIp);
    const { projectId, ...account } = await parseJsonBody(c, signUpRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await limitAccount(limits, {
      call: 'signUp',
      clientIp,
      projectId,
      account: account.email.trim().toLowerCase(),
    });
    const facts = { ...originOf(c), language: languageOf(c, project) };
    const user = await signUp(context, project, account, facts);
    publishUser(bus, project, { before: null, after: user });
    await postVerification(context, c, project, user);
    const session = await enter(context, project, { userId: user.id, method: 'password', ...facts });
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
      await limitAccount(limits, { call: 'password', ...attempt });
      await setOwnPassword(context, session, { password, origin: originOf(c) });
    }
    const changed = await updateProfile(project, user, changes);
    publishUser(bus, project, { before: user, after: changed });
    return c.json({ user: presentUser(changed) });
  });

  routes.get('/export', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    await recordEvent(authWriter(project.database), {
      event: 'account-exported',
      userId: user.id,
      ...originOf(c),
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
}
