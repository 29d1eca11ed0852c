import { DatabaseError } from 'pg';
import { AppError } from '../../../../core/errors.ts';
import {
  type BatchOptions,
  MAX_BYTES,
  type SqlRows,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import {
  batchTimeout,
  NotAllowed,
  othersWrite,
  type StatementPosition,
  statementRefused,
  writeRefused,
} from '../../../sql/statement-error.ts';
import {
  isCollision,
  isTimeout,
  postgresViolation,
  presentPostgresError,
  sqlState,
} from '../postgres-error.ts';
import type { OpenTransaction } from '../transactions.ts';
import { guardTables, type RunSql, requireUnchanged } from './guarded-tables.ts';
import { readStatementResult } from './read-statement-result.ts';

const READ_ONLY_TRANSACTION = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

/** Milliseconds in which the server responds that it has ended a statement itself. */
const GRACE_MS = 2_000;

/**
 * Runs a batch in a transaction that has just begun, in the mode of the batch; a transaction that reads must have read
 * something, or a statement could make it write. The caller resets the connection before anything else uses it:
 * statements may change settings that outlive a transaction.
 */
export async function executeStatements(
  transaction: OpenTransaction,
  { statements, mode }: StatementBatch,
  { tables, longestMs }: BatchOptions,
): Promise<StatementResult> {
  const writes = mode === 'write';
  const count = statements.length;
  const run: RunSql = async (text, values = []) =>
    (await transaction.query({ text, values }, { writes })).rows;
  const at = async <T>(index: number, act: () => Promise<T>): Promise<T> => {
    try {
      return await act();
    } catch (error) {
      throw presentFailure(error, { index, count }, longestMs);
    }
  };
  const guarded = await at(0, async () => {
    if (!writes) return undefined;
    const verbs = statements.map(({ verb }) => verb);
    return guardTables(run, verbs);
  });
  const allowRemainingTime = createTimer(run, longestMs);
  const limits = { bytes: MAX_BYTES };
  const results: SqlRows[] = [];
  for (const [index, statement] of statements.entries()) {
    const readStatement = async () => {
      const timeout = (await allowRemainingTime()) + GRACE_MS;
      return readStatementResult(transaction.session, statement, Object.assign(limits, { timeout }));
    };
    results.push(await at(index, readStatement));
  }
  if (!guarded) return { results, written: [] };
  const written = await at(count - 1, async () => {
    await allowRemainingTime();
    // Deferred constraints are checked now. Whatever search path the batch has set, what follows reads the server's
    // own catalog.
    await run('SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL search_path = pg_catalog');
    await requireUnchanged(run, guarded);
    return readWritten(run, { schema: guarded.schema, tables: tables.followed });
  });
  return { results, written };
}

/** Returns the tables that the transaction may have written: writing takes a lock that it keeps to its end. */
async function readWritten(
  run: RunSql,
  { schema, tables }: { schema: string; tables: readonly string[] },
): Promise<string[]> {
  const rows = await run(
    `SELECT DISTINCT relname::text AS name FROM pg_locks JOIN pg_class ON pg_class.oid = relation
     WHERE pid = pg_backend_pid() AND mode IN ('RowExclusiveLock', 'AccessExclusiveLock')
       AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = $1) AND relname = ANY ($2)`,
    [schema, tables],
  );
  return rows.map(({ name }) => String(name));
}

/**
 * Returns a function that gives the server the time that is left, and returns it in milliseconds. It must be called
 * before each statement: the one before may have changed the timeout. It throws STATEMENT_TIMEOUT.
 */
function createTimer(run: RunSql, longestMs: number): () => Promise<number> {
  const deadline = performance.now() + longestMs;
  return async () => {
    const left = Math.ceil(deadline - performance.now());
    if (left <= 0) throw batchTimeout(longestMs);
    await run(`SET LOCAL statement_timeout = ${left}`);
    return left;
  };
}

function presentFailure(error: unknown, position: StatementPosition, longestMs: number): unknown {
  if (error instanceof NotAllowed) return statementRefused(position, error);
  if (isTimeout(error)) return batchTimeout(longestMs, error);
  const code = sqlState(error);
  if (code === READ_ONLY_TRANSACTION) return writeRefused(position, error);
  if (code === LOCK_NOT_AVAILABLE || isCollision(error)) return othersWrite(error);
  const presented = presentPostgresError(error);
  if (presented instanceof AppError || !(error instanceof DatabaseError)) return presented;
  // Internal errors and system errors of the server are not the statement's fault.
  if (/^(?:XX|58)/.test(code ?? '')) return error;
  const message = error.detail ? `${error.message} (${error.detail})` : error.message;
  return statementRefused(position, { message, violation: brokenConstraint(error), cause: error });
}

function brokenConstraint(error: DatabaseError): ReturnType<typeof postgresViolation> {
  if (!error.code?.startsWith('23')) return undefined;
  return error.code === '23P01' ? 'unique' : postgresViolation(error);
}
