import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../database/index.ts';

export interface UserRow {
  id: string;
  /** Trimmed and lower-cased. */
  email: string;
  display_name: string | null;
  photo_url: string | null;
  email_verified: number;
  role: string;
  /** A PHC string; null for an account that has no password. */
  password_hash: string | null;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  last_sign_in_at: number | null;
}

export interface RefreshTokenRow {
  token_hash: string;
  user_id: string;
  /** All tokens that one sign-in led to. */
  family_id: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  expires_at: number;
  /** Epoch ms; null while the token may be used. */
  spent_at: number | null;
}

export interface AuthTables {
  users: UserRow;
  refresh_tokens: RefreshTokenRow;
}

type Connection = Kysely<AuthTables> | Transaction<AuthTables>;

export function authReader(database: Database): Kysely<AuthTables> {
  return database.reader;
}

export function authWriter(database: Database): Kysely<AuthTables> {
  return database.writer;
}

export function findUser(connection: Connection, id: string): Promise<UserRow | undefined> {
  return connection.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(connection: Connection, email: string): Promise<UserRow | undefined> {
  return connection.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Answers undefined when the address is taken. */
export function insertUser(connection: Connection, user: UserRow): Promise<UserRow | undefined> {
  return connection
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Answers the changed row, or undefined when there is none of this id. */
export function updateUser(
  connection: Connection,
  id: string,
  changes: Partial<Pick<UserRow, 'display_name' | 'photo_url' | 'last_sign_in_at'>>,
): Promise<UserRow | undefined> {
  return connection.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

export function findRefreshToken(connection: Connection, hash: string): Promise<RefreshTokenRow | undefined> {
  return connection
    .selectFrom('refresh_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

export async function insertRefreshToken(connection: Connection, row: RefreshTokenRow): Promise<void> {
  await connection.insertInto('refresh_tokens').values(row).execute();
}

/** Answers the row when this call is the one that spent the token. */
export function spendRefreshToken(
  connection: Connection,
  hash: string,
  now: number,
): Promise<RefreshTokenRow | undefined> {
  return connection
    .updateTable('refresh_tokens')
    .set({ spent_at: now })
    .where('token_hash', '=', hash)
    .where('spent_at', 'is', null)
    .where('expires_at', '>', now)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteFamily(connection: Connection, familyId: string): Promise<void> {
  await connection.deleteFrom('refresh_tokens').where('family_id', '=', familyId).execute();
}

export async function deleteExpiredTokens(
  connection: Connection,
  userId: string,
  now: number,
): Promise<void> {
  await connection
    .deleteFrom('refresh_tokens')
    .where('user_id', '=', userId)
    .where('expires_at', '<=', now)
    .execute();
}
