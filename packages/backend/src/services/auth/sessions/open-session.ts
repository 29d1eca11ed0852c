import { randomUUID } from 'node:crypto';
import {
  REFRESH_TOKEN_SECONDS,
  type SignInMethod,
  type SignInResponse,
  type TokenSet,
} from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { presentUser } from '../accounts/user.ts';
import type { AuthContext } from '../context.ts';
import {
  type AuthTables,
  deleteExpiredTokens,
  insertRefreshToken,
  insertSession,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { signAccessToken } from './access-token.ts';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.ts';

/** A session that was just opened or refreshed. Only here is its refresh token in the clear. */
export interface OpenSession {
  user: UserRow;
  familyId: string;
  refreshToken: string;
  /** Epoch ms. */
  expiresAt: number;
}

export interface SignInInfo {
  method: SignInMethod;
  /** Browser and system in words; `null` when they are not known. */
  device: string | null;
  /** The language that the user reads, when it is known. */
  language?: string | null;
}

/** Opens a session and its family of refresh tokens, within the transaction that signs the user in. */
export async function openSession(
  transaction: Transaction<AuthTables>,
  project: Project,
  user: UserRow,
  { method, device, language }: SignInInfo,
): Promise<OpenSession> {
  const now = Date.now();
  await deleteExpiredTokens(transaction, user.id, now);
  const changes = { last_sign_in_at: now, ...(language && { language }) };
  const session: OpenSession = {
    user: (await updateUser(transaction, user.id, changes)) ?? user,
    familyId: `session_${randomUUID()}`,
    refreshToken: makeRefreshToken(project.definition.id),
    expiresAt: now + REFRESH_TOKEN_SECONDS * 1_000,
  };
  await insertSession(transaction, {
    id: session.familyId,
    user_id: user.id,
    method,
    device,
    created_at: now,
    last_used_at: now,
    expires_at: session.expiresAt,
  });
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

/** Returns the tokens of a session, as sign-in and refresh send them. */
export async function presentSession(
  { keys, settings }: Pick<AuthContext, 'keys' | 'settings'>,
  project: Project,
  session: OpenSession,
): Promise<SignInResponse> {
  const { user, familyId, refreshToken, expiresAt } = session;
  const claims = {
    sub: user.id,
    email: user.email,
    project_id: project.definition.id,
    role: user.role,
    sid: familyId,
  };
  const tokens: TokenSet = {
    access_token: await signAccessToken(keys, claims, settings.accessTokenSeconds),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: settings.accessTokenSeconds,
    refresh_expires_in: Math.round((expiresAt - Date.now()) / 1_000),
  };
  return { ...tokens, user: presentUser(user) };
}
