import type { Introspection } from '@fabrica/contract';
import { refreshRequest, signInRequest, signOutRequest } from '@fabrica/contract/schemas';
import type { Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authReader, authWriter, findRefreshToken, findUserByEmail, listSessions } from '../queries.ts';
import { expiredToken } from '../sessions/access-token.ts';
import { presentSession } from '../sessions/open-session.ts';
import { presentSessionInfo } from '../sessions/present-session-info.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { hashRefreshToken } from '../sessions/refresh-token.ts';
import { enter, requirePassword, type SignInAttempt } from '../sessions/sign-in.ts';
import { endSession, signOutByToken, signOutEverywhere } from '../sessions/sign-out.ts';
import { tokenProject } from '../sessions/token-project.ts';
import { MAX_AUTH_BYTES } from './limits.ts';
import { type Attempt, forgiveSignIns, limitAccount, limitAddress } from './rate-limits.ts';
import { languageOf, originOf } from './request-facts.ts';
import { requireProject } from './require-project.ts';
import { requireSession } from './require-session.ts';
import { postVerification } from './verification-routes.ts';

/** Sign-in with a password, refresh, sign-out, and the list of sessions. */
export function addSessionRoutes(routes: Hono<AppEnvironment>, context: AuthContext): void {
  const { projects, keys, limits, authenticator } = context;

  routes.post('/signin/email', async (c) => {
    const { clientIp } = c.var;
    await limitAddress(limits, 'signIn', clientIp);
    const { projectId, ...given } = await parseJsonBody(c, signInRequest, MAX_AUTH_BYTES);
    const project = requireProject(c, projects, projectId);
    const attempt: Attempt = { call: 'signIn', clientIp, projectId, account: given.email };
    await limitAccount(limits, attempt);
    const user = await requirePassword(context, project, given).catch(async (error: unknown) => {
      await recordFailure(c, project, given);
      throw error;
    });
    await forgiveSignIns(limits, attempt);
    const facts = { ...originOf(c), language: languageOf(c, project), method: 'password' as const };
    const entrant = { userId: user.id, passwordHash: user.password_hash, ...facts };
    const session = await enter(context, project, entrant).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'EMAIL_NOT_VERIFIED') {
        await postVerification(context, c, project, user);
      }
      throw error;
    });
    return c.json(await presentSession(context, project, session));
  });

  routes.post('/refresh', async (c) => {
    const { clientIp } = c.var;
    await limitAddress(limits, 'refresh', clientIp);
    const { refresh_token: token } = await parseJsonBody(c, refreshRequest, MAX_AUTH_BYTES);
    const project = findTokenProject(projects, token);
    const known = project && (await findRefreshToken(authReader(project.database), hashRefreshToken(token)));
    if (!known) throw expiredToken();
    c.set('project', project);
    const projectId = project.definition.id;
    await limitAccount(limits, { call: 'refresh', clientIp, projectId, account: known.user_id });
    const session = await refreshSession({ keys, project, origin: originOf(c) }, token);
    return c.json(await presentSession(context, project, session));
  });

  routes.post('/logout', async (c) => {
    const { refresh_token: token } = await parseJsonBody(c, signOutRequest, MAX_AUTH_BYTES);
    if (token) {
      // Whoever holds the refresh token may end its session, also after the access token's time.
      const project = findTokenProject(projects, token);
      if (project) await signOutByToken(project, token, originOf(c));
    } else {
      const { project, user, sessionId } = await requireSession(c, authenticator);
      await endSession(project, sessionId, { event: 'sign-out', userId: user.id, ...originOf(c) });
    }
    return c.json({ success: true });
  });

  routes.post('/introspect', async (c) => {
    await limitAddress(limits, 'introspect', c.var.clientIp);
    return c.json(await introspect(c, context));
  });

  routes.get('/sessions', async (c) => {
    const { project, user, sessionId } = await requireSession(c, authenticator);
    const rows = await listSessions(authReader(project.database), user.id, Date.now());
    return c.json({ sessions: rows.map((row) => presentSessionInfo(row, sessionId)) });
  });

  routes.delete('/sessions', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    await signOutEverywhere(project, user.id, originOf(c));
    return c.json({ success: true });
  });

  routes.delete('/sessions/:id', async (c) => {
    const { project, user } = await requireSession(c, authenticator);
    const entry = { event: 'session-ended', userId: user.id, ...originOf(c) } as const;
    if (!(await endSession(project, c.req.param('id'), entry))) {
      throw new AppError('NOT_FOUND', 'You have no session of this id.');
    }
    return c.json({ success: true });
  });
}

async function recordFailure(
  c: Context<AppEnvironment>,
  { database }: Project,
  { email }: SignInAttempt,
): Promise<void> {
  const known = await findUserByEmail(authReader(database), email);
  const entry = { event: 'sign-in-failed', userId: known?.id ?? null, ...originOf(c) } as const;
  await recordEvent(authWriter(database), entry);
}

async function introspect(
  c: Context<AppEnvironment>,
  { authenticator }: AuthContext,
): Promise<Introspection> {
  try {
    const { user, claims } = await requireSession(c, authenticator);
    return {
      valid: true,
      userId: user.id,
      email: user.email,
      projectId: claims.project_id,
      tokenType: claims.type,
      appRole: user.role,
      exp: claims.exp,
    };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { valid: false, error: error.message };
  }
}

function findTokenProject(projects: ReadonlyMap<string, Project>, token: string): Project | undefined {
  const projectId = tokenProject(token);
  return projectId === undefined ? undefined : projects.get(projectId);
}
