import { MAX_RECONNECT_DELAY_MS } from '@fabrica/contract';

/** The time and the timers of realtime. Tests replace it. */
export interface RealtimeClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls `act` once after `ms`. Returns a function that cancels the call. */
  after(ms: number, act: () => void): () => void;
}

export function createRealtimeClock(now: () => number): RealtimeClock {
  return {
    now,
    after(ms, act) {
      const timer = setTimeout(act, ms);
      return () => clearTimeout(timer);
    },
  };
}

/** The most milliseconds of jitter that are added to a delay. */
export const JITTER_MS = 1_000;

/**
 * Returns the milliseconds before the next attempt (docs/spec/product.md section 9). `attempt` counts the failures
 * before the last one, `random` is from 0 to 1.
 */
export function reconnectDelay(attempt: number, random: number): number {
  return Math.min(MAX_RECONNECT_DELAY_MS, 2 ** attempt * 1_000) + random * JITTER_MS;
}
