import type { WriteQuota } from '@fabrica/backend';
import type { DeskContext } from './desk-context.ts';

/** What tells how much an account may write in a day. */
export type QuotaContext = Pick<DeskContext, 'rowsQuota' | 'limits' | 'now'>;

/**
 * Returns the bytes that an account may still write today, which all that the desk writes for it counts against: working
 * copies, revisions, translations with their former texts, comments, terms and pairs of the memory.
 */
export function quotaOf({ rowsQuota, limits, now }: QuotaContext, userId: string): WriteQuota | undefined {
  return rowsQuota > 0 && limits.enabled ? { userId, now: now(), bytes: rowsQuota } : undefined;
}
