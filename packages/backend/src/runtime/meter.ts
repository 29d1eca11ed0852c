/** Names what can be measured, as Prometheus names it. Values of labels are bounded: they come from code, settings and projects. */
export const MEASURES = {
  fabrica_info: {
    kind: 'gauge',
    help: 'Version and engine of this node; always 1.',
    labels: ['version', 'engine'],
  },
  fabrica_part_up: {
    kind: 'gauge',
    help: 'Whether a part that the node relies on works: 1 or 0.',
    labels: ['part'],
  },
  fabrica_cache_hits_total: {
    kind: 'counter',
    help: 'Look-ups that a cache had a value for.',
    labels: ['cache'],
  },
  fabrica_cache_misses_total: {
    kind: 'counter',
    help: 'Look-ups that a cache had no value for.',
    labels: ['cache'],
  },
  fabrica_cache_bytes: { kind: 'gauge', help: 'Bytes of the entries of a cache.', labels: ['cache'] },
  fabrica_queue_waiting: {
    kind: 'gauge',
    help: 'What waits for its turn: passwords to check, mails and calls of models; announcements wait while Redis is away.',
    labels: ['queue'],
  },
  fabrica_database_connections: {
    kind: 'gauge',
    help: 'Connections to PostgreSQL, and callers that wait for one.',
    labels: ['project', 'pool', 'state'],
  },
  fabrica_database_connections_max: {
    kind: 'gauge',
    help: 'Connections that a pool may open.',
    labels: ['project', 'pool'],
  },
  fabrica_replica_lag_seconds: {
    kind: 'gauge',
    help: 'Age of the last transaction that the read replica has replayed, while there is a later one.',
    labels: ['project'],
  },
  fabrica_disk_free_bytes: {
    kind: 'gauge',
    help: 'Bytes that are free for this account on the disk of DATA_DIR: uploads under way, and with SQLite the database.',
    labels: [],
  },
  fabrica_sockets: { kind: 'gauge', help: 'Open websockets.', labels: [] },
  fabrica_mails: {
    kind: 'gauge',
    help: 'Mails in the outbox by state: waiting or failed.',
    labels: ['project', 'state'],
  },
  fabrica_mail_deliveries_total: {
    kind: 'counter',
    help: 'Attempts to hand a mail to the mail server: sent, deferred or failed.',
    labels: ['outcome'],
  },
  fabrica_ai_calls_total: {
    kind: 'counter',
    help: 'Calls of AI models by outcome.',
    labels: ['capability', 'model', 'outcome'],
  },
  fabrica_ai_tokens_total: {
    kind: 'counter',
    help: 'Tokens that AI models have read and written: what a provider charges for.',
    labels: ['capability', 'model', 'direction'],
  },
  fabrica_ai_seconds_total: {
    kind: 'counter',
    help: 'Seconds that AI calls took.',
    labels: ['capability', 'model'],
  },
  fabrica_job_runs_total: {
    kind: 'counter',
    help: 'Runs of a background job: done or failed.',
    labels: ['job', 'outcome'],
  },
  fabrica_job_success_timestamp_seconds: {
    kind: 'gauge',
    help: 'When a background job last ran without a failure.',
    labels: ['job'],
  },
  fabrica_backup_proved_timestamp_seconds: {
    kind: 'gauge',
    help: 'On a node with BACKUP_SCHEDULE, the moment of the data of the newest backup that was proved; 0 when there is none.',
    labels: [],
  },
  fabrica_backup_failed: {
    kind: 'gauge',
    help: 'Whether the last scheduled backup failed, by the check of its proof or "backup" for all the rest: 1 or 0.',
    labels: ['part'],
  },
} as const satisfies Readonly<Record<string, Measure>>;

interface Measure {
  kind: 'counter' | 'gauge';
  help: string;
  labels: readonly string[];
}

export type MeasureName = keyof typeof MEASURES;

export interface Reading<Name extends MeasureName = MeasureName> {
  labels: Readonly<Record<(typeof MEASURES)[Name]['labels'][number], string>>;
  value: number;
}

type Read<Name extends MeasureName> = () => readonly Reading<Name>[] | Promise<readonly Reading<Name>[]>;

/**
 * Collects how this process is doing, when somebody asks: the parts count for themselves, by plain numbers, and tell here
 * how these are read. Nothing happens, and nothing is paid for, while nobody asks.
 */
export class Meter {
  readonly #reads = new Map<MeasureName, Read<MeasureName>[]>();

  /** Has the measure contain what `read` returns, beside what others have added to it. */
  add<Name extends MeasureName>(name: Name, read: Read<Name>): void {
    const reads = this.#reads.get(name) ?? [];
    reads.push(read as unknown as Read<MeasureName>);
    this.#reads.set(name, reads);
  }

  /** Returns the readings of a measure. A part that cannot be read, such as a database that is away, has none. */
  async read(name: MeasureName): Promise<readonly Reading[]> {
    const read = await Promise.allSettled((this.#reads.get(name) ?? []).map(async (one) => one()));
    return read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
  }
}

/** Counts by labels. */
export class Tally<Name extends MeasureName> {
  readonly #counts = new Map<string, { labels: Reading<Name>['labels']; value: number }>();

  add(labels: Reading<Name>['labels'], by = 1): void {
    const key = Object.values(labels).join('\n');
    const count = this.#counts.get(key);
    if (count) count.value += by;
    else this.#counts.set(key, { labels, value: by });
  }

  read(): readonly Reading<Name>[] {
    return [...this.#counts.values()];
  }
}

/** Tells how much a cache is used, since the start of the process. */
export interface CacheUsage {
  hits: number;
  misses: number;
  bytes: number;
}

/** Has the meter tell how a cache is used. */
export function measureCache(meter: Meter | undefined, cache: string, usage: () => CacheUsage): void {
  const labels = { cache };
  meter?.add('fabrica_cache_hits_total', () => [{ labels, value: usage().hits }]);
  meter?.add('fabrica_cache_misses_total', () => [{ labels, value: usage().misses }]);
  meter?.add('fabrica_cache_bytes', () => [{ labels, value: usage().bytes }]);
}

/** Has the meter tell how many calls wait for their turn. */
export function measureQueue(
  meter: Meter | undefined,
  queue: string,
  limit: { readonly waiting: number },
): void {
  meter?.add('fabrica_queue_waiting', () => [{ labels: { queue }, value: limit.waiting }]);
}
