import { randomUUID } from 'node:crypto';
import type { Caller } from '../../core/caller.ts';
import type { Scalar } from '../../core/filter.ts';
import type { Project } from '../../database/project.ts';
import type { Statement } from '../../database/query/query.ts';
import { ipKey } from '../../http/networks.ts';
import { type AuditRow, type AuthConnection, authReader } from './queries.ts';

/** The events that the audit log records. */
export const AUDIT_EVENTS = [
  'sign-up',
  'sign-in',
  'sign-in-failed',
  'sign-out',
  'sign-out-everywhere',
  'session-ended',
  'refresh-reused',
  'mail-requested',
  'email-verified',
  'password-changed',
  'password-reset',
  'proof-failed',
  'access-refused',
  'limit-reached',
  'input-refused',
  'provider-linked',
  'second-step-asked',
  'second-step-failed',
  'factor-added',
  'factor-removed',
  'factors-reset',
  'recovery-codes-made',
  'recovery-code-used',
  'user-created',
  'role-changed',
  'user-disabled',
  'user-enabled',
  'account-exported',
  'account-deleted',
  'key-rotated',
  'translation-overruled',
  'content-removed',
] as const;

export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** Milliseconds before an entry is deleted: 90 days. */
const RETENTION_MS = 90 * 24 * 3_600_000;
/** One in so many entries deletes old ones. */
const PRUNE_EVERY = 100;

/** The client that a request came from. */
export interface RequestSource {
  /** The IP address. It is stored as rate limits count it: an IPv6 address as its network. */
  ip: string | null;
  /** Browser and system in words. */
  device: string | null;
}

export interface AuditEntry extends RequestSource {
  event: AuditEvent;
  userId: string | null;
  /** Must not contain a secret, a token or an e-mail. */
  details?: Record<string, string | number | boolean>;
}

/** Returns the statement that records an event, for a write of which it is a part (`writeAndPublish`). */
export function eventStatement(connection: AuthConnection, entry: AuditEntry): Statement {
  const { sql, parameters } = insertEvent(connection, entry, Date.now()).compile();
  return { sql, parameters: parameters as readonly Scalar[] };
}

/** Returns the statement that records who has removed what somebody else wrote; nobody, for an operator or the secret key. */
export function removalStatement(
  { database }: Project,
  { caller, table, row, owner }: { caller: Caller; table: string; row: string; owner: string },
): Statement {
  const isUser = caller.kind === 'user';
  const details = { table, row, owner, ...(!isUser && { by: 'operator' }) };
  const entry = {
    event: 'content-removed',
    userId: isUser ? caller.id : null,
    ip: null,
    device: null,
  } as const;
  return eventStatement(authReader(database), { ...entry, details });
}

function insertEvent(connection: AuthConnection, entry: AuditEntry, now: number) {
  return connection.insertInto('audit_log').values({
    id: `${now.toString(36).padStart(9, '0')}-${randomUUID()}`,
    at: now,
    event: entry.event,
    user_id: entry.userId,
    address: entry.ip && ipKey(entry.ip),
    device: entry.device,
    details: entry.details ? JSON.stringify(entry.details) : null,
  });
}

/** Records a security event. Callers pass the transaction that the event belongs to, where there is one. */
export async function recordEvent(connection: AuthConnection, entry: AuditEntry): Promise<void> {
  const now = Date.now();
  await insertEvent(connection, entry, now).execute();
  if (Math.random() * PRUNE_EVERY < 1) {
    await connection
      .deleteFrom('audit_log')
      .where('at', '<', now - RETENTION_MS)
      .execute();
  }
}

interface AuditQuery {
  userId?: string | undefined;
  event?: string | undefined;
  limit: number;
}

/** Returns the newest events first. */
export function listEvents(
  connection: AuthConnection,
  { userId, event, limit }: AuditQuery,
): Promise<AuditRow[]> {
  let query = connection.selectFrom('audit_log').selectAll();
  if (userId) query = query.where('user_id', '=', userId);
  if (event) query = query.where('event', '=', event);
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
