import { type AnalyticsEvent, EVENT_BATCH, EVENT_FLUSH_MS, MAX_EVENTS } from '@fabrica/contract';
import type { AnalyticsWindow } from './analytics-window.ts';
import type { EventQueue } from './event-queue.ts';

/** Characters of one call at most: what outlives its page may have 64 KiB, and a character takes up to three bytes. */
const CALL_LENGTH = 20_000;
const CALL_MS = 10_000;
/** Milliseconds between two tries, at most. */
const LONGEST_PAUSE_MS = 5 * 60_000;

export interface EventDeliveryOptions {
  queue: EventQueue;
  /** Address of the call. */
  url: string;
  fetch: typeof fetch;
  window: AnalyticsWindow | undefined;
  /** Name of the lock under which one tab sends at a time; undefined when no other tab has this queue. */
  lock: string | undefined;
  isEnabled: () => boolean;
  now: () => number;
  signal: AbortSignal;
}

/**
 * Sends what is in the queue: ten events at once, else all there are 3 s after the first (docs/spec/product.md section 9). What
 * the server cannot take now (no answer, 429, 5xx) goes back and is tried later; what it refuses is dropped.
 */
export class EventDelivery {
  readonly #options: EventDeliveryOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  /** Epoch milliseconds until when the server wants to be left alone. */
  #restUntil = 0;

  constructor(options: EventDeliveryOptions) {
    this.#options = options;
    const { window, signal, queue } = options;
    window?.addEventListener('online', () => void this.flush(), { signal });
    window?.addEventListener('pagehide', () => this.#leave(), { signal });
    // Of a page that is left on a phone, this is the last that it hears.
    const hide = () => window?.document?.visibilityState === 'hidden' && this.#leave();
    window?.addEventListener('visibilitychange', hide, { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    if (queue.length > 0) this.#schedule(EVENT_FLUSH_MS);
  }

  /** An event has been put in the queue. */
  added(): void {
    this.#schedule(EVENT_FLUSH_MS);
    if (this.#options.queue.length >= EVENT_BATCH && this.#failures === 0) void this.flush();
  }

  flush(): Promise<void> {
    if (this.#options.signal.aborted || !this.#isReady()) {
      // Clocks and timers do not go alike: the rest may not be over yet.
      if (this.#restLeft() > 0) this.#schedule(this.#restLeft());
      return Promise.resolve();
    }
    this.#sending ??= this.#alone(() => this.#sendAll()).then(
      () => this.#rest(),
      () => this.#rest(),
    );
    return this.#sending;
  }

  #isReady(): boolean {
    const { isEnabled, window } = this.#options;
    return isEnabled() && window?.navigator.onLine !== false && this.#restLeft() === 0;
  }

  /** Milliseconds; none when it was said by a clock that has been set back since. */
  #restLeft(): number {
    const left = this.#restUntil - this.#options.now();
    return left > 0 && left <= LONGEST_PAUSE_MS ? left : 0;
  }

  #alone(work: () => Promise<void>): Promise<void> {
    const { window, lock, signal } = this.#options;
    const locks = lock === undefined ? undefined : window?.navigator.locks;
    return locks ? locks.request(lock as string, { signal }, work) : work();
  }

  async #sendAll(): Promise<void> {
    const { queue } = this.#options;
    for (let due = queue.length; due > 0; ) {
      const events = this.#take();
      if (events.length === 0 || !(await this.#send(events))) return;
      due -= events.length;
      if (due <= 0 && queue.length >= EVENT_BATCH) due = queue.length;
    }
  }

  /** What came meanwhile, or came back, has its turn later. */
  #rest(): void {
    this.#sending = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#options.queue.length === 0) return;
    const pause = Math.min(LONGEST_PAUSE_MS, EVENT_FLUSH_MS * 2 ** this.#failures);
    const jitter = this.#failures ? Math.random() * EVENT_FLUSH_MS : 0;
    this.#schedule(Math.max(pause + jitter, this.#restLeft()));
  }

  /** The page may be gone in a moment: nothing can be waited for, so the call is made without the lock. */
  #leave(): void {
    if (this.#failures > 0 || !this.#isReady()) return;
    const events = this.#take();
    if (events.length > 0) void this.#send(events);
  }

  #schedule(ms: number): void {
    if (this.#timer !== undefined || this.#options.signal.aborted) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      void this.flush();
    }, ms);
  }

  #take(): AnalyticsEvent[] {
    return this.#options.queue.take(MAX_EVENTS, CALL_LENGTH);
  }

  /** False when they are to be sent another time, and back in the queue. */
  async #send(events: readonly AnalyticsEvent[]): Promise<boolean> {
    const outcome = await this.#call(events);
    if (outcome === 'later') {
      this.#failures += 1;
      if (this.#options.isEnabled()) this.#options.queue.putBack(events);
      return false;
    }
    this.#failures = 0;
    if (outcome === 'taken' || events.length === 1) return true;
    // One of them is at fault, and the others need not suffer for it.
    const middle = Math.ceil(events.length / 2);
    const halves = [await this.#send(events.slice(0, middle)), await this.#send(events.slice(middle))];
    return halves.every(Boolean);
  }

  /** `taken` also when nobody ever will; `unfit` when something in it is wrong or it is too large. */
  async #call(events: readonly AnalyticsEvent[]): Promise<'taken' | 'unfit' | 'later'> {
    const { fetch, url, now } = this.#options;
    const body = JSON.stringify({ events });
    try {
      const answer = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        // A beacon would do as much, but bring cookies along.
        keepalive: body.length <= CALL_LENGTH + 2 * MAX_EVENTS,
        credentials: 'omit',
        signal: AbortSignal.timeout(CALL_MS),
      });
      const rest = readRest(answer.headers.get('retry-after'), now());
      if (rest > 0) this.#restUntil = now() + Math.min(rest, LONGEST_PAUSE_MS);
      // A success that is no JSON comes from a captive portal.
      if (answer.ok) return (await answer.json()).success === true ? 'taken' : 'later';
      if (answer.status === 408 || answer.status === 429 || answer.status >= 500) return 'later';
      return answer.status === 400 || answer.status === 413 ? 'unfit' : 'taken';
    } catch {
      return 'later';
    }
  }
}

/** Milliseconds of a `Retry-After`: seconds from us, a date from proxies (RFC 9110, section 10.2.3); NaN for neither. */
function readRest(said: string | null, now: number): number {
  return /^\d+$/.test(said ?? '') ? Number(said) * 1_000 : Date.parse(said ?? '') - now;
}
