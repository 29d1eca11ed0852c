import type { RealtimeClock } from './realtime-clock.ts';

/** Messages that go out at once, and how many milliseconds each of them is made up for in. */
const BURST = 30;
const GAP_MS = 25;

/** Lets things happen one after the other, and not faster than the server allows a socket to speak. */
export interface TokenBucketQueue {
  run(act: () => void): void;
  /** What still waits does not happen. */
  close(): void;
}

/** 30 at once and 40 a second: below the server's 50 also when a slow line brings half a second's worth together. */
export function createTokenBucketQueue(clock: RealtimeClock): TokenBucketQueue {
  const waiting: (() => void)[] = [];
  let left = BURST;
  let countedAt = clock.now();
  let cancel: (() => void) | undefined;

  function go(): void {
    const now = clock.now();
    left = Math.min(BURST, left + Math.max(0, now - countedAt) / GAP_MS);
    countedAt = now;
    while (left >= 1) {
      const act = waiting.shift();
      if (!act) return;
      left -= 1;
      act();
    }
    if (waiting.length === 0 || cancel) return;
    cancel = clock.after(GAP_MS, () => {
      cancel = undefined;
      go();
    });
  }

  return {
    run(act) {
      waiting.push(act);
      go();
    },
    close() {
      waiting.length = 0;
      cancel?.();
    },
  };
}
