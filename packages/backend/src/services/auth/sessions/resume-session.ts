import type { SignInResponse } from '@fabrica/contract';
import type { Project } from '../../../database/project.ts';
import type { AuthContext } from '../context.ts';
import { isFactorRequired } from '../factors/second-step.ts';
import {
  authReader,
  authWriter,
  extendRefreshToken,
  findRefreshToken,
  findSession,
  findUser,
  type RefreshTokenRow,
  touchSession,
} from '../queries.ts';
import { presentSession } from './open-session.ts';
import { hashRefreshToken, projectOfToken } from './refresh-token.ts';
import { sessionEnd } from './session-end.ts';

/** Milliseconds after which the use of a session is written down and its end moves on. */
const EXTEND_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the tokens of the session that a refresh token names, without spending it: the access token is new, the
 * refresh token is the same. A server that keeps the token for a browser, in a cookie that no script reads, asks
 * again with each page; a token that changed with each response would be lost with the first response that is.
 * Returns `undefined` when the token is unknown, spent or expired, when the account is disabled, and when its role asks for
 * a second step that the session has not taken.
 */
export async function resumeSession(
  context: Pick<AuthContext, 'projects' | 'keys' | 'settings' | 'publicUrl'>,
  token: string,
): Promise<SignInResponse | undefined> {
  const project = projectOfToken(context.projects, token);
  if (!project) return undefined;
  const reader = authReader(project.database);
  const known = await findRefreshToken(reader, hashRefreshToken(token));
  if (!known || known.spent_at !== null || known.expires_at <= Date.now()) return undefined;
  const user = await findUser(reader, known.user_id);
  if (!user || user.disabled_at !== null) return undefined;
  if (
    isFactorRequired(context.settings, user) &&
    !(await findSession(reader, known.family_id))?.second_step
  ) {
    return undefined;
  }
  const expiresAt = await extend(project, known);
  const session = { user, familyId: known.family_id, refreshToken: token, expiresAt };
  return presentSession(context, project, session);
}

/** Moves the end of a session that is in use, once a day. Returns when it ends, in epoch milliseconds. */
async function extend({ database }: Project, known: RefreshTokenRow): Promise<number> {
  const now = Date.now();
  const expires_at = sessionEnd(now, await findSession(authReader(database), known.family_id));
  if (expires_at - known.expires_at < EXTEND_AFTER_MS) return known.expires_at;
  await authWriter(database)
    .transaction()
    .execute(async (transaction) => {
      await extendRefreshToken(transaction, known.token_hash, expires_at);
      await touchSession(transaction, known.family_id, { last_used_at: now, expires_at });
    });
  return expires_at;
}
