/** Time as realtime sees it; tests put one of their own in its place. */
export interface RealtimeClock {
  /** Epoch milliseconds. */
  now(): number;
  /** Calls once, in so many milliseconds; answers what calls it off. */
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
