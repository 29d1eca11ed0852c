import type { QueryResult } from 'pg';
import { AppError } from '../../../../core/errors.ts';
import {
  type BatchOptions,
  LONGEST_BATCH_MS,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import type { ProjectCommits } from '../commits/project-commits.ts';
import { presentPostgresError, sqlState } from '../postgres-error.ts';
import type { SqlQuery } from '../sessions/session.ts';
import type { SessionPool } from '../sessions/session-pool.ts';
import { READ_TIMEOUTS } from '../sessions/timeouts.ts';
import type { Transactions } from '../transactions.ts';
import { executeStatements } from './execute-statements.ts';

export interface BatchesOptions {
  /** Connections of the role of statements, with the timeouts of a read. */
  pool: SessionPool;
  /** Transactions on these connections. */
  transactions: Transactions;
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
    return this.#options.pool.use((session) => session.query(query, READ_TIMEOUTS.response));
  }

  async run(batch: StatementBatch): Promise<StatementResult> {
    const { transactions, commits, schema, tables, longestMs = LONGEST_BATCH_MS } = this.#options;
    try {
      const result = await transactions.runWithRetry('batch', (transaction) =>
        executeStatements(transaction, batch, { schema, tables, longestMs }),
      );
      if (result.written.length > 0) commits.countUnlisted();
      return result;
    } catch (error) {
      throw presentLogin(presentPostgresError(error));
    }
  }
}

/** Returns the server's own words when it does not let the role in; PgBouncer calls an unknown role a violation of the protocol. */
function presentLogin(error: unknown): unknown {
  const cause = error instanceof AppError ? error.cause : undefined;
  if (!/^(?:28|08P01)/.test(sqlState(cause) ?? '')) return error;
  const sentence = `PostgreSQL does not let the role for SQL in: ${(cause as Error).message}.`;
  return new AppError('DATABASE_UNAVAILABLE', sentence, { cause });
}
