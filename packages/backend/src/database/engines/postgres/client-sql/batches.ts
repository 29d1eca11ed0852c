import {
  type BatchOptions,
  LONGEST_BATCH_MS,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import type { ProjectCommits } from '../commits/project-commits.ts';
import { ConnectionLost, presentPostgresError } from '../postgres-error.ts';
import type { PostgresSession } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { WRITE_TIMEOUTS } from '../sessions/timeouts.ts';
import { OpenTransaction } from '../transactions.ts';
import { executeStatements } from './execute-statements.ts';

/** The SELECT takes the snapshot of the transaction, which cannot be made to write afterwards. */
const BEGIN_READING = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';

export interface BatchesOptions {
  /** Connections for batches alone. */
  pool: SessionPool;
  commits: ProjectCommits;
  tables: BatchOptions['tables'];
  /** Milliseconds that a batch may take. */
  longestMs?: number | undefined;
}

/** Runs clients' statements, on connections that nothing else uses. */
export class Batches {
  readonly #options: BatchesOptions;

  constructor(options: BatchesOptions) {
    this.#options = options;
  }

  async run(batch: StatementBatch): Promise<StatementResult> {
    const { tables, longestMs = LONGEST_BATCH_MS } = this.#options;
    const { transaction, reset } = await this.#open(batch.mode);
    try {
      const result = await executeStatements(transaction, batch, { tables, longestMs });
      await transaction.commit();
      if (result.written.length > 0) this.#options.commits.countUnlisted();
      return result;
    } catch (error) {
      throw presentPostgresError(error);
    } finally {
      await transaction.rollBack();
      await reset;
    }
  }

  /** After a restart of the server, all connections of the pool are lost: a batch begins again on a new one. */
  async #open(mode: StatementBatch['mode']): Promise<OpenBatch> {
    try {
      return await this.#begin(mode);
    } catch (error) {
      if (!(error instanceof ConnectionLost) || error.timedOut) throw presentPostgresError(error);
      this.#options.pool.renew();
    }
    return this.#begin(mode).catch((error: unknown) => {
      throw presentPostgresError(error);
    });
  }

  async #begin(mode: StatementBatch['mode']): Promise<OpenBatch> {
    const { pool, commits } = this.#options;
    const session = await pool.acquire();
    const { promise: reset, resolve } = Promise.withResolvers<void>();
    const onEnd = async () => {
      await resetSession(session);
      pool.release(session);
      resolve();
    };
    const transaction = new OpenTransaction({
      session,
      timeouts: WRITE_TIMEOUTS,
      commits,
      quiet: false,
      onEnd,
    });
    await transaction.begin(mode === 'read' ? BEGIN_READING : 'BEGIN');
    return { transaction, reset };
  }
}

interface OpenBatch {
  transaction: OpenTransaction;
  /** Resolved after the transaction, once the connection is reset and released. */
  reset: Promise<void>;
}

/** Removes settings, locks, temporary tables and whatever else statements have left in the connection. */
async function resetSession(session: PostgresSession): Promise<void> {
  if (session.lost) return;
  await session.query({ text: 'DISCARD ALL' }, WRITE_TIMEOUTS.response).catch(() => session.destroy());
}
