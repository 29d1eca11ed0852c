import type { Kysely, Transaction } from 'kysely';
import type { Database } from '../../database/index.ts';
import type { FactorTables } from './factors/factor-queries.ts';

export interface UserRow {
  id: string;
  /** Trimmed and lower-cased. */
  email: string;
  display_name: string | null;
  photo_url: string | null;
  email_verified: number;
  role: string;
  /** A PHC string; `null` for an account without a password. */
  password_hash: string | null;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  last_sign_in_at: number | null;
  /** The language of mails; `null` when it is not known. */
  language: string | null;
  /** Epoch ms; `null` while the account may be used. */
  disabled_at: number | null;
  /** When what it has written below the texts of others was hidden, in epoch ms; `null` while all can read it. */
  hidden_at: number | null;
}

/** One sign-in on one device. */
export interface SessionRow {
  /** Also the family of its refresh tokens, and `sid` of its access tokens. */
  id: string;
  user_id: string;
  /** A `SignInMethod`. */
  method: string;
  device: string | null;
  /** Epoch ms, like the next two. */
  created_at: number;
  last_used_at: number;
  expires_at: number;
  /** The time at which it ends even if it is used; `null` for never. */
  ends_at: number | null;
  /** A `SecondStep`; `null` for a session that was opened without one. */
  second_step: string | null;
}

export interface OneTimeTokenRow {
  token_hash: string;
  kind: string;
  user_id: string | null;
  email: string | null;
  /** The hash of the code that stands beside the link. */
  code_hash: string | null;
  /** Epoch ms. */
  code_expires_at: number | null;
  tries_left: number;
  /** JSON. */
  data: string | null;
  /** Epoch ms, like the next one. */
  created_at: number;
  expires_at: number;
}

/** An account at an identity provider. */
interface IdentityRow {
  provider: string;
  subject: string;
  user_id: string;
  email: string | null;
  /** Epoch ms. */
  created_at: number;
}

export type IdentityKey = Pick<IdentityRow, 'provider' | 'subject'>;

export interface AuditRow {
  /** Sorts by time. */
  id: string;
  /** Epoch ms. */
  at: number;
  event: string;
  user_id: string | null;
  address: string | null;
  device: string | null;
  /** JSON. */
  details: string | null;
}

export interface RefreshTokenRow {
  token_hash: string;
  user_id: string;
  /** Shared by all refresh tokens of one sign-in. */
  family_id: string;
  /** Epoch ms. */
  created_at: number;
  /** Epoch ms. */
  expires_at: number;
  /** Epoch ms; `null` while the token may be used. */
  spent_at: number | null;
}

export interface AuthTables extends FactorTables {
  users: UserRow;
  refresh_tokens: RefreshTokenRow;
  sessions: SessionRow;
  one_time_tokens: OneTimeTokenRow;
  identities: IdentityRow;
  audit_log: AuditRow;
}

export type AuthConnection = Kysely<AuthTables> | Transaction<AuthTables>;

export function authReader(database: Database): Kysely<AuthTables> {
  return database.reader;
}

export function authWriter(database: Database): Kysely<AuthTables> {
  return database.writer;
}

export function findUser(connection: AuthConnection, id: string): Promise<UserRow | undefined> {
  return connection.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
}

export function findUserByEmail(connection: AuthConnection, email: string): Promise<UserRow | undefined> {
  return connection.selectFrom('users').selectAll().where('email', '=', email).executeTakeFirst();
}

/** Returns `undefined` when the e-mail is taken. */
export function insertUser(connection: AuthConnection, user: UserRow): Promise<UserRow | undefined> {
  return connection
    .insertInto('users')
    .values(user)
    .onConflict((conflict) => conflict.column('email').doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Locks the row of a user until the transaction ends. What depends on the account's factors takes this lock first: of a
 * sign-in and a new factor at once, the later one sees the earlier.
 */
export async function lockUser(connection: AuthConnection, id: string): Promise<void> {
  await connection.updateTable('users').set({ id }).where('id', '=', id).execute();
}

/** Returns the updated row, or `undefined` when there is none with this id. */
export function updateUser(
  connection: AuthConnection,
  id: string,
  changes: Partial<Omit<UserRow, 'id' | 'created_at'>>,
): Promise<UserRow | undefined> {
  return connection.updateTable('users').set(changes).where('id', '=', id).returningAll().executeTakeFirst();
}

export function findRefreshToken(
  connection: AuthConnection,
  hash: string,
): Promise<RefreshTokenRow | undefined> {
  return connection
    .selectFrom('refresh_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .executeTakeFirst();
}

export async function insertRefreshToken(connection: AuthConnection, row: RefreshTokenRow): Promise<void> {
  await connection.insertInto('refresh_tokens').values(row).execute();
}

/** Returns the row when this call is the one that spent the token. */
export function spendRefreshToken(
  connection: AuthConnection,
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

/** Moves the end of a token that may be used. */
export async function extendRefreshToken(
  connection: AuthConnection,
  hash: string,
  expiresAt: number,
): Promise<void> {
  await connection
    .updateTable('refresh_tokens')
    .set({ expires_at: expiresAt })
    .where('token_hash', '=', hash)
    .where('spent_at', 'is', null)
    .execute();
}

export async function insertSession(connection: AuthConnection, row: SessionRow): Promise<void> {
  await connection.insertInto('sessions').values(row).execute();
}

export async function touchSession(
  connection: AuthConnection,
  id: string,
  times: Pick<SessionRow, 'last_used_at' | 'expires_at'>,
): Promise<void> {
  await connection.updateTable('sessions').set(times).where('id', '=', id).execute();
}

/** Returns a user's sessions, the one used last first. */
export function listSessions(connection: AuthConnection, userId: string, now: number): Promise<SessionRow[]> {
  return connection
    .selectFrom('sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_used_at', 'desc')
    .orderBy('id')
    .execute();
}

/** Notes that the owner has shown a factor in this session. */
export async function setSecondStep(connection: AuthConnection, id: string, step: string): Promise<void> {
  await connection.updateTable('sessions').set({ second_step: step }).where('id', '=', id).execute();
}

export function findSession(connection: AuthConnection, id: string): Promise<SessionRow | undefined> {
  return connection.selectFrom('sessions').selectAll().where('id', '=', id).executeTakeFirst();
}

/**
 * Ends a session with its refresh tokens; its access tokens are no longer accepted. Returns whether there was
 * such a session.
 */
export async function deleteSession(connection: AuthConnection, id: string): Promise<boolean> {
  await connection.deleteFrom('refresh_tokens').where('family_id', '=', id).execute();
  const { numDeletedRows } = await connection.deleteFrom('sessions').where('id', '=', id).executeTakeFirst();
  return numDeletedRows > 0n;
}

/** Ends every session of a user, except one. */
export async function deleteSessions(connection: AuthConnection, userId: string, except = ''): Promise<void> {
  await connection
    .deleteFrom('refresh_tokens')
    .where('user_id', '=', userId)
    .where('family_id', '!=', except)
    .execute();
  await connection.deleteFrom('sessions').where('user_id', '=', userId).where('id', '!=', except).execute();
}

/** Deletes a user's expired sessions and refresh tokens. */
export async function deleteExpiredTokens(
  connection: AuthConnection,
  userId: string,
  now: number,
): Promise<void> {
  for (const table of ['refresh_tokens', 'sessions'] as const) {
    await connection.deleteFrom(table).where('user_id', '=', userId).where('expires_at', '<=', now).execute();
  }
}

/** Deletes a user's identities, except one. */
export async function deleteIdentities(
  connection: AuthConnection,
  userId: string,
  except: IdentityKey = { provider: '', subject: '' },
): Promise<void> {
  await connection
    .deleteFrom('identities')
    .where('user_id', '=', userId)
    .where((row) => row.or([row('provider', '!=', except.provider), row('subject', '!=', except.subject)]))
    .execute();
}

/** Deletes a user's one-time tokens: mailed links and codes, and sessions that wait for an app. */
export async function deleteUserTokens(connection: AuthConnection, userId: string): Promise<void> {
  await connection.deleteFrom('one_time_tokens').where('user_id', '=', userId).execute();
}

export function findIdentity(
  connection: AuthConnection,
  { provider, subject }: IdentityKey,
): Promise<IdentityRow | undefined> {
  return connection
    .selectFrom('identities')
    .selectAll()
    .where('provider', '=', provider)
    .where('subject', '=', subject)
    .executeTakeFirst();
}

export async function insertIdentity(connection: AuthConnection, row: IdentityRow): Promise<void> {
  await connection.insertInto('identities').values(row).execute();
}
