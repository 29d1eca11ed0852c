import { REFRESH_TOKEN_SECONDS, type SignInResponse } from '@fabrica/contract';
import type { Project } from '../../../database/project.ts';
import type { AuthContext } from '../context.ts';
import {
  authReader,
  authWriter,
  extendRefreshToken,
  findRefreshToken,
  findUser,
  type RefreshTokenRow,
  touchSession,
} from '../queries.ts';
import { presentSession } from './open-session.ts';
import { hashRefreshToken, projectOfToken } from './refresh-token.ts';

/** Milliseconds after which the use of a session is written down and its end moves on. */
const EXTEND_AFTER_MS = 24 * 60 * 60 * 1_000;

/**
 * Returns the tokens of the session that a refresh token names, without spending it: the access token is new, the
 * refresh token is the same. A server that keeps the token for a browser, in a cookie that no script reads, asks
 * again with each page; a token that changed with each response would be lost with the first response that is.
 * Returns `undefined` when the token is unknown, spent or expired, and when the account is disabled.
 */
export async function resumeSession(
  { projects, keys, settings }: Pick<AuthContext, 'projects' | 'keys' | 'settings'>,
  token: string,
): Promise<SignInResponse | undefined> {
  const project = projectOfToken(projects, token);
  if (!project) return undefined;
  const reader = authReader(project.database);
  const known = await findRefreshToken(reader, hashRefreshToken(token));
  if (!known || known.spent_at !== null || known.expires_at <= Date.now()) return undefined;
  const user = await findUser(reader, known.user_id);
  if (!user || user.disabled_at !== null) return undefined;
  const expiresAt = await extend(project, known);
  const session = { user, familyId: known.family_id, refreshToken: token, expiresAt };
  return presentSession({ keys, settings }, project, session);
}

/** Moves the end of a session that is in use, once a day. Returns when it ends, in epoch milliseconds. */
async function extend({ database }: Project, known: RefreshTokenRow): Promise<number> {
  const now = Date.now();
  const expires_at = now + REFRESH_TOKEN_SECONDS * 1_000;
  if (expires_at - known.expires_at < EXTEND_AFTER_MS) return known.expires_at;
  await authWriter(database)
    .transaction()
    .execute(async (transaction) => {
      await extendRefreshToken(transaction, known.token_hash, expires_at);
      await touchSession(transaction, known.family_id, { last_used_at: now, expires_at });
    });
  return expires_at;
}
