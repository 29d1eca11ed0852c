import type { QueryResult } from 'pg';
import { type Release, Semaphore } from '../../../runtime/semaphore.ts';
import type { ProjectCommits } from './commits/commits.ts';
import { ConnectionLost, unavailable, uncertain } from './postgres-error.ts';
import type { Session, SqlQuery } from './sessions/session.ts';
import type { SessionPool } from './sessions/session-pool.ts';
import { ENDLESS, type Patience, SERVING, setPatience, WRITING } from './timeouts.ts';

/**
 * `write` is a request's, beside others; `service` one of a service, whose code relies on being the only one of its
 * kind in the project; `exclusive` is the same, and takes its time. `quiet` is one of a service whose writes make
 * nothing stale.
 */
export type TransactionKind = 'write' | 'service' | 'exclusive' | 'quiet';

const PATIENCE: Readonly<Record<TransactionKind, Patience>> = {
  write: WRITING,
  service: SERVING,
  exclusive: ENDLESS,
  quiet: SERVING,
};

export interface TransactionsOptions {
  pool: SessionPool;
  commits: ProjectCommits;
  /** Of the lock that makes service transactions of all processes take turns. */
  lock: bigint;
}

/** Transactions of one project. */
export class Transactions {
  readonly #options: TransactionsOptions;
  // A transaction waits here without a connection, which it would hold while it waits for the lock.
  readonly #writerQueue = new Semaphore({ concurrency: 1 });

  constructor(options: TransactionsOptions) {
    this.#options = options;
  }

  /** Throws ConnectionLost only if nothing was committed. */
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

  /** The same, from its beginning on a fresh connection when the first one was lost. */
  async runTwice<T>(kind: TransactionKind, work: (transaction: OpenTransaction) => Promise<T>): Promise<T> {
    try {
      return await this.run(kind, work);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.gaveUp) throw error;
      this.renew();
      return this.run(kind, work);
    }
  }

  /** The next ones are begun on connections that are made from now on. */
  renew(): void {
    this.#options.pool.renew();
  }

  /** To be ended by `commit` or `rollBack`. Throws ConnectionLost, DATABASE_UNAVAILABLE. */
  async open(kind: TransactionKind): Promise<OpenTransaction> {
    const { pool, commits, lock } = this.#options;
    const patience = PATIENCE[kind];
    const release = kind === 'write' ? undefined : await this.#waitForTurn(patience.answer);
    let session: Session | undefined;
    const end = () => {
      if (session) pool.giveBack(session);
      release?.();
    };
    try {
      session = await pool.take();
      const begin = release
        ? `BEGIN; ${setPatience(patience)}; SELECT pg_advisory_xact_lock(${lock})`
        : 'BEGIN';
      const transaction = new OpenTransaction({ session, patience, commits, quiet: kind === 'quiet', end });
      await transaction.begin(begin);
      return transaction;
    } catch (error) {
      // One that began ends itself.
      if (!session) end();
      throw error;
    }
  }

  /** Throws DATABASE_UNAVAILABLE when the transactions before this one take too long. */
  async #waitForTurn(timeoutMs: number): Promise<Release> {
    try {
      return await this.#writerQueue.acquire({ timeoutMs });
    } catch (error) {
      throw unavailable(error);
    }
  }
}

interface OpenTransactionOptions {
  session: Session;
  patience: Patience;
  commits: ProjectCommits;
  /** Nobody needs to hear of its commit. */
  quiet: boolean;
  /** Called once, when it is over. */
  end(): void;
}

/** A transaction under way, on a connection of its own. */
export class OpenTransaction {
  readonly #options: OpenTransactionOptions;
  #over = false;
  #wrote = false;

  constructor(options: OpenTransactionOptions) {
    this.#options = options;
  }

  get session(): Session {
    return this.#options.session;
  }

  async begin(text: string): Promise<void> {
    try {
      await this.#ask({ text });
    } catch (error) {
      await this.rollBack();
      throw error;
    }
  }

  query(query: SqlQuery, { writes }: { writes: boolean }): Promise<QueryResult> {
    this.#wrote ||= writes;
    return this.#ask(query);
  }

  /** Throws DATABASE_UNAVAILABLE when it is not certain whether it was committed. */
  async commit(): Promise<void> {
    const { session, patience, commits, quiet } = this.#options;
    const heard = this.#wrote && !quiet;
    try {
      const text = heard ? commits.commit : 'COMMIT';
      const [done, position] = await session.ask({ text }, patience.answer);
      this.#finish();
      // So the server ends a transaction in which a statement has failed.
      if (done.command === 'ROLLBACK')
        throw new Error('A statement of this transaction failed: it was not committed.');
      if (heard) commits.noteOwn(position?.rows[0]);
    } catch (error) {
      if (!(error instanceof ConnectionLost && this.#wrote)) throw error;
      if (heard) commits.noteOwn();
      throw uncertain(error);
    }
  }

  /** Does nothing after a commit. */
  async rollBack(): Promise<void> {
    if (this.#over) return;
    const { session } = this.#options;
    if (!session.lost) {
      // A connection that cannot even go back is used by nobody else.
      await this.#ask({ text: 'ROLLBACK' }).catch(() => session.giveUp());
    }
    this.#finish();
  }

  #ask(query: SqlQuery): Promise<QueryResult> {
    return this.#options.session.query(query, this.#options.patience.answer);
  }

  #finish(): void {
    this.#over = true;
    this.#options.end();
  }
}
