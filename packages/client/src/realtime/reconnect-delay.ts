import { MAX_RECONNECT_DELAY_MS } from '@fabrica/contract';

export const JITTER_MS = 1_000;

/** Milliseconds before the next try, after so many that failed before the last one (docs/spec/product.md section 9). */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.min(MAX_RECONNECT_DELAY_MS, 2 ** attempt * 1_000) + random * JITTER_MS;
}
