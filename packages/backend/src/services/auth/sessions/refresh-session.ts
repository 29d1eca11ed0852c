import { REFRESH_TOKEN_SECONDS } from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Keys } from '../../../core/keys.ts';
import type { Project } from '../../../database/project.ts';
import { type Origin, recordEvent } from '../audit.ts';
import {
  type AuthTables,
  authWriter,
  deleteSession,
  findRefreshToken,
  findUser,
  insertRefreshToken,
  type RefreshTokenRow,
  spendRefreshToken,
  touchSession,
} from '../queries.ts';
import { expiredToken } from './access-token.ts';
import type { OpenSession } from './open-session.ts';
import { hashRefreshToken, succeedRefreshToken } from './refresh-token.ts';

/** For this long a spent token is answered with its successor: two tabs may refresh at once (wire contract, Auth). */
const GRACE_MS = 10_000;

/**
 * Spends a refresh token for its successor. Throws TOKEN_EXPIRED when it is unknown, expired, or spent for longer than the grace;
 * the last means that somebody has a copy, so all tokens that came of the same sign-in end with it.
 */
export async function refreshSession(
  { keys, project, origin }: { keys: Keys; project: Project; origin: Origin },
  token: string,
): Promise<OpenSession> {
  const successor = succeedRefreshToken(keys.refreshKey, project.definition.id, token);
  const session = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const now = Date.now();
      // The first statement writes: of many refreshes at once the database lets exactly one spend the token.
      const spent = await spendRefreshToken(transaction, hashRefreshToken(token), now);
      const next = spent
        ? await insertSuccessor(transaction, spent, hashRefreshToken(successor), now)
        : await findSuccessor(transaction, { token, successor, now, origin });
      const user = next && (await findUser(transaction, next.user_id));
      if (!user || user.disabled_at !== null) return undefined;
      return { user, familyId: next.family_id, refreshToken: successor, expiresAt: next.expires_at };
    });
  // Thrown outside, so that the end of a family is committed.
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
    expires_at: now + REFRESH_TOKEN_SECONDS * 1_000,
    spent_at: null,
  };
  await insertRefreshToken(transaction, row);
  await touchSession(transaction, family_id, { last_used_at: now, expires_at: row.expires_at });
  return row;
}

async function findSuccessor(
  transaction: Transaction<AuthTables>,
  { token, successor, now, origin }: { token: string; successor: string; now: number; origin: Origin },
): Promise<RefreshTokenRow | undefined> {
  const known = await findRefreshToken(transaction, hashRefreshToken(token));
  if (!known || known.spent_at === null) return undefined;
  if (now - known.spent_at <= GRACE_MS) return findRefreshToken(transaction, hashRefreshToken(successor));
  await deleteSession(transaction, known.family_id);
  await recordEvent(transaction, { event: 'refresh-reused', userId: known.user_id, ...origin });
  return undefined;
}
