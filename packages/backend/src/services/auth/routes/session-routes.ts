import type { Introspection, SessionInfo, SignInMethod } from '@fabrica/contract';
import { provenRequest, refreshRequest, signInRequest, signOutRequest } from '@fabrica/contract/schemas';
import { type Context, Hono } from 'hono';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { parseJsonBody } from '../../../http/body.ts';
import type { AppEnvironment } from '../../../http/environment.ts';
import { recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { requireFreshProof } from '../fresh-proof/require-fresh-proof.ts';
import { isNetworkOf } from '../owner-notices/new-device.ts';
import {
  authReader,
  authWriter,
  findRefreshToken,
  findUserByEmail,
  listSessions,
  type SessionRow,
} from '../queries.ts';
import { expiredToken } from '../sessions/access-token.ts';
import { presentSession } from '../sessions/open-session.ts';
import { presentSignIn } from '../sessions/present-sign-in.ts';
import { refreshSession } from '../sessions/refresh-session.ts';
import { hashRefreshToken, projectOfToken } from '../sessions/refresh-token.ts';
import { requirePassword, type SignInAttempt, signIn } from '../sessions/sign-in.ts';
import { endSession, signOutByToken, signOutEverywhere } from '../sessions/sign-out.ts';
import { forgiveGuesses, hashingPriority, limitByAccount, limitByIp, MAX_AUTH_BYTES } from './limits.ts';
import { readAttempt } from './read-attempt.ts';
import { languageOf, sourceOf } from './request-info.ts';
import { requireSession } from './require-session.ts';
import { slowRefusals } from './slow-refusals.ts';
import { queueVerificationMail } from './verification-routes.ts';

/** Returns the routes for sign-in with a password, refresh, sign-out and the list of sessions. */
export function sessionRoutes(context: AuthContext): Hono<AppEnvironment> {
  const routes = new Hono<AppEnvironment>();
  const { projects, keys, settings, limits, authenticator } = context;

  routes.use('/signin/email', slowRefusals(settings));
  routes.post('/signin/email', async (c) => {
    const { clientIp } = c.var;
    const { project, given, attempt } = await readAttempt(context, c, {
      call: 'signIn',
      schema: signInRequest,
      emailOf: ({ email }) => email,
    });
    await limitByAccount(limits, attempt);
    const isKnownNetwork = await isNetworkOf(project, attempt.account, clientIp);
    const priority = await hashingPriority(limits, { ...attempt, isKnownNetwork });
    const user = await requirePassword(context, project, { ...given, priority }).catch(
      async (error: unknown) => {
        if (error instanceof AppError && error.code === 'INVALID_CREDENTIALS')
          await recordFailure(c, project, given);
        throw error;
      },
    );
    forgiveGuesses(limits, attempt);
    const info = { ...sourceOf(c), language: languageOf(c, project), method: 'password' as const };
    const options = { userId: user.id, passwordHash: user.password_hash, ...info };
    const outcome = await signIn(context, project, options).catch(async (error: unknown) => {
      if (error instanceof AppError && error.code === 'EMAIL_NOT_VERIFIED') {
        await queueVerificationMail(context, c, project, user);
      }
      throw error;
    });
    return c.json(await presentSignIn(context, c, project, outcome));
  });

  routes.post('/refresh', async (c) => {
    const { clientIp } = c.var;
    await limitByIp(limits, 'refresh', clientIp);
    const { refresh_token: token } = await parseJsonBody(c, refreshRequest, MAX_AUTH_BYTES);
    const project = projectOfToken(projects, token);
    const known = project && (await findRefreshToken(authReader(project.database), hashRefreshToken(token)));
    if (!known) throw expiredToken();
    c.set('project', project);
    const projectId = project.definition.id;
    await limitByAccount(limits, { call: 'refresh', clientIp, projectId, account: known.user_id });
    const session = await refreshSession({ keys, settings, project, source: sourceOf(c) }, token);
    return c.json(await presentSession(context, project, session));
  });

  routes.post('/logout', async (c) => {
    const { refresh_token: token } = await parseJsonBody(c, signOutRequest, MAX_AUTH_BYTES);
    if (token) {
      // The refresh token alone may end its session, also after the access token has expired.
      const project = projectOfToken(projects, token);
      if (project) await signOutByToken(project, token, sourceOf(c));
    } else {
      const { project, user, sessionId } = await requireSession(c, authenticator);
      await endSession(project, sessionId, { event: 'sign-out', userId: user.id, ...sourceOf(c) });
    }
    return c.json({ success: true });
  });

  routes.post('/introspect', async (c) => {
    await limitByIp(limits, 'introspect', c.var.clientIp);
    return c.json(await introspect(c, context));
  });

  routes.get('/sessions', async (c) => {
    const { project, user, sessionId } = await requireSession(c, authenticator);
    const rows = await listSessions(authReader(project.database), user.id, Date.now());
    return c.json({ sessions: rows.map((row) => presentSessionInfo(row, sessionId)) });
  });

  routes.delete('/sessions', async (c) => {
    const session = await requireSession(c, authenticator);
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    await requireFreshProof(context, c, session, { proof, acceptRecentSignIn: true });
    await signOutEverywhere(session.project, session.user.id, sourceOf(c));
    return c.json({ success: true });
  });

  routes.delete('/sessions/:id', async (c) => {
    const session = await requireSession(c, authenticator);
    const { project, user, sessionId } = session;
    const { proof } = await parseJsonBody(c, provenRequest, MAX_AUTH_BYTES);
    if (c.req.param('id') !== sessionId)
      await requireFreshProof(context, c, session, { proof, acceptRecentSignIn: true });
    const entry = { event: 'session-ended', userId: user.id, ...sourceOf(c) } as const;
    if (!(await endSession(project, c.req.param('id'), entry))) {
      throw new AppError('NOT_FOUND', 'You have no session of this id.');
    }
    return c.json({ success: true });
  });
  return routes;
}

async function recordFailure(
  c: Context<AppEnvironment>,
  { database }: Project,
  { email }: Pick<SignInAttempt, 'email'>,
): Promise<void> {
  const known = await findUserByEmail(authReader(database), email);
  const entry = { event: 'sign-in-failed', userId: known?.id ?? null, ...sourceOf(c) } as const;
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

function presentSessionInfo(row: SessionRow, currentId: string): SessionInfo {
  return {
    id: row.id,
    current: row.id === currentId,
    createdAt: new Date(row.created_at).toISOString(),
    lastUsedAt: new Date(row.last_used_at).toISOString(),
    device: row.device,
    method: row.method as SignInMethod,
  };
}
