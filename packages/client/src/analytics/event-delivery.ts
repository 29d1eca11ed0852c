import { type AnalyticsEvent, EVENT_BATCH, EVENT_FLUSH_MS, MAX_EVENTS } from '@fabrica/contract';
import type { AnalyticsWindow } from './analytics-types.ts';
import type { EventQueue } from './event-queue.ts';

/** The most characters of one call: `keepalive` allows 64 KiB, and a character takes up to three bytes. */
const CALL_LENGTH = 20_000;
const CALL_TIMEOUT_MS = 10_000;
/** The longest delay between two attempts in milliseconds. */
const MAX_DELAY_MS = 5 * 60_000;

interface EventDeliveryOptions {
  queue: EventQueue;
  /** URL of the call. */
  url: string;
  fetch: typeof fetch;
  window: AnalyticsWindow | undefined;
  /** Name of the lock that lets one tab send at a time; undefined if no other tab has this queue. */
  lock: string | undefined;
  isEnabled: () => boolean;
  now: () => number;
  signal: AbortSignal;
}

/**
 * Sends the queue when it holds ten events, else 3 s after the first one (docs/spec/product.md section 9). Events
 * that the server cannot accept now (no response, 429, 5xx) are retried later; events that it rejects are dropped.
 */
export class EventDelivery {
  readonly #options: EventDeliveryOptions;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #sending: Promise<void> | undefined;
  #failures = 0;
  /** Epoch milliseconds before which nothing is sent: the server has sent `Retry-After`. */
  #blockedUntil = 0;

  constructor(options: EventDeliveryOptions) {
    this.#options = options;
    const { window, signal, queue } = options;
    window?.addEventListener('online', () => void this.flush(), { signal });
    window?.addEventListener('pagehide', () => this.#onHide(), { signal });
    // On phones this is the last event of a page that is closed.
    const onVisibility = () => window?.document?.visibilityState === 'hidden' && this.#onHide();
    window?.addEventListener('visibilitychange', onVisibility, { signal });
    signal.addEventListener('abort', () => clearTimeout(this.#timer));
    if (queue.length > 0) this.#schedule(EVENT_FLUSH_MS);
  }

  /** Must be called after an event was appended to the queue. */
  onAppend(): void {
    this.#schedule(EVENT_FLUSH_MS);
    if (this.#options.queue.length >= EVENT_BATCH && this.#failures === 0) void this.flush();
  }

  flush(): Promise<void> {
    if (this.#options.signal.aborted || !this.#isReady()) {
      // Clocks and timers differ: the server's delay may not be over yet.
      if (this.#blockedMs() > 0) this.#schedule(this.#blockedMs());
      return Promise.resolve();
    }
    const scheduleNext = () => this.#scheduleNext();
    this.#sending ??= this.#withLock(() => this.#sendAll()).then(scheduleNext, scheduleNext);
    return this.#sending;
  }

  #isReady(): boolean {
    const { isEnabled, window } = this.#options;
    return isEnabled() && window?.navigator.onLine !== false && this.#blockedMs() === 0;
  }

  /** Returns the milliseconds until sending is allowed; 0 if the clock was set back meanwhile. */
  #blockedMs(): number {
    const left = this.#blockedUntil - this.#options.now();
    return left > 0 && left <= MAX_DELAY_MS ? left : 0;
  }

  #withLock(work: () => Promise<void>): Promise<void> {
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

  /** Schedules the events that arrived meanwhile or were put back. */
  #scheduleNext(): void {
    this.#sending = undefined;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#options.queue.length === 0) return;
    const delay = Math.min(MAX_DELAY_MS, EVENT_FLUSH_MS * 2 ** this.#failures);
    const jitter = this.#failures ? Math.random() * EVENT_FLUSH_MS : 0;
    this.#schedule(Math.max(delay + jitter, this.#blockedMs()));
  }

  /** Sends without the lock: the page may be closed before the lock is granted. */
  #onHide(): void {
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

  /** Returns false if the events must be sent later and are back in the queue. */
  async #send(events: readonly AnalyticsEvent[]): Promise<boolean> {
    const result = await this.#call(events);
    if (result === 'later') {
      this.#failures += 1;
      if (this.#options.isEnabled()) this.#options.queue.putBack(events);
      return false;
    }
    this.#failures = 0;
    if (result === 'done' || events.length === 1) return true;
    // One of the events is faulty; the others are sent without it.
    const middle = Math.ceil(events.length / 2);
    const halves = [await this.#send(events.slice(0, middle)), await this.#send(events.slice(middle))];
    return halves.every(Boolean);
  }

  /**
   * Returns `done` also for events that no server will accept, and `invalid` if one is faulty or the call too large.
   */
  async #call(events: readonly AnalyticsEvent[]): Promise<'done' | 'invalid' | 'later'> {
    const { fetch, url, now } = this.#options;
    const body = JSON.stringify({ events });
    try {
      const response = await fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
        // Not a beacon: it would send cookies.
        keepalive: body.length <= CALL_LENGTH + 2 * MAX_EVENTS,
        credentials: 'omit',
        signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
      });
      const delay = parseRetryAfter(response.headers.get('retry-after'), now());
      if (delay > 0) this.#blockedUntil = now() + Math.min(delay, MAX_DELAY_MS);
      // A success without JSON comes from a captive portal.
      if (response.ok) return (await response.json()).success === true ? 'done' : 'later';
      if (response.status === 408 || response.status === 429 || response.status >= 500) return 'later';
      return response.status === 400 || response.status === 413 ? 'invalid' : 'done';
    } catch {
      return 'later';
    }
  }
}

/**
 * Returns the milliseconds of a `Retry-After`: seconds, or a date from proxies (RFC 9110, section 10.2.3). NaN if
 * invalid.
 */
function parseRetryAfter(value: string | null, now: number): number {
  return /^\d+$/.test(value ?? '') ? Number(value) * 1_000 : Date.parse(value ?? '') - now;
}
