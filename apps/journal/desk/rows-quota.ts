import type { WriteQuota } from '@fabrica/backend';
import type { DeskContext } from './desk-context.ts';

/**
 * Returns the bytes that an account may still write today, which all that the desk writes for it counts against: working
 * copies, revisions, translations with their former texts, comments, terms and pairs of the memory.
 */
export function quotaOf(
  { rowsQuota, limits, now }: Pick<DeskContext, 'rowsQuota' | 'limits' | 'now'>,
  userId: string,
): WriteQuota | undefined {
  return rowsQuota > 0 && limits.enabled ? { userId, now: now(), bytes: rowsQuota } : undefined;
}
