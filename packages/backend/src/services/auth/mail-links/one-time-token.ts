import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { CODE_MINUTES, CODE_TRIES } from '@fabrica/contract';
import type { Kysely, Transaction } from 'kysely';
import type { Keys } from '../../../core/keys.ts';
import type { AuthConnection, AuthTables, OneTimeTokenRow } from '../queries.ts';

type OneTimeTokenKind =
  | 'verify-email'
  | 'magic-link'
  | 'reset-password'
  /** A code that confirms a change of the account. */
  | 'fresh-proof'
  /** A sign-in that is under way at an identity provider. */
  | 'provider-flow'
  /** A finished sign-in at a provider, whose tokens the product's page fetches. */
  | 'completion'
  /** A session for an app that polls for it; the app makes the token. */
  | 'mobile-session'
  /** A sign-in whose second step is still to be taken. */
  | 'second-step'
  /** A challenge that a passkey has answered, so that it cannot be answered again. */
  | 'spent-challenge';

interface TokenOptions {
  kind: OneTimeTokenKind;
  projectId: string;
  userId?: string | null;
  /** Trimmed and lower-cased. A code is entered together with it. */
  email?: string | null;
  data?: Record<string, unknown>;
  lifetimeMs: number;
  /** Also issues so many digits that can be typed in place of the token, for 10 minutes and 5 tries. */
  codeDigits?: number;
  /** Default: 256 random bits. */
  token?: string;
}

export interface IssuedToken {
  token: string;
  code: string | null;
  /** Epoch ms. */
  expiresAt: number;
}

export interface OneTimeToken {
  userId: string | null;
  email: string | null;
  data: Record<string, unknown>;
}

/** Issues a token and stores only its hash. Expired tokens are deleted on the way. */
export async function issueToken(
  keys: Pick<Keys, 'refreshKeys'>,
  connection: AuthConnection,
  options: TokenOptions,
): Promise<IssuedToken> {
  const now = Date.now();
  const { kind, projectId, userId = null, email = null, data, lifetimeMs, codeDigits = 0 } = options;
  const token = options.token ?? `${projectId}.${randomBytes(32).toString('base64url')}`;
  const code = codeDigits ? String(randomInt(10 ** codeDigits)).padStart(codeDigits, '0') : null;
  const expiresAt = now + lifetimeMs;
  await connection.deleteFrom('one_time_tokens').where('expires_at', '<=', now).execute();
  await connection
    .insertInto('one_time_tokens')
    .values({
      token_hash: hashToken(token),
      kind,
      user_id: userId,
      email,
      code_hash: code && hashCode(keys.refreshKeys.current, { kind, email, code }),
      code_expires_at: code ? Math.min(now + CODE_MINUTES * 60_000, expiresAt) : null,
      tries_left: CODE_TRIES,
      data: data ? JSON.stringify(data) : null,
      created_at: now,
      expires_at: expiresAt,
    })
    .execute();
  return { token, code, expiresAt };
}

/** Returns the e-mail that a valid token was mailed to, without spending it. */
export async function findTokenEmail(
  connection: AuthConnection,
  kind: OneTimeTokenKind,
  token: string,
): Promise<string | undefined> {
  const row = await connection
    .selectFrom('one_time_tokens')
    .select('email')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .executeTakeFirst();
  return row?.email ?? undefined;
}

/** Deletes a token and returns what it was issued for, or `undefined` when it is unknown, used or expired. */
export async function spendToken(
  connection: AuthConnection,
  kind: OneTimeTokenKind,
  token: string,
): Promise<OneTimeToken | undefined> {
  const row = await connection
    .deleteFrom('one_time_tokens')
    .where('token_hash', '=', hashToken(token))
    .where('kind', '=', kind)
    .where('expires_at', '>', Date.now())
    .returningAll()
    .executeTakeFirst();
  return row && (await consume(connection, row));
}

interface TypedCode {
  kind: OneTimeTokenKind;
  email: string;
  code: string;
  /** Whether the account was used in this browser before: its tries are counted by its own limit alone. */
  isKnownDevice?: boolean;
}

/** Looks at a token that is spent, in the same transaction. When it throws, the token is not spent. */
export type CheckToken = (found: OneTimeToken, connection: AuthConnection) => Promise<void>;

/**
 * Spends a token by the digits of the newest mail of this kind to the e-mail. A wrong code uses up a try; after the
 * fifth, only the link works, but in a known browser. Runs in a transaction of its own, so that a used try stays used.
 */
export function spendCode(
  keys: Keys,
  writer: Kysely<AuthTables>,
  { kind, email, code: typedCode, isKnownDevice = false }: TypedCode,
  check?: CheckToken,
): Promise<OneTimeToken | undefined> {
  const code = typedCode.replace(/[\s-]/g, '');
  return writer.transaction().execute(async (transaction) => {
    const row = await newestWithCode(transaction, kind, email);
    if (!row?.code_hash || (row.tries_left <= 0 && !isKnownDevice)) return undefined;
    const stored = row.code_hash;
    if (!keys.refreshKeys.all.some((key) => equal(stored, hashCode(key, { kind, email, code })))) {
      await transaction
        .updateTable('one_time_tokens')
        .set({ tries_left: isKnownDevice ? row.tries_left : row.tries_left - 1 })
        .where('token_hash', '=', row.token_hash)
        .execute();
      return undefined;
    }
    const spent = await consume(transaction, row);
    await check?.(spent, transaction);
    return spent;
  });
}

async function newestWithCode(
  transaction: Transaction<AuthTables>,
  kind: OneTimeTokenKind,
  email: string,
): Promise<OneTimeTokenRow | undefined> {
  const now = Date.now();
  const row = await transaction
    .selectFrom('one_time_tokens')
    .selectAll()
    .where('email', '=', email)
    .where('kind', '=', kind)
    .where('code_hash', 'is not', null)
    .orderBy('created_at', 'desc')
    .orderBy('token_hash')
    .limit(1)
    .executeTakeFirst();
  const good = row && (row.code_expires_at ?? 0) > now && row.expires_at > now;
  return good ? row : undefined;
}

/** Deletes the token, and all earlier ones of its kind that were mailed to the same e-mail. */
async function consume(connection: AuthConnection, row: OneTimeTokenRow): Promise<OneTimeToken> {
  let tokens = connection.deleteFrom('one_time_tokens').where('kind', '=', row.kind);
  tokens = row.email
    ? tokens.where('email', '=', row.email)
    : tokens.where('token_hash', '=', row.token_hash);
  await tokens.execute();
  return {
    userId: row.user_id,
    email: row.email,
    data: row.data ? (JSON.parse(row.data) as Record<string, unknown>) : {},
  };
}

/** Returns the hash that is stored in place of a token. */
export function hashToken(token: string): string {
  return hash('sha256', `one-time\0${token}`, 'base64url');
}

/** Hashes with the server's key: a few digits could be guessed from a plain hash at once. */
function hashCode(
  key: Buffer,
  { kind, email, code }: { kind: OneTimeTokenKind; email: string | null; code: string },
): string {
  return createHmac('sha256', key)
    .update(`code\0${kind}\0${email ?? ''}\0${code}`)
    .digest('base64url');
}

function equal(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
