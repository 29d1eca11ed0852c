export interface TokenBucket {
  /** Is there one left? Then it is gone. */
  take(): boolean;
}

export interface TokenBucketOptions {
  /** Tokens at first, and at most. */
  capacity: number;
  /** Tokens that come back. */
  perSecond: number;
  now: () => number;
}

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
