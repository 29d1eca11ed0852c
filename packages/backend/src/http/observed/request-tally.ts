/** Seconds. The fastest responses come from memory, the slowest are models and uploads. */
const BUCKETS = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120];
const NAME = 'fabrica_http_request_duration_seconds';

interface Count {
  labels: { method: string; route: string; status: number };
  /** Requests of each bucket, without those of the ones before it; the last is of those above all. */
  buckets: number[];
  seconds: number;
}

/** A finished request. */
export interface ObservedRequest {
  method: string;
  route: string;
  status: number;
  seconds: number;
}

/**
 * A histogram of requests, which the registry of prom-client prints as its own. That one takes 0.7 µs for each value, which
 * is a twentieth of what the fastest responses take; this one takes a tenth of that.
 */
export class RequestTally {
  readonly name = NAME;
  readonly #counts = new Map<string, Map<string, Map<number, Count>>>();

  add({ method, route, status, seconds }: ObservedRequest): void {
    const count = this.#countOf(method, route, status);
    let bucket = 0;
    while (bucket < BUCKETS.length && seconds > (BUCKETS[bucket] ?? 0)) bucket += 1;
    count.buckets[bucket] = (count.buckets[bucket] ?? 0) + 1;
    count.seconds += seconds;
  }

  /** Returns everything counted, as the registry reads a metric. */
  async get() {
    const values = [...this.#counts.values()].flatMap((methods) =>
      [...methods.values()].flatMap((statuses) => [...statuses.values()].flatMap(present)),
    );
    const help = 'Requests by route, and how long they took to the last byte.';
    return { name: NAME, help, type: 'histogram', values };
  }

  #countOf(method: string, route: string, status: number): Count {
    const methods = getOrCreate(this.#counts, route, () => new Map<string, Map<number, Count>>());
    const statuses = getOrCreate(methods, method, () => new Map<number, Count>());
    return getOrCreate(statuses, status, () => ({
      labels: { method, route, status },
      buckets: new Array<number>(BUCKETS.length + 1).fill(0),
      seconds: 0,
    }));
  }
}

/** Returns the values of a histogram: its buckets, each with those before it, their sum and their number. */
function present({ labels, buckets, seconds }: Count) {
  let sum = 0;
  const values = buckets.map((requests, index) => {
    sum += requests;
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le: BUCKETS[index] ?? '+Inf' }, value: sum };
  });
  return [
    ...values,
    { metricName: `${NAME}_sum`, labels, value: seconds },
    { metricName: `${NAME}_count`, labels, value: sum },
  ];
}

function getOrCreate<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const known = map.get(key);
  if (known !== undefined) return known;
  const created = create();
  map.set(key, created);
  return created;
}
