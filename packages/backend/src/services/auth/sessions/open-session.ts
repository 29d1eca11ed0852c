import { randomUUID } from 'node:crypto';
import {
  REFRESH_TOKEN_SECONDS,
  type SignInMethod,
  type SignInResponse,
  type TokenSet,
} from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { presentUser } from '../accounts/present-user.ts';
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

/** A session just begun or carried on; the token is in the clear here and nowhere else. */
export interface OpenSession {
  user: UserRow;
  familyId: string;
  refreshToken: string;
  /** Epoch ms. */
  expiresAt: number;
}

export interface SignInFacts {
  method: SignInMethod;
  /** In words; null when it is not known. */
  device: string | null;
  /** That the user reads just now, when it is known. */
  language?: string | null;
}

/** Begins a session and its family of refresh tokens, within the transaction that signs the user in. */
export async function openSession(
  transaction: Transaction<AuthTables>,
  project: Project,
  user: UserRow,
  { method, device, language }: SignInFacts,
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

/** The tokens of a session, as sign-in and refresh answer them. */
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
