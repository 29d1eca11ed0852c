import type { Context } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import { type Authenticator, callerOf, type UserSession } from '../sessions/authenticate.ts';

/**
 * Returns the session of the request's access token, which names its project; only pages of that project's
 * origins may read the response. Throws `TOKEN_EXPIRED`, `UNAUTHENTICATED`.
 */
export async function requireSession(
  c: Context<AppEnvironment>,
  authenticator: Authenticator,
): Promise<UserSession> {
  const session = await authenticator.requireSession(c.req.header('authorization'));
  c.set('project', session.project);
  c.set('caller', callerOf(session.user));
  return session;
}
