import { proofRequest, verificationRequest } from '@fabrica/contract/schemas';
import type { Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { AuthContext } from '../context.ts';
import { issueMailToken, mailLink } from '../mail-links/auth-mails.ts';
import { verifyEmail } from '../mail-links/verify-email.ts';
import { authReader, findUserByEmail, type UserRow } from '../queries.ts';
import { refusal } from './auth-errors.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { limitAccount, limitAddress } from './rate-limits.ts';
import { defaultLanguage, languageOf, originOf } from './request-facts.ts';
import { requireProject } from './require-project.ts';
import { requireSession } from './require-session.ts';

/** Showing that an address is one's own. */
export function addVerificationRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  const { projects, keys, limits, authenticator } = context;

  /** Throws RATE_LIMITED, UNAUTHENTICATED. */
  async function send(c: Context<AppEnvironment>): Promise<void> {
    const { clientIp } = c.var;
    await limitAddress(limits, 'mail', clientIp);
    const { project, user } = await requireSession(c, authenticator);
    const projectId = project.definition.id;
    await limitAccount(limits, { call: 'mail', clientIp, projectId, account: user.email });
    if (user.email_verified === 0) post(context, c, project, user);
  }

  routes.post('/email/verify/generate', async (c) => {
    const project = authenticator.serviceProject(c.req.header('authorization'));
    if (!project) {
      await send(c);
      return c.json({ success: true });
    }
    c.set('project', project);
    const { email } = await parseJsonBody(c, verificationRequest, MAX_AUTH_BYTES);
    if (!email) throw new AppError('VALIDATION_FAILED', 'With the secret key, say whose email it is.');
    const user = await findUserByEmail(authReader(project.database), email);
    if (!user) throw refusal('USER_NOT_FOUND');
    const order = { kind: 'verify-email', email, userId: user.id } as const;
    const { token, expiresAt } = await issueMailToken(keys, project, order);
    const verifyUrl = mailLink(context, order, token);
    return c.json({ token, expiresAt: new Date(expiresAt).toISOString(), verifyUrl });
  });

  routes.post('/email/verify/send', async (c) => {
    await send(c);
    return c.json({ success: true });
  });

  routes.post('/email/verify', async (c) => {
    const { clientIp } = c.var;
    await limitAddress(limits, 'proof', clientIp);
    const { projectId, ...proof } = await parseJsonBody(c, proofRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    if (proof.email) {
      await limitAccount(limits, { call: 'proof', clientIp, projectId, account: proof.email });
    }
    await verifyEmail(context, project, { ...proof, origin: originOf(c) });
    return c.json({ success: true });
  });
}

/** The mail that goes out by itself, after a sign-up or a refused sign-in: not more of them than anybody may ask for. */
export async function postVerification(
  context: AuthContext,
  c: Context<AppEnvironment>,
  project: Project,
  user: UserRow,
): Promise<void> {
  const { clientIp } = c.var;
  const attempt = { clientIp, projectId: project.definition.id, account: user.email };
  try {
    await limitAccount(context.limits, { call: 'mail', ...attempt });
  } catch (error) {
    if (error instanceof AppError && error.code === 'RATE_LIMITED') return;
    throw error;
  }
  post(context, c, project, user);
}

function post(context: AuthContext, c: Context<AppEnvironment>, project: Project, user: UserRow): void {
  context.post(project, {
    kind: 'verify-email',
    email: user.email,
    userId: user.id,
    language: user.language ?? languageOf(c, project) ?? defaultLanguage(project),
  });
}
