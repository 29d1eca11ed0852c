import type { StatementTables } from '../../../changes.ts';
import { LONGEST_BATCH_MS, type StatementBatch, type StatementResult } from '../../../sql/statement-batch.ts';
import type { ProjectCommits } from '../commits/project-commits.ts';
import { ConnectionLost, toServiceError } from '../postgres-error.ts';
import type { Session } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { WRITING } from '../sessions/timeouts.ts';
import { OpenTransaction } from '../transactions.ts';
import { runStatements } from './run-statements.ts';

/** All of a batch that reads is of one moment, which is now. */
const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';

export interface BatchesOptions {
  /** For batches alone. */
  pool: SessionPool;
  commits: ProjectCommits;
  tables: StatementTables;
  /** Milliseconds that a batch may take. */
  longestMs?: number | undefined;
}

/** Clients' statements, on connections that nothing else uses. */
export class Batches {
  readonly #options: BatchesOptions;

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  async run(batch: StatementBatch): Promise<StatementResult> {
    const { tables, longestMs = LONGEST_BATCH_MS } = this.#options;
    const { transaction, cleared } = await this.#open(batch.mode);
    try {
      const result = await runStatements(transaction, batch, { tables, longestMs });
      await transaction.commit();
      return result;
    } catch (error) {
      throw toServiceError(error);
    } finally {
      await transaction.rollBack();
      await cleared;
    }
  }

  /** A server that was started anew has ended every connection: what has not begun goes on with a fresh one. */
  async #open(mode: StatementBatch['mode']): Promise<OpenBatch> {
    try {
      return await this.#begin(mode);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.gaveUp) throw toServiceError(error);
      this.#options.pool.renew();
    }
    return this.#begin(mode).catch((error: unknown) => {
      throw toServiceError(error);
    });
  }

  async #begin(mode: StatementBatch['mode']): Promise<OpenBatch> {
    const { pool, commits } = this.#options;
    const session = await pool.take();
    const { promise: cleared, resolve } = Promise.withResolvers<void>();
    const end = async () => {
      await clear(session);
      pool.giveBack(session);
      resolve();
    };
    const transaction = new OpenTransaction({ session, patience: WRITING, commits, quiet: false, end });
    await transaction.begin(mode === 'read' ? BEGIN_READING : 'BEGIN');
    return { transaction, cleared };
  }
}

interface OpenBatch {
  transaction: OpenTransaction;
  /** The connection is as it was before, once the transaction is over. */
  cleared: Promise<void>;
}

/** Settings, locks, temporary tables and whatever else statements have left in the connection. */
async function clear(session: Session): Promise<void> {
  if (session.lost) return;
  await session.query({ text: 'DISCARD ALL' }, WRITING.answer).catch(() => session.giveUp());
}
