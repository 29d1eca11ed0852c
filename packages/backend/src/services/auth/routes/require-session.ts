import type { Context } from 'hono';
import type { AppEnvironment } from '../../../http/environment.ts';
import type { Authenticator, UserSession } from '../sessions/authenticate.ts';

/**
 * Who is signed in, by a token that says itself which project it is for: that one's answer it is, so that pages of its
 * origins alone may read it. Throws TOKEN_EXPIRED, UNAUTHENTICATED.
 */
export async function requireSession(
  c: Context<AppEnvironment>,
  authenticator: Authenticator,
): Promise<UserSession> {
  const session = await authenticator.requireSession(c.req.header('authorization'));
  c.set('project', session.project);
  return session;
}
