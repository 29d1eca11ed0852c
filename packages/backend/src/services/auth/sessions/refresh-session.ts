import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { isFactorRequired } from '../factors/second-step.ts';
import {
  type AuthTables,
  authWriter,
  deleteSession,
  findRefreshToken,
  findSession,
  findUser,
  insertRefreshToken,
  type RefreshTokenRow,
  spendRefreshToken,
  touchSession,
} from '../queries.ts';
import { expiredToken } from './access-token.ts';
import type { OpenSession } from './open-session.ts';
import { deriveSuccessor, hashRefreshToken } from './refresh-token.ts';
import { sessionEnd } from './session-end.ts';

/**
 * Milliseconds during which a spent token still returns its successor: two tabs may refresh at once (wire
 * contract, Auth).
 */
const GRACE_MS = 10_000;

/**
 * Spends a refresh token and returns its session with the successor. Throws `TOKEN_EXPIRED` when the token is
 * unknown, expired, or was spent before the grace period. In the last case somebody has a copy of it, so its
 * session ends. So does one without a second step when the role has come to ask for one.
 */
export async function refreshSession(
  {
    keys,
    settings,
    project,
    source,
  }: Pick<AuthContext, 'keys' | 'settings'> & { project: Project; source: RequestSource },
  token: string,
): Promise<OpenSession> {
  // After a rotation, a token that was spent before has a successor of the former key.
  const successors = keys.refreshKeys.all.map((key) => deriveSuccessor(key, project.definition.id, token));
  const [successor = ''] = successors;
  const session = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const now = Date.now();
      // The first statement writes, so of many refreshes at once exactly one spends the token.
      const spent = await spendRefreshToken(transaction, hashRefreshToken(token), now);
      const next = spent
        ? await insertSuccessor(transaction, spent, hashRefreshToken(successor), now)
        : await findSuccessor(transaction, { token, successors, now, source });
      const user = next && (await findUser(transaction, next.user_id));
      if (!user || user.disabled_at !== null) return undefined;
      if (
        isFactorRequired(settings, user) &&
        !(await findSession(transaction, next.family_id))?.second_step
      ) {
        await deleteSession(transaction, next.family_id);
        return undefined;
      }
      const refreshToken = successors.find((one) => hashRefreshToken(one) === next.token_hash) ?? successor;
      return { user, familyId: next.family_id, refreshToken, expiresAt: next.expires_at };
    });
  // Thrown outside the transaction, so that the end of a family is committed.
  if (!session) throw expiredToken();
  return session;
}

async function insertSuccessor(
  transaction: Transaction<AuthTables>,
  { user_id, family_id }: RefreshTokenRow,
  successorHash: string,
  now: number,
): Promise<RefreshTokenRow> {
  const row: RefreshTokenRow = {
    token_hash: successorHash,
    user_id,
    family_id,
    created_at: now,
    expires_at: sessionEnd(now, await findSession(transaction, family_id)),
    spent_at: null,
  };
  await insertRefreshToken(transaction, row);
  await touchSession(transaction, family_id, { last_used_at: now, expires_at: row.expires_at });
  return row;
}

async function findSuccessor(
  transaction: Transaction<AuthTables>,
  {
    token,
    successors,
    now,
    source,
  }: { token: string; successors: readonly string[]; now: number; source: RequestSource },
): Promise<RefreshTokenRow | undefined> {
  const known = await findRefreshToken(transaction, hashRefreshToken(token));
  if (!known || known.spent_at === null) return undefined;
  if (now - known.spent_at <= GRACE_MS) {
    for (const successor of successors) {
      const found = await findRefreshToken(transaction, hashRefreshToken(successor));
      if (found) return found;
    }
    return undefined;
  }
  await deleteSession(transaction, known.family_id);
  await recordEvent(transaction, { event: 'refresh-reused', userId: known.user_id, ...source });
  return undefined;
}
