export interface TokenBucket {
  /** Takes a token; returns false when there is none. */
  take(): boolean;
}

interface TokenBucketOptions {
  /** Tokens at the start, and at most. */
  capacity: number;
  /** Tokens that are added in a second. */
  perSecond: number;
  now: () => number;
}

/** Limits how often something happens on average, and lets a burst of `capacity` happen at once. */
export function createTokenBucket({ capacity, perSecond, now }: TokenBucketOptions): TokenBucket {
  let tokens = capacity;
  let filledAt = now();
  return {
    take() {
      const passed = Math.max(0, now() - filledAt);
      filledAt += passed;
      tokens = Math.min(capacity, tokens + (passed / 1_000) * perSecond);
      if (tokens < 1) return false;
      tokens -= 1;
      return true;
    },
  };
}
