import type { AnalyticsEvent } from '@fabrica/contract';
import { createStoredValue, type StoredValue } from '../browser/stored-value.ts';
import type { StorageLike } from '../browser/window.ts';

/** Events that wait at most; then the oldest are given up. */
const QUEUE_LENGTH = 500;

/**
 * The events that all tabs of a project have still to send. Whoever sends some takes them out first, so that no other
 * tab sends them too, and puts them back when that fails: an event is rather lost, with a page that dies, than counted twice.
 */
export class EventQueue {
  readonly #kept: StoredValue<AnalyticsEvent[]>;

  constructor(key: string, storage: StorageLike | undefined) {
    this.#kept = createStoredValue(key, storage, isQueue);
  }

  get length(): number {
    return this.#read().length;
  }

  append(event: AnalyticsEvent): void {
    this.#write([...this.#read(), event]);
  }

  /** The oldest: so many at most, and so many characters of JSON, but one at least unless there is none. */
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
    this.#kept.clear();
  }

  #read(): AnalyticsEvent[] {
    return this.#kept.read() ?? [];
  }

  #write(events: AnalyticsEvent[]): void {
    if (events.length) this.#kept.write(events.slice(-QUEUE_LENGTH));
    else this.#kept.clear();
  }
}

function isQueue(value: unknown): value is AnalyticsEvent[] {
  return Array.isArray(value) && value.every((event) => typeof event?.type === 'string');
}
