import type { QueryResult } from 'pg';
import { type Release, Semaphore } from '../../../runtime/semaphore.ts';
import { MIGRATION_LOCK_TABLE } from '../../migration-tables.ts';
import type { ProjectCommits } from './commits/project-commits.ts';
import { ConnectionLost, commitUncertain, refusesCommit, unavailable } from './postgres-error.ts';
import type { PostgresSession, SqlQuery } from './sessions/session.ts';
import type { SessionPool } from './sessions/session-pool.ts';
import {
  GROUP_TIMEOUTS,
  MIGRATION_TIMEOUTS,
  SERVICE_TIMEOUTS,
  type StatementTimeouts,
  setTimeouts,
  WRITE_TIMEOUTS,
} from './sessions/timeouts.ts';

/**
 * A `write` transaction belongs to a request, a `batch` to the SQL of a client and a `group` to several requests; they run beside others.
 * The other kinds run one at a time within the project: `service` for a service, `exclusive` for changes of the tables themselves, and `quiet` for
 * writes that leave the version of the database as it is.
 */
export type TransactionKind = 'write' | 'batch' | 'group' | 'service' | 'exclusive' | 'quiet';

/** The kinds that wait for no other transaction of the project. */
const UNQUEUED: readonly TransactionKind[] = ['write', 'batch', 'group'];

const TIMEOUTS: Readonly<Record<Exclude<TransactionKind, 'write'>, StatementTimeouts>> = {
  batch: WRITE_TIMEOUTS,
  group: GROUP_TIMEOUTS,
  service: SERVICE_TIMEOUTS,
  exclusive: MIGRATION_TIMEOUTS,
  quiet: SERVICE_TIMEOUTS,
};

export interface TransactionsOptions {
  pool: SessionPool;
  commits: ProjectCommits;
  /** The advisory lock by which transactions of services run one at a time until the project has tables. */
  lock: bigint;
  /** The timeouts of statements in the transaction of a request. */
  writeTimeouts: StatementTimeouts;
}

/**
 * Returns the SQL by which transactions of services run one at a time in all processes. It locks a table of the project,
 * which no other project may: anybody may take an advisory lock, which serves until the first migration alone.
 */
const lockProject = (advisoryLock: bigint) => `DO $fabrica$ BEGIN
  IF to_regclass('${MIGRATION_LOCK_TABLE}') IS NULL THEN PERFORM pg_advisory_xact_lock(${advisoryLock});
  ELSE LOCK TABLE ${MIGRATION_LOCK_TABLE} IN SHARE ROW EXCLUSIVE MODE;
  END IF;
END $fabrica$`;

/** Transactions of one project. */
export class Transactions {
  readonly #options: TransactionsOptions;
  // A transaction waits here without a connection: waiting for the advisory lock would take one.
  readonly #queue = new Semaphore({ concurrency: 1 });

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** Runs the work in a transaction. Throws ConnectionLost only if nothing was committed. */
  async run<T>(kind: TransactionKind, work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    const transaction = await this.open(kind);
    try {
      const result = await work(transaction);
      await transaction.commit();
      return result;
    } finally {
      await transaction.rollBack();
    }
  }

  /** Like `run`, but runs the work once more on a new connection when the first one was lost. */
  async runWithRetry<T>(
    kind: TransactionKind,
    work: (transaction: OpenTransaction) => Promise<T>,
  ): Promise<T> {
    try {
      return await this.run(kind, work);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.timedOut) throw error;
      this.renewConnections();
      return this.run(kind, work);
    }
  }

  renewConnections(): void {
    this.#options.pool.renew();
  }

  /** Begins a transaction, which the caller must commit or roll back. Throws ConnectionLost, DATABASE_UNAVAILABLE. */
  async open(kind: TransactionKind): Promise<OpenTransaction> {
    const { pool, commits, lock } = this.#options;
    const timeouts = kind === 'write' ? this.#options.writeTimeouts : TIMEOUTS[kind];
    const release = UNQUEUED.includes(kind) ? undefined : await this.#waitInQueue(timeouts.response);
    let session: PostgresSession | undefined;
    const onEnd = async () => {
      if (session) await pool.release(session);
      release?.();
    };
    try {
      session = await pool.acquire();
      // The connections have the timeouts of a request's write.
      const limits = kind === 'write' ? '' : `; ${setTimeouts(timeouts)}`;
      const begin = `BEGIN${limits}${release ? `; ${lockProject(lock)}` : ''}`;
      const transaction = new OpenTransaction({ session, timeouts, commits, quiet: kind === 'quiet', onEnd });
      await transaction.begin(begin);
      return transaction;
    } catch (error) {
      // With a session, the transaction has called `onEnd` itself.
      if (!session) await onEnd();
      throw error;
    }
  }

  /** Throws DATABASE_UNAVAILABLE when the transactions before this one take too long. */
  async #waitInQueue(timeoutMs: number): Promise<Release> {
    try {
      return await this.#queue.acquire({ timeoutMs });
    } catch (error) {
      throw unavailable(error);
    }
  }
}

interface OpenTransactionOptions {
  session: PostgresSession;
  timeouts: StatementTimeouts;
  commits: ProjectCommits;
  /** Whether its commit is not counted. */
  quiet: boolean;
  /** Called once, after the commit or the rollback. */
  onEnd(): Promise<void>;
}

/** Represents a transaction that has begun, on a connection of its own. */
export class OpenTransaction {
  readonly #options: OpenTransactionOptions;
  #over = false;
  #wrote = false;

  constructor(options: OpenTransactionOptions) {
    this.#options = options;
  }

  get session(): PostgresSession {
    return this.#options.session;
  }

  async begin(text: string): Promise<void> {
    try {
      await this.#query({ text });
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  query(query: SqlQuery, { writes }: { writes: boolean }): Promise<QueryResult> {
    this.#wrote ||= writes;
    return this.#query(query);
  }

  /** Throws DATABASE_UNAVAILABLE when it is uncertain whether the transaction was committed. */
  async commit(): Promise<void> {
    const { session, timeouts, commits, quiet } = this.#options;
    const counts = this.#wrote && !quiet;
    const text = counts ? commits.commitSql : 'COMMIT';
    const committing = session.queryAll({ text }, timeouts.response).catch((error: unknown) => {
      if (!this.#wrote || refusesCommit(error)) throw error;
      if (counts) commits.countUncertain();
      throw commitUncertain(error);
    });
    const [done, position] = await committing;
    // The server answers COMMIT with ROLLBACK when a statement of the transaction has failed.
    const isCommitted = done.command !== 'ROLLBACK';
    if (counts && isCommitted) commits.countOwn(position?.rows[0]);
    await this.#end();
    if (!isCommitted) throw new Error('A statement of this transaction failed: it was not committed.');
  }

  /** Does nothing after a commit. */
  async rollBack(): Promise<void> {
    if (this.#over) return;
    const { session } = this.#options;
    if (!session.lost) {
      // A connection that fails to roll back must not be used again.
      await this.#query({ text: 'ROLLBACK' }).catch(() => session.destroy());
    }
    await this.#end();
  }

  #query(query: SqlQuery): Promise<QueryResult> {
    return this.#options.session.query(query, this.#options.timeouts.response);
  }

  #end(): Promise<void> {
    this.#over = true;
    return this.#options.onEnd();
  }
}
