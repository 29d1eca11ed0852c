import { randomUUID } from 'node:crypto';
import { type AddedFactor, type FactorInfo, MAX_PASSKEYS, type TotpSetUp } from '@fabrica/contract';
import type { PasskeyAttestation } from '@fabrica/contract/schemas';
import type { Transaction } from 'kysely';
import { AppError } from '../../../core/errors.ts';
import { sealWith, unsealWith } from '../../../core/key-ring.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import { authError } from '../auth-errors.ts';
import type { AuthContext } from '../context.ts';
import {
  type AuthTables,
  authWriter,
  deleteSessions,
  deleteUserTokens,
  lockUser,
  setSecondStep,
  type UserRow,
} from '../queries.ts';
import { expiredToken } from '../sessions/access-token.ts';
import type { UserSession } from '../sessions/authenticate.ts';
import { type OpenedSession, openSession } from '../sessions/open-session.ts';
import { totpContext } from './check-factor.ts';
import { deleteFactor, type FactorRow, insertFactor, listFactors } from './factor-queries.ts';
import { verifyRegistration } from './passkeys.ts';
import { makeRecoveryCodes } from './recovery-codes.ts';
import { type FirstStep, spendTicket } from './second-step.ts';
import { findStep, makeSecret, otpauthUrl } from './totp.ts';

/** Milliseconds in which an authenticator app has to show its first code. */
const SET_UP_MS = 10 * 60_000;

/** Says who adds a factor: the owner in a session, or at a sign-in that asks for the first one. */
export type FactorOwner = UserSession | (FirstStep & { ticket: string });

export interface Added extends AddedFactor {
  /** The session of a sign-in that asked for the factor. */
  session?: OpenedSession;
}

type AddContext = Pick<AuthContext, 'keys' | 'publicUrl' | 'settings' | 'notifyOwner'>;

/** Makes the secret of an authenticator app. It is not stored: it comes back sealed, with the app's first code. */
export function beginTotp({ keys, publicUrl }: AddContext, { user }: FactorOwner): TotpSetUp {
  const secret = makeSecret();
  const pending = JSON.stringify({ secret, until: Date.now() + SET_UP_MS });
  return {
    secret,
    uri: otpauthUrl({ secret, issuer: new URL(publicUrl).host, account: user.email }),
    setUp: sealWith(keys.secretsKeys, pending, `totp-set-up:${user.id}`),
  };
}

/**
 * Adds the authenticator app, in place of an earlier one, once it has shown a code. Throws `SECOND_FACTOR_FAILED` for a
 * wrong code and `TOKEN_EXPIRED` after ten minutes.
 */
export async function addTotp(
  context: AddContext,
  owner: FactorOwner,
  given: { setUp: string; code: string; name: string; source: RequestSource },
): Promise<Added> {
  const { user } = owner;
  const secret = await readSetUp(context, user, given.setUp);
  const code = given.code.normalize('NFKC').replace(/\D/g, '');
  const step = code.length === 6 ? findStep(secret, code, Date.now()) : undefined;
  if (step === undefined) throw authError('SECOND_FACTOR_FAILED');
  const sealed = sealWith(context.keys.secretsKeys, secret, totpContext(user.id));
  return addFactor(context, owner, {
    factor: { kind: 'totp', name: given.name, secret: sealed, last_step: step },
    source: given.source,
  });
}

/** Adds the passkey that a browser has made. Throws `SECOND_FACTOR_FAILED`, and `CONFLICT` for one too many. */
export async function addPasskey(
  context: AddContext,
  owner: FactorOwner,
  given: { credential: PasskeyAttestation; name: string; source: RequestSource },
): Promise<Added> {
  const passkey = await verifyRegistration(context, owner.project, owner.user, given.credential);
  const factor = { kind: 'passkey', name: given.name, ...passkey } as const;
  return addFactor(context, owner, { factor, source: given.source });
}

async function readSetUp({ keys }: AddContext, { id }: UserRow, setUp: string): Promise<string> {
  try {
    const pending = JSON.parse(await unsealWith(keys.secretsKeys, setUp, `totp-set-up:${id}`));
    const { secret, until } = pending as { secret: string; until: number };
    if (until > Date.now()) return secret;
  } catch {
    // It was made for another account, or by nobody here.
  }
  throw expiredToken();
}

type NewFactor = Pick<FactorRow, 'kind' | 'name'> & Partial<FactorRow>;

async function addFactor(
  context: AddContext,
  owner: FactorOwner,
  { factor, source }: { factor: NewFactor; source: RequestSource },
): Promise<Added> {
  const { project, user } = owner;
  const added = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await lockUser(transaction, user.id);
      const known = await listFactors(transaction, user.id);
      const row = await insertNext(transaction, { factor, known, user });
      const { kind, name } = row;
      await recordEvent(transaction, {
        event: 'factor-added',
        userId: user.id,
        ...source,
        details: { kind },
      });
      const result: Added = { factor: presentFactor(row) };
      const isFirst = known.length === 0;
      if (isFirst) result.recoveryCodes = await makeRecoveryCodes(context.keys, transaction, user.id);
      if ('ticket' in owner) {
        // A ticket is for the first factor: meanwhile the owner may have set one up elsewhere.
        if (!isFirst) throw expiredToken();
        result.session = await openFirst(context, transaction, owner, { kind, source });
      } else if (isFirst) {
        await setSecondStep(transaction, owner.sessionId, kind);
        await deleteSessions(transaction, user.id, owner.sessionId);
        await deleteUserTokens(transaction, user.id);
      }
      return { result, name };
    });
  context.notifyOwner(project, user, { kind: 'factor-added', device: source.device, subject: added.name });
  return added.result;
}

async function insertNext(
  transaction: Transaction<AuthTables>,
  { factor, known, user }: { factor: NewFactor; known: readonly FactorRow[]; user: UserRow },
): Promise<FactorRow> {
  const alike = known.filter(({ kind }) => kind === factor.kind);
  if (factor.kind === 'totp') {
    for (const { id } of alike) await deleteFactor(transaction, { userId: user.id, id });
  } else if (alike.length >= MAX_PASSKEYS) {
    throw new AppError(
      'CONFLICT',
      `An account has ${MAX_PASSKEYS} passkeys at most. Please remove one first.`,
    );
  }
  const row = await insertFactor(transaction, {
    id: `factor_${randomUUID()}`,
    user_id: user.id,
    created_at: Date.now(),
    last_used_at: null,
    secret: null,
    last_step: null,
    credential_id: null,
    public_key: null,
    counter: 0,
    transports: null,
    ...factor,
  });
  if (!row) throw authError('SECOND_FACTOR_FAILED');
  return row;
}

/** Ends the sessions of before and opens that of the sign-in whose ticket this is. */
async function openFirst(
  context: AddContext,
  transaction: Transaction<AuthTables>,
  { project, user, ticket, method, language }: Extract<FactorOwner, { ticket: string }>,
  { kind, source }: { kind: FactorRow['kind']; source: RequestSource },
): Promise<OpenedSession> {
  await spendTicket(transaction, ticket);
  await deleteSessions(transaction, user.id);
  await deleteUserTokens(transaction, user.id);
  const info = { user, method, language, secondStep: kind, ...source };
  const outcome = await openSession(context, transaction, project, info);
  if ('details' in outcome) throw expiredToken();
  return outcome;
}

/** Converts a row to what the owner of the account sees. */
export function presentFactor({ id, kind, name, created_at, last_used_at }: FactorRow): FactorInfo {
  return {
    id,
    kind,
    name,
    createdAt: new Date(Number(created_at)).toISOString(),
    lastUsedAt: last_used_at === null ? null : new Date(Number(last_used_at)).toISOString(),
  };
}
