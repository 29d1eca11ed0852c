import type { ErrorCode } from '@fabrica/contract';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';
import { AppError } from '../core/errors.ts';
import { type GrowingDelay, GrowingDelays } from './growing-delays.ts';
import { type Network, networksOf } from './networks.ts';

export type { GrowingDelay } from './growing-delays.ts';

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
  /** Counts as `consume` does, in each network of an IP address (see `networksOf`). `scope` is counted apart. */
  consumeByIp(
    limit: RateLimit,
    ipAddress: string,
    options?: { scope?: string; calls?: number },
  ): Promise<void>;
  /**
   * Counts a call under a limit that strangers share, as `consume` does. A network may use a sixth of what the others leave, so
   * that there is room for who comes later: ten networks together leave a sixth. `scope` is counted apart.
   */
  consumeShare(limit: RateLimit, ipAddress: string, scope?: string): Promise<void>;
  /** Counts a call and returns how many there were, without ever throwing. */
  count(limit: RateLimit, key: string): Promise<number>;
  /** Returns how many calls were counted. */
  counted(limit: RateLimit, key: string): Promise<number>;
  /** Counts an attempt under a key. Throws `RATE_LIMITED` while there is a pause. */
  delay(delay: GrowingDelay, key: string): void;
  /** Counts an attempt in each network of an IP address. `scope` is counted apart. */
  delayByIp(delay: GrowingDelay, ipAddress: string, scope: string): void;
  /** Forgets attempts after a right one. */
  forgive(delay: GrowingDelay, key: string): void;
  forgiveByIp(delay: GrowingDelay, ipAddress: string, scope: string): void;
}

/** A network may use one part in so many of what the others leave of a shared limit. */
const SHARED_BY = 6;

/** Returns rate limits whose counts are in this process's memory. Without `enabled`, nothing is counted and no call is refused. */
export function createRateLimits({ enabled }: { enabled: boolean }): RateLimits {
  const limiters = new Map<string, RateLimiterMemory>();
  const delays = new GrowingDelays();

  function limiterOf({ name, points, duration }: RateLimit): RateLimiterMemory {
    const known = limiters.get(name);
    if (known) return known;
    const limiter = new RateLimiterMemory({ keyPrefix: name, points, duration });
    limiters.set(name, limiter);
    return limiter;
  }

  async function consume(limit: RateLimit, key: string, calls = 1): Promise<void> {
    if (!enabled || calls === 0) return;
    try {
      await limiterOf(limit).consume(key, calls);
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error;
      throw tooMany(limit, error);
    }
  }

  return {
    enabled,
    consume,
    async consumeByIp({ name, points, ...limit }, ipAddress, { scope = '', calls = 1 } = {}) {
      for (const [index, { key, share }] of networksOf(ipAddress).entries()) {
        const own = {
          ...limit,
          name: index === 0 ? name : `${name}-${share}`,
          points: Math.ceil(points * share),
        };
        await consume(own, scope + key, calls);
      }
    },
    async consumeShare(limit, ipAddress, scope = '') {
      if (!enabled) return;
      const undo: (() => Promise<unknown>)[] = [];
      const add = (limiter: RateLimiterMemory, key: string) => {
        undo.push(() => limiter.reward(key));
        return limiter.penalty(key);
      };
      const all = await add(limiterOf(limit), scope);
      let refused = all.consumedPoints > limit.points ? all : undefined;
      for (const { key, share } of networksOf(ipAddress)) {
        const own = await add(limiterOf({ ...limit, name: `${limit.name}-network` }), `${scope} ${key}`);
        const left = limit.points - Math.max(0, all.consumedPoints - own.consumedPoints);
        if (own.consumedPoints > Math.ceil((left * share) / SHARED_BY)) refused ??= own;
      }
      if (!refused) return;
      for (const giveBack of undo) await giveBack();
      throw tooMany(limit, refused);
    },
    async count(limit, key) {
      return enabled ? (await limiterOf(limit).penalty(key)).consumedPoints : 0;
    },
    async counted(limit, key) {
      return (enabled && (await limiterOf(limit).get(key))?.consumedPoints) || 0;
    },
    delay(delay, key) {
      if (enabled) delays.attempt(delay, [{ key, share: 1 }]);
    },
    delayByIp(delay, ipAddress, scope) {
      if (enabled) delays.attempt(delay, scopedNetworks(ipAddress, scope));
    },
    forgive(delay, key) {
      delays.forgive(delay, [{ key, share: 1 }]);
    },
    forgiveByIp(delay, ipAddress, scope) {
      delays.forgive(delay, scopedNetworks(ipAddress, scope));
    },
  };
}

function tooMany({ code, message }: RateLimit, { msBeforeNext }: RateLimiterRes): AppError {
  return new AppError(
    code ?? 'RATE_LIMITED',
    message ?? 'Too many attempts. Please wait a moment and try again.',
    { retryAfter: Math.max(1, msBeforeNext / 1_000) },
  );
}

function scopedNetworks(ipAddress: string, scope: string): Network[] {
  return networksOf(ipAddress).map(({ key, share }) => ({ key: `${scope}:${key}`, share }));
}
