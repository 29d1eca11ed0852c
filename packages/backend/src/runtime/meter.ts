import { Counter, Gauge, Histogram, type MetricConfiguration, Registry } from 'prom-client';

export interface Reading<Label extends string> {
  labels: Readonly<Record<Label, string>>;
  value: number;
}

type Read<Label extends string> = () => readonly Reading<Label>[] | Promise<readonly Reading<Label>[]>;

type Refillable<Label extends string> = Pick<Gauge<Label>, 'reset' | 'remove'> & {
  inc(labels: Reading<Label>['labels'], value: number): void;
};

/** A metric that is read when somebody asks: parts count by plain numbers, and nothing is paid for until then. */
interface ReadMetric<Label extends string> {
  /** Adds values; a part that cannot be read, such as a database that is away, has none. */
  add(read: Read<Label>): void;
}

/**
 * Holds the metrics of this process. Values of labels are bounded: they come from code, settings and projects. It is loaded
 * where `METRICS_PORT` asks for it: prom-client takes 14 MB.
 */
export class Meter {
  readonly registry = new Registry();
  readonly requests = new Histogram({
    ...this.#config(
      'fabrica_http_request_duration_seconds',
      'Requests by route, and how long they took to the last byte.',
      ['method', 'route', 'status'],
    ),
    buckets: [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1, 3, 10, 30, 120],
  });
  readonly info = this.#read(Gauge, 'fabrica_info', 'Version and engine of this node; always 1.', [
    'version',
    'engine',
  ]);
  readonly parts = this.#read(
    Gauge,
    'fabrica_part_up',
    'Whether a part that the node relies on works: 1 or 0.',
    ['part'],
  );
  readonly cacheHits = this.#read(
    Counter,
    'fabrica_cache_hits_total',
    'Look-ups that a cache had a value for.',
    ['cache'],
  );
  readonly cacheMisses = this.#read(
    Counter,
    'fabrica_cache_misses_total',
    'Look-ups that a cache had no value for.',
    ['cache'],
  );
  readonly cacheBytes = this.#read(Gauge, 'fabrica_cache_bytes', 'Bytes of the entries of a cache.', [
    'cache',
  ]);
  readonly queues = this.#read(
    Gauge,
    'fabrica_queue_waiting',
    'What waits for its turn: passwords to check, mails and calls of models; announcements wait while Redis is away.',
    ['queue'],
  );
  readonly connections = this.#read(
    Gauge,
    'fabrica_database_connections',
    'Connections to PostgreSQL, and callers that wait for one.',
    ['project', 'pool', 'state'],
  );
  readonly maxConnections = this.#read(
    Gauge,
    'fabrica_database_connections_max',
    'Connections that a pool may open.',
    ['project', 'pool'],
  );
  readonly replicaLag = this.#read(
    Gauge,
    'fabrica_replica_lag_seconds',
    'Age of the last transaction that the read replica has replayed, while there is a later one.',
    ['project'],
  );
  readonly freeDisk = this.#read(
    Gauge,
    'fabrica_disk_free_bytes',
    'Bytes that are free for this account on the disk of DATA_DIR: uploads under way, and with SQLite the database.',
    [],
  );
  readonly sockets = this.#read(Gauge, 'fabrica_sockets', 'Open websockets.', []);
  readonly mails = this.#read(Gauge, 'fabrica_mails', 'Mails in the outbox by state: waiting or failed.', [
    'project',
    'state',
  ]);
  readonly mailDeliveries = new Counter(
    this.#config(
      'fabrica_mail_deliveries_total',
      'Attempts to hand a mail to the mail server: sent, deferred or failed.',
      ['outcome'],
    ),
  );
  readonly aiCalls = new Counter(
    this.#config('fabrica_ai_calls_total', 'Calls of AI models by outcome.', [
      'capability',
      'model',
      'outcome',
    ]),
  );
  readonly aiTokens = new Counter(
    this.#config(
      'fabrica_ai_tokens_total',
      'Tokens that AI models have read and written: what a provider charges for.',
      ['capability', 'model', 'direction'],
    ),
  );
  readonly aiSeconds = new Counter(
    this.#config('fabrica_ai_seconds_total', 'Seconds that AI calls took.', ['capability', 'model']),
  );
  readonly jobRuns = new Counter(
    this.#config('fabrica_job_runs_total', 'Runs of a background job: done or failed.', ['job', 'outcome']),
  );
  readonly jobSuccesses = new Gauge(
    this.#config(
      'fabrica_job_success_timestamp_seconds',
      'When a background job last ran without a failure.',
      ['job'],
    ),
  );
  readonly provedBackup = this.#read(
    Gauge,
    'fabrica_backup_proved_timestamp_seconds',
    'The moment of the data of the newest backup that was proved; 0 when a node with BACKUP_SCHEDULE has none.',
    [],
  );
  readonly failedBackup = this.#read(
    Gauge,
    'fabrica_backup_failed',
    'Whether the last scheduled backup failed, by the check of its proof or "backup" for all the rest: 1 or 0.',
    ['part'],
  );

  #config<Label extends string>(name: string, help: string, labelNames: Label[]): MetricConfiguration<Label> {
    return { name, help, labelNames, registers: [this.registry] };
  }

  #read<Label extends string>(
    Metric: new (configuration: MetricConfiguration<Label>) => Refillable<Label>,
    name: string,
    help: string,
    labelNames: Label[],
  ): ReadMetric<Label> {
    const reads: Read<Label>[] = [];
    const metric = new Metric({
      ...this.#config(name, help, labelNames),
      async collect() {
        const results = await Promise.allSettled(reads.map(async (read) => read()));
        metric.reset();
        // A metric without labels is 0 by itself, which would be a measurement.
        metric.remove({});
        for (const result of results) {
          if (result.status === 'rejected') continue;
          for (const { labels, value } of result.value) metric.inc(labels, value);
        }
      },
    });
    return { add: (read) => void reads.push(read) };
  }

  /** Tells how a cache is used. */
  addCache(cache: string, usage: () => CacheUsage): void {
    const labels = { cache };
    this.cacheHits.add(() => [{ labels, value: usage().hits }]);
    this.cacheMisses.add(() => [{ labels, value: usage().misses }]);
    this.cacheBytes.add(() => [{ labels, value: usage().bytes }]);
  }

  /** Tells how many calls wait for their turn. */
  addQueue(queue: string, limit: { readonly waiting: number }): void {
    this.queues.add(() => [{ labels: { queue }, value: limit.waiting }]);
  }
}

/** Tells how much a cache is used, since the start of the process. */
export interface CacheUsage {
  hits: number;
  misses: number;
  bytes: number;
}
