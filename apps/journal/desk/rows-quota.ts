import type { RateLimits, WriteQuota } from '@fabrica/backend';

/** Tells how much an account may write in a day. */
export interface QuotaContext {
  /** Bytes of rows that an account may write in a day; 0: any number. */
  rowsQuota: number;
  limits: Pick<RateLimits, 'enabled'>;
  /** Epoch ms. */
  now: () => number;
}

/**
 * Returns the bytes that an account may still write today, which all that the desk writes for it counts against: working
 * copies, revisions, translations with their former texts, comments, terms and pairs of the memory.
 */
export function quotaOf({ rowsQuota, limits, now }: QuotaContext, userId: string): WriteQuota | undefined {
  return rowsQuota > 0 && limits.enabled ? { userId, now: now(), bytes: rowsQuota } : undefined;
}
