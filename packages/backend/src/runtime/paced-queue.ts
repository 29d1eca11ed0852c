import { Poller } from './poller.ts';

interface PacedQueueOptions {
  /** Does the work of a key. */
  take(key: string): Promise<void>;
  /** Is called with what `take` throws; the key is taken again after the others. */
  onError(error: unknown): void;
  /** Keys that wait at most, any number by default; further ones are not taken. */
  capacity?: number;
}

/** Parts of the time that are left to other work for one that the queue has taken. */
const PARTS_LEFT = 9;
/** Milliseconds before the first key, and at least between two: a response is sent before the work that it causes. */
const LEAST_PAUSE_MS = 20;
/** Milliseconds before a key that failed is taken again. */
const RETRY_MS = 5_000;
const IDLE_MS = 3_600_000;

/**
 * Does work that nobody waits for: each key once however often it was added, one after the other, and for at most a tenth of
 * the time. The slower the process is, the longer the pauses are.
 */
export class PacedQueue {
  readonly #options: PacedQueueOptions;
  readonly #keys = new Set<string>();
  readonly #poller: Poller;
  /** No key is taken before this time of `performance.now()`. */
  #nextAt = 0;

  constructor(options: PacedQueueOptions) {
    this.#options = options;
    this.#poller = new Poller({
      errorPauseMs: RETRY_MS,
      poll: () => this.#poll(),
      onError: (error) => options.onError(error),
    });
  }

  /** Adds a key, unless it or too many others wait already. */
  add(key: string): void {
    const { capacity = Number.POSITIVE_INFINITY } = this.#options;
    const waiting = this.#keys.size;
    if (waiting < capacity) this.#keys.add(key);
    if (waiting > 0) return;
    this.#pause(LEAST_PAUSE_MS);
    this.#poller.wake();
  }

  /** Takes no further key, and resolves when the last one is done. */
  close(): Promise<void> {
    return this.#poller.close();
  }

  async #poll(): Promise<number> {
    const [key] = this.#keys;
    if (key === undefined) return IDLE_MS;
    const early = this.#nextAt - performance.now();
    if (early > 0) return early;
    this.#keys.delete(key);
    const started = performance.now();
    try {
      await this.#options.take(key);
    } catch (error) {
      this.#keys.add(key);
      this.#pause(RETRY_MS);
      throw error;
    }
    this.#pause(Math.max((performance.now() - started) * PARTS_LEFT, LEAST_PAUSE_MS));
    return this.#nextAt - performance.now();
  }

  #pause(milliseconds: number): void {
    this.#nextAt = Math.max(this.#nextAt, performance.now() + milliseconds);
  }
}
