import type { PoolClient, QueryResult } from 'pg';
import { AppError } from '../../../../core/errors.ts';
import {
  type BatchOptions,
  LONGEST_BATCH_MS,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import type { ProjectCommits } from '../commits/project-commits.ts';
import { ConnectionLost, presentPostgresError, sqlState } from '../postgres-error.ts';
import type { PostgresSession, SqlQuery } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { READ_TIMEOUTS, setTimeouts, WRITE_TIMEOUTS } from '../sessions/timeouts.ts';
import { OpenTransaction } from '../transactions.ts';
import { executeStatements } from './execute-statements.ts';

/** The SELECT takes the snapshot of the transaction, which cannot be made to write afterwards. */
const BEGIN = {
  read: `BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; ${setTimeouts(WRITE_TIMEOUTS)}; SELECT 1`,
  write: `BEGIN; ${setTimeouts(WRITE_TIMEOUTS)}`,
};

export interface BatchesOptions {
  /** Connections of the role of statements, with the timeouts of a read. */
  pool: SessionPool;
  commits: ProjectCommits;
  /** The name of the schema of the project's tables. */
  schema: string;
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

  /** Runs a query on what clients have created: the functions of a view have the rights of the role that runs it. */
  read(query: SqlQuery): Promise<QueryResult> {
    return this.#options.pool.use((session) =>
      session.query(query, READ_TIMEOUTS.response).finally(() => resetSession(session)),
    );
  }

  async run(batch: StatementBatch): Promise<StatementResult> {
    const { schema, tables, longestMs = LONGEST_BATCH_MS } = this.#options;
    const { transaction, reset } = await this.#open(batch.mode);
    try {
      const result = await executeStatements(transaction, batch, { schema, tables, longestMs });
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
    const session = await pool.acquire().catch(presentLogin);
    const { promise: reset, resolve } = Promise.withResolvers<void>();
    const onEnd = async () => {
      await resetSession(session);
      pool.release(session);
      if (session.lost) endProcess(pool, session);
      resolve();
    };
    const transaction = new OpenTransaction({
      session,
      timeouts: WRITE_TIMEOUTS,
      commits,
      quiet: false,
      onEnd,
    });
    await transaction.begin(BEGIN[mode]);
    return { transaction, reset };
  }
}

/** Throws the server's own words when it does not let the role in; PgBouncer calls an unknown role a violation of the protocol. */
function presentLogin(error: unknown): never {
  const { cause } = error as Error;
  if (!/^(?:28|08P01)/.test(sqlState(cause) ?? '')) throw error;
  const sentence = `PostgreSQL does not let the role for SQL in: ${(cause as Error).message}.`;
  throw new AppError('DATABASE_UNAVAILABLE', sentence, { cause });
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

/** Ends the server's process of a connection that was given up: a statement may go on although it was cancelled. */
function endProcess(pool: SessionPool, { client }: PostgresSession): void {
  const { processID } = client as PoolClient & { processID: number };
  const query = { text: 'SELECT pg_terminate_backend($1)', values: [processID] };
  pool.use((session) => session.query(query, READ_TIMEOUTS.response)).catch(() => undefined);
}
