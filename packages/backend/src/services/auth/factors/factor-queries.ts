import type { FactorKind } from '@fabrica/contract';
import type { Kysely, Transaction } from 'kysely';

export interface FactorRow {
  id: string;
  user_id: string;
  kind: FactorKind;
  name: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms; `null` until it is used. */
  last_used_at: number | null;
  /** The sealed secret of an authenticator app. */
  secret: string | null;
  /** The newest time step whose code was used, so that no code is used twice. */
  last_step: number | null;
  /** Base64url, like the next one. Both are a passkey's. */
  credential_id: string | null;
  public_key: string | null;
  /** The passkey's own count of its uses; 0 for one that does not count. */
  counter: number;
  /** JSON: how a browser reaches the passkey. */
  transports: string | null;
}

interface RecoveryCodeRow {
  user_id: string;
  code_hash: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms; `null` while the code may be used. */
  used_at: number | null;
}

/** Counts the codes that were typed for an account. */
interface FactorTriesRow {
  user_id: string;
  tries: number;
  /** Epoch ms; when the count began. */
  since: number;
}

export interface FactorTables {
  second_factors: FactorRow;
  recovery_codes: RecoveryCodeRow;
  factor_tries: FactorTriesRow;
}

type Connection = Kysely<FactorTables> | Transaction<FactorTables>;

/** Returns the factors of an account, oldest first. */
export function listFactors(connection: Connection, userId: string): Promise<FactorRow[]> {
  return connection
    .selectFrom('second_factors')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

export function findPasskey(connection: Connection, credentialId: string): Promise<FactorRow | undefined> {
  return connection
    .selectFrom('second_factors')
    .selectAll()
    .where('credential_id', '=', credentialId)
    .executeTakeFirst();
}

/** Returns `undefined` when the passkey is known already. */
export function insertFactor(connection: Connection, row: FactorRow): Promise<FactorRow | undefined> {
  return connection
    .insertInto('second_factors')
    .values(row)
    .onConflict((conflict) => conflict.column('credential_id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

interface FactorKey {
  userId: string;
  id: string;
}

/** Returns the renamed row, or `undefined` when the account has no such factor. */
export function renameFactor(
  connection: Connection,
  { userId, id }: FactorKey,
  name: string,
): Promise<FactorRow | undefined> {
  return connection
    .updateTable('second_factors')
    .set({ name })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Returns the deleted row, or `undefined` when the account has no such factor. */
export function deleteFactor(
  connection: Connection,
  { userId, id }: FactorKey,
): Promise<FactorRow | undefined> {
  return connection
    .deleteFrom('second_factors')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

/** Deletes all factors and recovery codes of an account. */
export async function deleteFactors(connection: Connection, userId: string): Promise<void> {
  for (const table of ['second_factors', 'recovery_codes', 'factor_tries'] as const) {
    await connection.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/** Notes that the code of a time step was used. Returns false when this code or a later one was used before. */
export async function useStep(connection: Connection, id: string, step: number): Promise<boolean> {
  const used = await connection
    .updateTable('second_factors')
    .set({ last_step: step, last_used_at: Date.now() })
    .where('id', '=', id)
    .where((row) => row.or([row('last_step', 'is', null), row('last_step', '<', step)]))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/**
 * Notes that a passkey was used, with its own count. Returns false when that count was seen before: then there is a copy
 * of the passkey.
 */
export async function usePasskey(connection: Connection, id: string, counter: number): Promise<boolean> {
  const used = await connection
    .updateTable('second_factors')
    .set({ counter, last_used_at: Date.now() })
    .where('id', '=', id)
    .where((row) => (counter === 0 ? row('counter', '=', 0) : row('counter', '<', counter)))
    .returning('id')
    .executeTakeFirst();
  return used !== undefined;
}

/** Replaces the recovery codes of an account. */
export async function replaceRecoveryCodes(
  connection: Connection,
  userId: string,
  hashes: readonly string[],
): Promise<void> {
  await connection.deleteFrom('recovery_codes').where('user_id', '=', userId).execute();
  if (hashes.length === 0) return;
  const created_at = Date.now();
  await connection
    .insertInto('recovery_codes')
    .values(hashes.map((code_hash) => ({ user_id: userId, code_hash, created_at, used_at: null })))
    .execute();
}

/** Uses up a recovery code. Returns false when there is none with this hash, or it was used before. */
export async function useRecoveryCode(
  connection: Connection,
  userId: string,
  codeHashes: readonly string[],
): Promise<boolean> {
  const used = await connection
    .updateTable('recovery_codes')
    .set({ used_at: Date.now() })
    .where('user_id', '=', userId)
    .where('code_hash', 'in', codeHashes)
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return used !== undefined;
}

export async function countRecoveryCodes(connection: Connection, userId: string): Promise<number> {
  const { left } = await connection
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll().as('left'))
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .executeTakeFirstOrThrow();
  return Number(left);
}

/** Counts a typed code, from one on again when the count is older than `periodMs`. The count is the same on all nodes. */
export function countTry(connection: Connection, userId: string, periodMs: number): Promise<FactorTriesRow> {
  const now = Date.now();
  const begun = now - periodMs;
  return connection
    .insertInto('factor_tries')
    .values({ user_id: userId, tries: 1, since: now })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((row) => ({
        tries: row
          .case()
          .when('factor_tries.since', '<=', begun)
          .then(1)
          .else(row('factor_tries.tries', '+', 1))
          .end(),
        since: row
          .case()
          .when('factor_tries.since', '<=', begun)
          .then(now)
          .else(row.ref('factor_tries.since'))
          .end(),
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow();
}

export async function forgetTries(connection: Connection, userId: string): Promise<void> {
  await connection.deleteFrom('factor_tries').where('user_id', '=', userId).execute();
}
