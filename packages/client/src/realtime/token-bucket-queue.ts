import type { RealtimeClock } from './realtime-clock.ts';

/** The tokens in a full bucket, and the milliseconds in which one token is added. */
const CAPACITY = 30;
const REFILL_MS = 25;

/** Runs actions in order, at a rate that a token bucket limits. */
export interface TokenBucketQueue {
  run(act: () => void): void;
  /** Discards the waiting actions. */
  close(): void;
}

/**
 * Creates a queue that runs 30 actions at once and 40 a second. This stays below the server's 50 messages a second,
 * even if a slow network delivers half a second's messages together.
 */
export function createTokenBucketQueue(clock: RealtimeClock): TokenBucketQueue {
  const waiting: (() => void)[] = [];
  let tokens = CAPACITY;
  let refilledAt = clock.now();
  let cancelTimer: (() => void) | undefined;

  function runWaiting(): void {
    const now = clock.now();
    tokens = Math.min(CAPACITY, tokens + Math.max(0, now - refilledAt) / REFILL_MS);
    refilledAt = now;
    while (tokens >= 1) {
      const act = waiting.shift();
      if (!act) return;
      tokens -= 1;
      act();
    }
    if (waiting.length === 0 || cancelTimer) return;
    cancelTimer = clock.after(REFILL_MS, () => {
      cancelTimer = undefined;
      runWaiting();
    });
  }

  return {
    run(act) {
      waiting.push(act);
      runWaiting();
    },
    close() {
      waiting.length = 0;
      cancelTimer?.();
    },
  };
}
