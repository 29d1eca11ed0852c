import { randomUUID } from 'node:crypto';
import { ipKey } from '../../http/rate-limit.ts';
import type { AuditRow, Connection } from './queries.ts';

/** What the audit log knows of. */
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
  'provider-linked',
  'user-created',
  'role-changed',
  'user-disabled',
  'user-enabled',
  'account-exported',
  'account-deleted',
  'key-rotated',
] as const;

export type AuditEvent = (typeof AUDIT_EVENTS)[number];

/** Milliseconds that an entry is kept: 90 days. */
const KEPT_MS = 90 * 24 * 3_600_000;
/** One entry in so many looks for old ones. */
const PRUNE_EVERY = 100;

/** Where a call came from. */
export interface Origin {
  /** Kept as limits count it: an IPv6 address as its network. */
  address: string | null;
  /** In words. */
  device: string | null;
}

export interface AuditEntry extends Origin {
  event: AuditEvent;
  userId: string | null;
  /** Never a secret, a token or an e-mail address. */
  details?: Record<string, string | number | boolean>;
}

/** Writes down a security event, within the transaction that it belongs to where there is one. */
export async function recordEvent(connection: Connection, entry: AuditEntry): Promise<void> {
  const now = Date.now();
  await connection
    .insertInto('audit_log')
    .values({
      id: `${now.toString(36).padStart(9, '0')}-${randomUUID()}`,
      at: now,
      event: entry.event,
      user_id: entry.userId,
      address: entry.address && ipKey(entry.address),
      device: entry.device,
      details: entry.details ? JSON.stringify(entry.details) : null,
    })
    .execute();
  if (Math.random() * PRUNE_EVERY < 1) {
    await connection
      .deleteFrom('audit_log')
      .where('at', '<', now - KEPT_MS)
      .execute();
  }
}

export interface AuditQuery {
  userId?: string | undefined;
  event?: string | undefined;
  limit: number;
}

/** Newest first. */
export function listEvents(
  connection: Connection,
  { userId, event, limit }: AuditQuery,
): Promise<AuditRow[]> {
  let query = connection.selectFrom('audit_log').selectAll();
  if (userId) query = query.where('user_id', '=', userId);
  if (event) query = query.where('event', '=', event);
  return query.orderBy('at', 'desc').orderBy('id', 'desc').limit(limit).execute();
}
