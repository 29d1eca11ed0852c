import { mailRequest, proofRequest } from '@fabrica/contract/schemas';
import type { Hono } from 'hono';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { enterByMail } from '../mail-links/magic-link.ts';
import { requestMail, requireRedirect } from '../mail-links/request-mail.ts';
import { authReader, findUserByEmail } from '../queries.ts';
import { presentSession } from '../sessions/open-session.ts';
import { parseEmail } from './auth-errors.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { limitAccount, limitAddress } from './rate-limits.ts';
import { languageOf, originOf } from './request-facts.ts';
import { requireProject, requireSecretKey } from './require-project.ts';

/** Signing in by a mail. */
export function addMagicLinkRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  const { projects, keys, limits, authenticator } = context;

  routes.post('/signin/magic', async (c) => {
    await requestMail(context, c, 'magic-link');
    return c.json({ success: true });
  });

  routes.post('/signin/magic/generate', async (c) => {
    const { projectId, email: given, ...target } = await parseJsonBody(c, mailRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    await requireSecretKey(authenticator, c.req.header('authorization'), project);
    requireRedirect(context, { ...target, projectId });
    const email = parseEmail(given);
    const user = await findUserByEmail(authReader(project.database), email);
    const order = { kind: 'magic-link', email, userId: user?.id ?? null } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, order);
    const magicUrl = mailLink(context, { ...order, ...target }, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), magicUrl });
  });

  routes.post('/signin/magic/verify', async (c) => {
    const { clientIp } = c.var;
    await limitAddress(limits, 'proof', clientIp);
    const { projectId, ...proof } = await parseJsonBody(c, proofRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    if (proof.email) {
      await limitAccount(limits, { call: 'proof', clientIp, projectId, account: proof.email });
    }
    const facts = { ...originOf(c), language: languageOf(c, project) };
    return c.json(
      await presentSession(context, project, await enterByMail(context, project, { proof, ...facts })),
    );
  });
}
