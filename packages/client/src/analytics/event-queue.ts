import type { AnalyticsEvent } from '@fabrica/contract';
import { createStoredValue, type StoredValue } from '../browser/stored-value.ts';
import type { StorageLike } from '../browser/window.ts';

/** The most events that wait; above that the oldest are dropped. */
const QUEUE_LENGTH = 500;

/**
 * Stores the events that the tabs of a project have not sent yet. A tab removes events before it sends them, so that
 * no other tab sends them too, and puts them back if that fails. An event may be lost with a page that is closed, but
 * it is not counted twice.
 */
export class EventQueue {
  readonly #stored: StoredValue<AnalyticsEvent[]>;

  constructor(key: string, storage: StorageLike | undefined) {
    this.#stored = createStoredValue({ key, storage, parse: parseQueue, clearOnFailure: true });
  }

  get length(): number {
    return this.#read().length;
  }

  append(event: AnalyticsEvent): void {
    this.#write([...this.#read(), event]);
  }

  /**
   * Removes and returns the oldest events: at most `count`, and at most this many characters of JSON, but at least
   * one.
   */
  take(count: number, characters: number): AnalyticsEvent[] {
    const all = this.#read();
    let [taken, room] = [0, characters];
    for (const event of all.slice(0, count)) {
      room -= JSON.stringify(event).length;
      if (taken > 0 && room < 0) break;
      taken += 1;
    }
    if (taken > 0) this.#write(all.slice(taken));
    return all.slice(0, taken);
  }

  putBack(events: readonly AnalyticsEvent[]): void {
    this.#write([...events, ...this.#read()]);
  }

  clear(): void {
    this.#stored.clear();
  }

  #read(): AnalyticsEvent[] {
    return this.#stored.read() ?? [];
  }

  #write(events: AnalyticsEvent[]): void {
    if (events.length) this.#stored.write(events.slice(-QUEUE_LENGTH));
    else this.#stored.clear();
  }
}

function parseQueue(json: unknown): AnalyticsEvent[] | null {
  return Array.isArray(json) && json.every((event) => typeof event?.type === 'string') ? json : null;
}
