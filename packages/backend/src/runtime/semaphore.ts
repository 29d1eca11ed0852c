import { AppError } from '../core/errors.ts';

/** Seconds after which a caller that found too many waiting may try again. */
const RETRY_AFTER = 5;

export interface SemaphoreOptions {
  /** Permits that are held at a time, all keys together. */
  concurrency: number;
  /** Calls that may wait for a permit, and as many urgent ones; by default, any number. */
  maxWaiting?: number;
  /** The same limits for each key, so that no caller holds all permits. */
  perKey?: { concurrency: number; maxWaiting: number };
  /** Keys whose calls wait get permits round robin, however many calls each has; so do the keys of urgent calls, before them. */
  fair?: boolean;
  /** Keys whose calls may wait, apart from urgent ones. With `fair`, it bounds how long the first call of a key waits. */
  maxKeys?: number;
  /** Makes the error of a call that may not even wait. */
  fullError?: () => AppError;
}

/** Urgent calls go before others. A call may become urgent while it waits. */
export interface Priority {
  urgent: boolean;
}

export interface AcquireOptions {
  /** Names who the permit is for. A call without a key is held back by the limits of all together alone. */
  key?: string | undefined;
  /** Ends the waiting; a permit that is held stays with its holder, whose work may go on. */
  signal?: AbortSignal;
  /** Milliseconds to wait for a permit. */
  timeoutMs?: number;
  priority?: Priority;
}

/** Gives a permit back. It must be called once. */
export type Release = () => void;

interface Waiting {
  key: string | undefined;
  priority: Priority | undefined;
  grant(): void;
}

/** Limits how much is done at a time: calls beyond the limit wait for a permit in the order in which they came. */
export class Semaphore {
  readonly #options: SemaphoreOptions;
  readonly #waiting: Waiting[] = [];
  readonly #heldByKey = new Map<string, number>();
  /** The keys of calls that wait, in the order in which they get permits. */
  readonly #waitingKeys = new Set<string | undefined>();
  readonly #idleListeners: (() => void)[] = [];
  #held = 0;

  constructor(options: SemaphoreOptions) {
    this.#options = options;
  }

  /** The number of calls that wait for a permit. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /** Throws RATE_LIMITED, or `fullError`, when there is no permit for the key and too many such calls wait already. */
  requireRoom(key?: string, isUrgent = false): void {
    if (this.#isFree(key)) return;
    const {
      maxWaiting = Number.POSITIVE_INFINITY,
      perKey,
      maxKeys,
      fullError = tooManyOfYours,
    } = this.#options;
    const alike = this.#waiting.filter(({ priority }) => (priority?.urgent ?? false) === isUrgent);
    if (alike.length >= maxWaiting) throw fullError();
    if (maxKeys !== undefined && !isUrgent) {
      const keys = new Set(alike.map((one) => one.key));
      if (!keys.has(key) && keys.size >= maxKeys) throw fullError();
    }
    if (key === undefined || !perKey) return;
    const same = alike.filter((one) => one.key === key);
    if (same.length >= perKey.maxWaiting) throw fullError();
  }

  /** Waits for a permit. Throws what `requireRoom` throws, the signal's reason, or an Error after the timeout. */
  async acquire(options: AcquireOptions = {}): Promise<Release> {
    const { key, signal } = options;
    signal?.throwIfAborted();
    this.requireRoom(key, options.priority?.urgent);
    if (this.#isFree(key)) this.#take(key);
    else await this.#wait(options);
    return () => this.#release(key);
  }

  /** Does the work while it holds a permit. Throws what `acquire` throws, and what the work throws. */
  async run<T>(work: () => T | Promise<T>, options?: AcquireOptions): Promise<T> {
    const release = await this.acquire(options);
    try {
      return await work();
    } finally {
      release();
    }
  }

  /** Resolves when no permit is held, and so no call waits. */
  async idle(): Promise<void> {
    if (this.#held > 0) await new Promise<void>((resolve) => this.#idleListeners.push(resolve));
  }

  #isFree(key: string | undefined): boolean {
    const { concurrency, perKey } = this.#options;
    if (this.#held >= concurrency) return false;
    return key === undefined || !perKey || (this.#heldByKey.get(key) ?? 0) < perKey.concurrency;
  }

  #take(key: string | undefined): void {
    this.#held += 1;
    if (key !== undefined) this.#heldByKey.set(key, (this.#heldByKey.get(key) ?? 0) + 1);
  }

  #release(key: string | undefined): void {
    this.#held -= 1;
    if (key !== undefined) {
      const left = (this.#heldByKey.get(key) ?? 0) - 1;
      if (left > 0) this.#heldByKey.set(key, left);
      else this.#heldByKey.delete(key);
    }
    const next = this.#takeNext();
    if (!next) {
      if (this.#held === 0) for (const resolve of this.#idleListeners.splice(0)) resolve();
      return;
    }
    // The permit is taken at once: a call that comes now must not overtake the one that waited.
    this.#take(next.key);
    next.grant();
  }

  #takeNext(): Waiting | undefined {
    const urgent = this.#findNext(({ priority }) => priority?.urgent === true);
    const index = urgent < 0 ? this.#findNext() : urgent;
    return index < 0 ? undefined : this.#remove(index);
  }

  /** Removes a call that waits. The next call of its key waits behind those of all other keys. */
  #remove(index: number): Waiting | undefined {
    const [call] = this.#waiting.splice(index, 1);
    this.#waitingKeys.delete(call?.key);
    if (this.#waiting.some(({ key }) => key === call?.key)) this.#waitingKeys.add(call?.key);
    return call;
  }

  /** Returns the index of the call that is next among these; -1 when none of them gets a permit now. */
  #findNext(isMeant: (call: Waiting) => boolean = () => true): number {
    const isNext = (call: Waiting) => isMeant(call) && this.#isFree(call.key);
    const first = this.#waiting.findIndex(isNext);
    if (!this.#options.fair || first < 0) return first;
    for (const key of this.#waitingKeys) {
      const ofKey = this.#waiting.findIndex((call) => call.key === key && isNext(call));
      if (ofKey >= 0) return ofKey;
    }
    return first;
  }

  #wait({ key, signal, timeoutMs, priority }: AcquireOptions): Promise<void> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', onAbort);
      };
      const leave = (reason: unknown) => {
        settle();
        this.#leave(call);
        reject(reason);
      };
      const onAbort = () => leave(signal?.reason);
      const onTimeout = () => leave(new Error(`No permit was given back within ${timeoutMs} ms.`));
      const timer = timeoutMs === undefined ? undefined : setTimeout(onTimeout, timeoutMs);
      const call: Waiting = {
        key,
        priority,
        grant() {
          settle();
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#waiting.push(call);
      this.#waitingKeys.add(key);
    });
  }

  /** Removes a call that waits no longer. Its key keeps its position while others of it wait. */
  #leave(call: Waiting): void {
    this.#waiting.splice(this.#waiting.indexOf(call), 1);
    if (!this.#waiting.some(({ key }) => key === call.key)) this.#waitingKeys.delete(call.key);
  }
}

function tooManyOfYours(): AppError {
  return new AppError(
    'RATE_LIMITED',
    'Too many of your requests are under way. Please try again in a moment.',
    { retryAfter: RETRY_AFTER },
  );
}
