import { randomUUID } from 'node:crypto';
import {
  ACCESS_TOKEN_SECONDS,
  REFRESH_TOKEN_SECONDS,
  type SignInAnswer,
  type TokenSet,
} from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Project } from '../http/environment.ts';
import type { Keys } from '../keys.ts';
import { signAccessToken } from './access-token.ts';
import { presentUser } from './present-user.ts';
import { type AuthTables, insertRefreshToken, type UserRow } from './queries.ts';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.ts';

/** A session just begun or carried on; the token is in the clear here and nowhere else. */
export interface OpenSession {
  user: UserRow;
  familyId: string;
  refreshToken: string;
  /** Epoch ms. */
  expiresAt: number;
}

/** Begins a family of refresh tokens, within the transaction that signs the user in. */
export async function openSession(
  transaction: Transaction<AuthTables>,
  project: Project,
  user: UserRow,
): Promise<OpenSession> {
  const now = Date.now();
  const session: OpenSession = {
    user,
    familyId: `session_${randomUUID()}`,
    refreshToken: makeRefreshToken(project.definition.id),
    expiresAt: now + REFRESH_TOKEN_SECONDS * 1_000,
  };
  await insertRefreshToken(transaction, {
    token_hash: hashRefreshToken(session.refreshToken),
    user_id: user.id,
    family_id: session.familyId,
    created_at: now,
    expires_at: session.expiresAt,
    spent_at: null,
  });
  return session;
}

/** The tokens of a session, as sign-in and refresh answer them. */
export async function presentSession(
  keys: Keys,
  project: Project,
  session: OpenSession,
): Promise<SignInAnswer> {
  const { user, familyId, refreshToken, expiresAt } = session;
  const tokens: TokenSet = {
    access_token: await signAccessToken(keys, {
      sub: user.id,
      email: user.email,
      project_id: project.definition.id,
      role: user.role,
      sid: familyId,
    }),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: ACCESS_TOKEN_SECONDS,
    refresh_expires_in: Math.round((expiresAt - Date.now()) / 1_000),
  };
  return { ...tokens, user: presentUser(user) };
}
