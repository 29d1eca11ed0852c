import { randomUUID } from 'node:crypto';
import {
  ACCESS_TOKEN_SECONDS,
  type SecondStep,
  type SignInMethod,
  type SignInResponse,
  type TokenSet,
} from '@fabrica/contract';
import type { Transaction } from 'kysely';
import type { Project } from '../../../database/project.ts';
import { presentUser } from '../accounts/user.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { findPendingStep, type PendingStep, type SignInContext } from '../factors/second-step.ts';
import type { ProviderLink } from '../providers/linking/link-proof.ts';
import {
  type AuthTables,
  deleteExpiredTokens,
  insertRefreshToken,
  insertSession,
  lockUser,
  type UserRow,
  updateUser,
} from '../queries.ts';
import { issuerOf, signAccessToken } from './access-token.ts';
import { hashRefreshToken, makeRefreshToken } from './refresh-token.ts';
import { absoluteEnd, sessionEnd } from './session-end.ts';

/** A session that was just opened or refreshed. Only here is its refresh token in the clear. */
export interface OpenSession {
  user: UserRow;
  familyId: string;
  refreshToken: string;
  /** Epoch ms. */
  expiresAt: number;
}

/** A session that somebody has just signed in to. */
export interface OpenedSession extends OpenSession {
  method: SignInMethod;
}

/** The end of a first step: a session, or the second step that the account asks for before there is one. */
export type SignInOutcome = OpenedSession | PendingStep;

export interface SignInInfo extends RequestSource {
  method: SignInMethod;
  /** The factor that was shown as the second step. A passkey is both steps at once. */
  secondStep?: SecondStep | undefined;
  /** The language that the user reads, when it is known. */
  language?: string | null;
  /** A provider that is to sign in to the account from now on, which asks for a step too. */
  link?: ProviderLink | undefined;
}

/**
 * Opens a session and its family of refresh tokens, within the transaction that signs the user in. All ways to sign in end
 * here, so that none passes by the second step: without one, an account that asks for it gets a ticket and no session.
 */
export async function openSession(
  context: SignInContext,
  transaction: Transaction<AuthTables>,
  project: Project,
  { user, ...info }: SignInInfo & { user: UserRow },
): Promise<SignInOutcome> {
  const { method, secondStep, ip, device, language, link } = info;
  const entry = { userId: user.id, ip, device };
  await lockUser(transaction, user.id);
  const pending = secondStep
    ? undefined
    : await findPendingStep(context, transaction, project, {
        user,
        method,
        language: language ?? null,
        link,
      });
  if (pending) {
    await recordEvent(transaction, { event: 'second-step-asked', ...entry, details: { method } });
    return pending;
  }
  const details = { method, ...(secondStep && { secondStep }) };
  await recordEvent(transaction, { event: 'sign-in', ...entry, details });
  const now = Date.now();
  await deleteExpiredTokens(transaction, user.id, now);
  const changes = { last_sign_in_at: now, ...(language && { language }) };
  const ends_at = absoluteEnd(now);
  const session: OpenedSession = {
    user: (await updateUser(transaction, user.id, changes)) ?? user,
    familyId: `session_${randomUUID()}`,
    refreshToken: makeRefreshToken(project.definition.id),
    expiresAt: sessionEnd(now, { ends_at }),
    method,
  };
  await insertSession(transaction, {
    id: session.familyId,
    user_id: user.id,
    method,
    device,
    created_at: now,
    last_used_at: now,
    expires_at: session.expiresAt,
    ends_at,
    second_step: secondStep ?? null,
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
  { keys, settings, publicUrl }: Pick<AuthContext, 'keys' | 'settings' | 'publicUrl'>,
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
  const { accessTokenSeconds: seconds = ACCESS_TOKEN_SECONDS } = settings;
  const tokens: TokenSet = {
    access_token: await signAccessToken(keys, claims, { issuer: issuerOf(publicUrl), seconds }),
    refresh_token: refreshToken,
    token_type: 'Bearer',
    expires_in: seconds,
    refresh_expires_in: Math.round((expiresAt - Date.now()) / 1_000),
  };
  return { ...tokens, user: presentUser(user) };
}
