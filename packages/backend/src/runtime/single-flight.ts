import { LRUCache } from 'lru-cache';
import type { Priority } from './semaphore.ts';

const MAX_FAILURES = 1_000;

interface SingleFlightOptions {
  /** Milliseconds in which a failure is thrown again without another attempt. */
  failureMs: number;
}

interface Flight {
  result: Promise<unknown>;
  priority: Priority;
}

/** Does the same work once for all callers that ask for it at the same time. */
export class SingleFlight {
  readonly #flights = new Map<string, Flight>();
  readonly #failures: LRUCache<string, { error: unknown }>;

  constructor({ failureMs }: SingleFlightOptions) {
    this.#failures = new LRUCache({ max: MAX_FAILURES, ttl: failureMs, perf: { now: () => Date.now() } });
  }

  /**
   * Does the work, or waits for the work of the same key that is under way, whose result must be of the same kind. The
   * work becomes urgent as soon as one of its callers is. Throws what the work throws, also for a while after it.
   */
  async run<T>(key: string, urgent: boolean, work: (priority: Priority) => Promise<T>): Promise<T> {
    const failure = this.#failures.get(key);
    if (failure) throw failure.error;
    const flight = this.#flights.get(key) ?? this.#start(key, work);
    flight.priority.urgent ||= urgent;
    return flight.result as Promise<T>;
  }

  /** Waits for all work that is under way. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#flights.values()].map(({ result }) => result));
  }

  #start(key: string, work: (priority: Priority) => Promise<unknown>): Flight {
    const priority = { urgent: false };
    const result = work(priority)
      .catch((error) => {
        this.#failures.set(key, { error });
        throw error;
      })
      .finally(() => this.#flights.delete(key));
    const flight = { result, priority };
    this.#flights.set(key, flight);
    return flight;
  }
}
