import { isIPv6 } from 'node:net';
import type { ErrorCode } from '@fabrica/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../core/errors.ts';

export interface RateLimit {
  /** Keys of different names are counted separately. */
  name: string;
  /** Calls at most … */
  points: number;
  /** … within this many seconds, counted from the first. */
  duration: number;
  /** Default: `RATE_LIMITED`. */
  code?: Extract<ErrorCode, 'RATE_LIMITED' | 'AI_QUOTA_EXCEEDED'>;
  /** Default: the sentence of docs/spec/product.md section 8. */
  message?: string;
}

export interface RateLimits {
  /**
   * Counts a call, or as many as it is worth, under `key` (an IP address, an account). Throws `limit.code` with `retryAfter`
   * when that is too many.
   */
  consume(limit: RateLimit, key: string, calls?: number): Promise<void>;
  /** Resets the count of `key`. */
  reset(limit: RateLimit, key: string): Promise<void>;
}

export interface RateLimitOptions {
  /** When false, nothing is counted and no call is refused. */
  enabled: boolean;
}

/** Returns rate limits whose counts are in this process's memory. */
export function createRateLimits({ enabled }: RateLimitOptions): RateLimits {
  const limiters = new Map<string, RateLimiterMemory>();

  function limiterOf({ name, points, duration }: RateLimit): RateLimiterMemory {
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration });
    limiters.set(name, limiter);
    return limiter;
  }

  return {
    async consume(limit, key, calls = 1) {
      if (!enabled || calls === 0) return;
      try {
        await limiterOf(limit).consume(key, calls);
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        throw new AppError(
          limit.code ?? 'RATE_LIMITED',
          limit.message ?? 'Too many attempts. Please wait a moment and try again.',
          { retryAfter: Math.max(1, refusal.msBeforeNext / 1_000) },
        );
      }
    },
    async reset(limit, key) {
      if (enabled) await limiterOf(limit).delete(key);
    },
  };
}

/**
 * Returns the key that calls from an IP address are counted under. IPv6 is counted by its /64, which one household or one
 * machine is given, so that nobody has 2^64 tries.
 */
export function ipKey(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip);
  if (mapped?.[1]) return mapped[1];
  const plain = ip.replace(/%.*$/, '');
  if (!isIPv6(plain)) return ip;
  const [head = '', tail] = plain.toLowerCase().split('::');
  const groups = head === '' ? [] : head.split(':');
  if (tail !== undefined) {
    const after = tail === '' ? 0 : tail.split(':').length + (tail.includes('.') ? 1 : 0);
    while (groups.length < 8 - after && groups.length < 4) groups.push('0');
    groups.push(...tail.split(':'));
  }
  const network = groups.slice(0, 4).map((group) => Number.parseInt(group || '0', 16).toString(16));
  return `${network.join(':')}::/64`;
}
