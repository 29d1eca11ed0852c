import { isIPv6 } from 'node:net';
import type { ErrorCode } from '@fabrica/contract';
import ipaddr from 'ipaddr.js';
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
  /** Whether anything is counted. */
  readonly enabled: boolean;
  /**
   * Counts a call under `key` (an IP address, an account), or as many as it is worth; throws `limit.code` with
   * `retryAfter` when that is too many.
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
    enabled,
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
 * Returns the key under which calls from an IP address are counted. An IPv6 address counts by its /64, which is what one
 * household or one machine is given, so that nobody has 2^64 tries; an IPv4 address inside IPv6 counts as itself.
 */
export function ipKey(ipAddress: string): string {
  if (!isIPv6(ipAddress)) return ipAddress;
  const parsed = ipaddr.IPv6.parse(ipAddress);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = parsed.parts.slice(0, 4).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}
