import type { Meter } from './meter.ts';

export interface PollerOptions {
  /** The job by which the meter tells how polls end. */
  name?: string;
  meter?: Meter | undefined;
  /** Does all that is due. Returns the milliseconds until the next poll. */
  poll(): Promise<number>;
  /** Milliseconds until the next poll after one that failed. */
  errorPauseMs: number;
  /** Is called with what a poll throws. */
  onError(error: unknown): void;
}

/**
 * Looks for work again and again, one poll at a time: when it is woken, and after the pause that the last poll asked
 * for. It keeps no process alive.
 */
export class Poller {
  readonly #options: PollerOptions;
  #timer: NodeJS.Timeout | undefined;
  #polling: Promise<void> | undefined;
  #isWoken = false;
  #isClosed = false;

  constructor(options: PollerOptions) {
    this.#options = options;
    for (const outcome of ['done', 'failed']) this.#count(outcome, 0);
    this.#timeSuccess(0);
  }

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get isPolling(): boolean {
    return this.#polling !== undefined;
  }

  /** Polls at once; during a poll, once more after it. */
  wake(): void {
    this.#isWoken = true;
    if (this.#isClosed || this.#polling) return;
    clearTimeout(this.#timer);
    this.#polling = this.#pollWhileWoken().finally(() => {
      this.#polling = undefined;
      if (this.#isWoken) this.wake();
    });
  }

  /** Polls after so many milliseconds, unless it is woken before. */
  schedule(pauseMs: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.wake(), Math.max(pauseMs, 0)).unref();
  }

  /** Resolves when no poll is under way. */
  async idle(): Promise<void> {
    while (this.#polling) await this.#polling;
  }

  /** Begins no further poll, and resolves when the last one has ended. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.idle();
  }

  async #pollWhileWoken(): Promise<void> {
    const { poll, errorPauseMs, onError } = this.#options;
    let pauseMs = errorPauseMs;
    try {
      while (this.#isWoken && !this.#isClosed) {
        this.#isWoken = false;
        pauseMs = await poll();
        this.#count('done');
        this.#timeSuccess(Date.now());
      }
    } catch (error) {
      pauseMs = errorPauseMs;
      this.#count('failed');
      onError(error);
    }
    if (!this.#isClosed) this.schedule(pauseMs);
  }

  #count(outcome: string, polls = 1): void {
    const { name: job, meter } = this.#options;
    if (job !== undefined) meter?.jobRuns.inc({ job, outcome }, polls);
  }

  #timeSuccess(atMs: number): void {
    const { name: job, meter } = this.#options;
    if (job !== undefined) meter?.jobSuccesses.set({ job }, atMs / 1_000);
  }
}

export interface Lease {
  /** Milliseconds after which somebody else may take the work over. */
  leaseMs: number;
  /** Begins the lease anew. A failure is left to the next renewal. */
  renew(): Promise<unknown>;
}

/** Does the work, and renews its lease three times within each term until the work has ended. */
export async function withLease<T>({ leaseMs, renew }: Lease, work: () => Promise<T>): Promise<T> {
  const timer = setInterval(() => {
    renew().catch(() => undefined);
  }, leaseMs / 3).unref();
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
