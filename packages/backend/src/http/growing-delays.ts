import { LRUCache } from 'lru-cache';
import { AppError } from '../core/errors.ts';
import type { Network } from './networks.ts';

/** Pauses between attempts that grow with their number, so that a guesser is slowed down and nobody is locked out. */
export interface GrowingDelay {
  /** Keys of different names are counted separately. */
  name: string;
  /** Attempts without a pause. */
  free: number;
  /** Seconds of the first pause; each further one is twice as long … */
  firstSeconds: number;
  /** … up to so many. */
  longestSeconds: number;
}

/** Attempts are forgotten when there was none for an hour, or for twice their pause. */
const FORGET_MS = 3_600_000;
const KEYS_REMEMBERED = 100_000;

interface Attempts {
  count: number;
  /** Epoch ms. */
  forgottenAt: number;
  /** Epoch ms before which no further attempt is allowed. */
  pausedUntil: number;
}

/** Counts attempts in this process's memory. */
export class GrowingDelays {
  readonly #attempts = new LRUCache<string, Attempts>({ max: KEYS_REMEMBERED });

  /**
   * Counts an attempt in each of the networks; a wider one has a share of more than one. Throws `RATE_LIMITED` with the
   * rest of the pause as `retryAfter`, and counts nothing, when there is a pause in one of them.
   */
  attempt({ name, free, firstSeconds, longestSeconds }: GrowingDelay, networks: readonly Network[]): void {
    const now = Date.now();
    const found = networks.map(({ key, share }) => ({ id: `${name}:${key}`, share }));
    const until = Math.max(...found.map(({ id }) => this.#attempts.get(id)?.pausedUntil ?? 0));
    if (until > now) throw tooMany((until - now) / 1_000);
    for (const { id, share } of found) {
      const earlier = this.#attempts.get(id);
      const count = earlier && earlier.forgottenAt > now ? earlier.count + 1 : 1;
      const over = count - Math.ceil(free * share);
      const pauseMs = over < 0 ? 0 : Math.min(longestSeconds, firstSeconds * 2 ** over) * 1_000;
      const forgottenAt = now + Math.max(FORGET_MS, 2 * pauseMs);
      this.#attempts.set(id, { count, forgottenAt, pausedUntil: now + pauseMs });
    }
  }

  /** Forgets the attempts in the narrowest network, and one attempt in the wider ones: the last one was right. */
  forgive({ name }: Pick<GrowingDelay, 'name'>, [narrowest, ...wider]: readonly Network[]): void {
    this.#attempts.delete(`${name}:${narrowest?.key}`);
    for (const { key } of wider) {
      const id = `${name}:${key}`;
      const found = this.#attempts.get(id);
      if (found) this.#attempts.set(id, { ...found, count: found.count - 1, pausedUntil: 0 });
    }
  }
}

function tooMany(retryAfter: number): AppError {
  return new AppError('RATE_LIMITED', 'Too many attempts. Please wait a moment and try again.', {
    retryAfter: Math.max(1, retryAfter),
  });
}
