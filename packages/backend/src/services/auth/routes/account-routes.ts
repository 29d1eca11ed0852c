import { asciiEmail } from '@fabrica/contract';
import {
  type FreshProof,
  profileUpdate,
  provenRequest,
  providersQuery,
  signUpRequest,
} from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
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
import { requireFreshProof } from '../fresh-proof/require-fresh-proof.ts';
import { setPassword } from '../passwords/change-password.ts';
import { requireGoodPassword } from '../passwords/password-rules.ts';
import { authWriter } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { signIn } from '../sessions/sign-in.ts';
import { hashingPriority, limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { languageOf, sourceOf } from './request-info.ts';
import { requireProject } from './require-project.ts';
import { requireSession } from './require-session.ts';
import { queueVerificationMail } from './verification-routes.ts';

/** Returns the routes to create an account, and for its owner to read, change, export and delete it. */
export function accountRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, limits, bus, authenticator, providers, notifyOwner } = context;

  routes.post('/signup', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'signUp', clientIp);
    const { projectId, ...account } = await parseJsonBody(c, signUpRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await limitByAccount(limits, {
      call: 'signUp',
      clientIp,
      projectId,
      account: asciiEmail(account.email.trim().toLowerCase()),
    });
    const info = { ...sourceOf(c), language: languageOf(c, project) };
    const priority = await hashingPriority(limits, { clientIp, device: undefined });
    const user = await signUp(context, project, account, { ...info, priority });
    publishUser(bus, project, { before: null, after: user });
    await queueVerificationMail(context, c, project, user);
    const session = await signIn(context, project, { userId: user.id, method: 'password', ...info });
    return c.json(await presentSignIn(context, c, project, session));
  });

  routes.get('/me', async (c) => {
    const { user } = await requireSession(c, authenticator);
    return c.json({ user: presentUser(user) });
  });

  routes.patch('/me', async (c) => {
    const session = await requireSession(c, authenticator);
    const { project, user } = session;
    const { password, proof, ...changes } = await parseJsonBody(c, profileUpdate, MAX_AUTH_BYTES);
    if (password !== undefined) {
      requireGoodPassword(password, user.email, context.settings.ownWords);
      await context.requireUnbreached(password);
      await requireFreshProof(context, c, session, { proof });
      await setPassword(context, session, { password, source: sourceOf(c) });
    }
    const changed = await updateProfile(project, bus, user, changes);
    return c.json({ user: presentUser(changed) });
  });

  routes.get('/export', async (c) => sendExport(context, c, undefined));
  routes.post('/export', async (c) => {
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    return sendExport(context, c, proof);
  });

  routes.delete('/account', async (c) => {
    const session = await requireSession(c, authenticator);
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    await requireFreshProof(context, c, session, { proof, acceptRecentSignIn: true });
    const { project, user } = session;
    if (!(await deleteAccount({ project, bus, userId: user.id }))) throw invalidToken();
    notifyOwner(project, user, { kind: 'account-deleted', device: sourceOf(c).device });
    return c.json({ success: true });
  });

  routes.get('/providers', (c) => {
    const { projectId } = parseWith(providersQuery, c.req.query());
    requireProject(c, projects, projectId);
    return c.json({ providers: ['email', ...providers.map(({ id }) => id)] });
  });
  return routes;
}

/** Sends all data of the account as a file, and tells the owner. Throws what `requireFreshProof` throws. */
async function sendExport(
  context: AuthContext,
  c: Context<AppEnvironment>,
  proof: FreshProof | undefined,
): Promise<Response> {
  const session = await requireSession(c, context.authenticator);
  await requireFreshProof(context, c, session, { proof, acceptRecentSignIn: true });
  const { project, user } = session;
  const source = sourceOf(c);
  const entry = { event: 'account-exported', userId: user.id, ...source } as const;
  await recordEvent(authWriter(project.database), entry);
  context.notifyOwner(project, user, { kind: 'data-exported', device: source.device });
  c.header('content-type', 'application/json; charset=utf-8');
  c.header('content-disposition', `attachment; filename="${project.definition.id}-account.json"`);
  return stream(c, async (out) => {
    for await (const part of exportAccount({ project, userId: user.id })) await out.write(part);
  });
}
