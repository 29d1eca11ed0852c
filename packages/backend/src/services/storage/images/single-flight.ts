import type { Urgency } from './image-process.ts';

/** What went wrong is not tried again for so long: a picture that brings the decoder down would be asked for again. */
const FAILURE_KEPT_MS = 60_000;
const MAX_FAILURES = 1_000;

export interface SingleFlight {
  /**
   * Does `work`, or waits for the same that is under way; it is hurried when somebody `urgent` joins. A failure is
   * answered again for a minute without another try.
   */
  run<T>(name: string, urgent: boolean, work: (urgency: Urgency) => Promise<T>): Promise<T>;
  /** Waits for all that is under way. */
  settled(): Promise<void>;
}

interface Flight {
  result: Promise<unknown>;
  urgency: Urgency;
}

/** The same work once, however many ask for it at the same time; `name` stands for what it is, and what it answers. */
export function createSingleFlight(): SingleFlight {
  const flights = new Map<string, Flight>();
  const failures = new Map<string, { error: unknown; until: number }>();

  function noteFailure(name: string, error: unknown): void {
    if (failures.size >= MAX_FAILURES) failures.clear();
    failures.set(name, { error, until: Date.now() + FAILURE_KEPT_MS });
  }

  function start(name: string, urgent: boolean, work: (urgency: Urgency) => Promise<unknown>): Flight {
    const urgency = { urgent };
    const result = work(urgency)
      .catch((error) => {
        noteFailure(name, error);
        throw error;
      })
      .finally(() => flights.delete(name));
    return { result, urgency };
  }

  return {
    async run<T>(name: string, urgent: boolean, work: (urgency: Urgency) => Promise<T>): Promise<T> {
      const failure = failures.get(name);
      if (failure && failure.until > Date.now()) throw failure.error;
      failures.delete(name);
      const flight = flights.get(name) ?? start(name, urgent, work);
      flights.set(name, flight);
      flight.urgency.urgent ||= urgent;
      return flight.result as Promise<T>;
    },
    async settled() {
      await Promise.allSettled([...flights.values()].map(({ result }) => result));
    },
  };
}
