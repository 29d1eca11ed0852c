import { mailRequest } from '@fabrica/contract/schemas';
import { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { parseEmail } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { signInByMail } from '../mail-links/magic-link.ts';
import { requestMail, requireRedirect } from '../mail-links/request-mail.ts';
import { authReader, findUserByEmail } from '../queries.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { forgiveGuesses, MAX_AUTH_BYTES } from './limits.ts';
import { readClaimedProof } from './read-claimed-proof.ts';
import { languageOf, sourceOf } from './request-info.ts';
import { requireProject, requireSecretKey } from './require-project.ts';

/** Returns the routes for signing in by mail. */
export function magicLinkRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, keys, limits, authenticator } = context;

  routes.post('/signin/magic', async (c) => {
    await requestMail(context, c, 'magic-link');
    return c.json({ success: true });
  });

  routes.post('/signin/magic/generate', async (c) => {
    const { projectId, email: given, ...target } = await parseJsonBody(c, mailRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await requireSecretKey(c, authenticator, project);
    requireRedirect(context, { ...target, projectId });
    const email = parseEmail(given);
    const user = await findUserByEmail(authReader(project.database), email);
    const mail = { kind: 'magic-link', email, userId: user?.id ?? null } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, mail);
    const magicUrl = mailLink(context, { ...mail, ...target }, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), magicUrl });
  });

  routes.post('/signin/magic/verify', async (c) => {
    const { project, claimed, attempt } = await readClaimedProof(context, c);
    const info = { ...sourceOf(c), language: languageOf(c, project) };
    const outcome = await signInByMail(context, project, { claimed, ...info });
    forgiveGuesses(limits, attempt);
    return c.json(await presentSignIn(context, c, project, outcome));
  });
  return routes;
}
