import { verificationRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { verifyEmail } from '../mail-links/verify-email.ts';
import { authReader, findUserByEmail, type UserRow } from '../queries.ts';
import { forgiveGuesses, limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { readClaimedProof } from './read-claimed-proof.ts';
import { defaultLanguage, languageOf, sourceOf } from './request-info.ts';
import { requireSession } from './require-session.ts';

/** Returns the routes that verify an e-mail. */
export function verificationRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { keys, limits, authenticator, devices } = context;

  /** Queues a verification mail for the signed-in user. Throws `RATE_LIMITED`, `UNAUTHENTICATED`. */
  async function queueOwnMail(c: Context<AppEnvironment>): Promise<void> {
    const { clientIp } = c.var;
    const kind = 'verify-email';
    await limitByIp(limits, 'mail', clientIp, kind);
    const { project, user } = await requireSession(c, authenticator);
    const owner = { projectId: project.definition.id, email: user.email };
    const device = devices.read(c, owner);
    await limitByAccount(limits, { call: 'mail', clientIp, ...owner, account: user.email, device, kind });
    if (user.email_verified === 0) queueMail(context, c, project, user);
  }

  routes.post('/email/verify/generate', async (c) => {
    const project = authenticator.serviceProject(c.req.header('authorization'));
    if (!project) {
      await queueOwnMail(c);
      return c.json({ success: true });
    }
    c.set('project', project);
    const { email } = await parseJsonBody(c, verificationRequest, MAX_AUTH_BYTES);
    if (!email) throw new AppError('VALIDATION_FAILED', 'With the secret key, say whose email it is.');
    const user = await findUserByEmail(authReader(project.database), email);
    if (!user) throw authError('USER_NOT_FOUND');
    const mail = { kind: 'verify-email', email, userId: user.id } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, mail);
    const verifyUrl = mailLink(context, mail, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), verifyUrl });
  });

  routes.post('/email/verify/send', async (c) => {
    await queueOwnMail(c);
    return c.json({ success: true });
  });

  routes.post('/email/verify', async (c) => {
    const { project, claimed, attempt } = await readClaimedProof(context, c);
    await verifyEmail(context, project, { ...claimed, source: sourceOf(c) });
    forgiveGuesses(limits, attempt);
    return c.json({ success: true });
  });
  return routes;
}

/**
 * Queues a verification mail after a sign-up or a refused sign-in, within the limit of mails that anybody may
 * request.
 */
export async function queueVerificationMail(
  context: AuthContext,
  c: Context<AppEnvironment>,
  project: Project,
  user: UserRow,
): Promise<void> {
  const { clientIp } = c.var;
  const owner = { projectId: project.definition.id, email: user.email };
  const attempt = { clientIp, ...owner, account: user.email, device: context.devices.read(c, owner) };
  try {
    await limitByAccount(context.limits, { call: 'mail', ...attempt, kind: 'verify-email' });
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return;
    throw error;
  }
  queueMail(context, c, project, user);
}

function queueMail(context: AuthContext, c: Context<AppEnvironment>, project: Project, user: UserRow): void {
  context.queueMail(project, {
    kind: 'verify-email',
    email: user.email,
    userId: user.id,
    language: user.language ?? languageOf(c, project) ?? defaultLanguage(project),
  });
}
