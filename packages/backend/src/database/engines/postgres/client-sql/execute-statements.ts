import { DatabaseError } from 'pg';
import { AppError } from '../../../../core/errors.ts';
import { migrationTables } from '../../../migration-tables.ts';
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
  nameIsReserved,
  othersWrite,
  RESERVED_PREFIX,
  rowsAreReserved,
  type StatementPosition,
  severalStatements,
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
import { readStatementResult } from './read-statement-result.ts';

const READ_ONLY_TRANSACTION = '25006';
const LOCK_NOT_AVAILABLE = '55P03';

/** Milliseconds in which the server responds that it has ended a statement itself. */
const GRACE_MS = 2_000;

/** Runs a statement of ours in the transaction of a batch, and returns its rows. */
type RunSql = (text: string, values?: readonly unknown[]) => Promise<Record<string, unknown>[]>;

/** Catalogs in which a role can change its own password and settings. */
const ROLE_CATALOGS = ['pg_authid', 'pg_db_role_setting'];

/** The SELECT takes the snapshot of the transaction, which cannot be made to write afterwards. */
const ONLY_READ = 'SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY; SELECT 1';

/**
 * Runs a batch in a transaction that has just begun. The connection is reset before anything else uses it:
 * statements may change settings that outlive a transaction.
 */
export async function executeStatements(
  transaction: OpenTransaction,
  { statements, mode }: StatementBatch,
  { schema, tables, longestMs }: BatchOptions & { schema: string },
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
  if (!writes) await run(ONLY_READ);
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
  if (!writes) return { results, written: [] };
  const written = await at(count - 1, async () => {
    await allowRemainingTime();
    // Deferred constraints are checked now. Whatever the batch has set or created, what follows reads the server's own
    // catalog.
    await run('SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL search_path = pg_catalog, pg_temp');
    await requireAllowed(run, schema);
    const touched = await readWritten(run, schema, [...tables.followed, ...migrationTables]);
    const reserved = touched.find((name) => migrationTables.includes(name));
    if (reserved) throw rowsAreReserved(reserved);
    return touched;
  });
  return { results, written };
}

/** Throws NotAllowed for what the role's own rights let it do, and is not for clients. */
async function requireAllowed(run: RunSql, schema: string): Promise<void> {
  const [own] = await run(
    `SELECT EXISTS (
         SELECT FROM pg_locks WHERE pid = pg_backend_pid() AND relation = ANY ($2::regclass[]) AND mode = 'RowExclusiveLock'
       ) OR EXISTS (SELECT FROM pg_default_acl WHERE pg_get_userbyid(defaclrole) = session_user)
         OR NOT has_schema_privilege(quote_ident($1)::regnamespace, 'CREATE') AS changed,
       (SELECT relname::text FROM pg_class
        WHERE starts_with(relname::text, $3) AND pg_get_userbyid(relowner) = session_user LIMIT 1) AS reserved`,
    [schema, ROLE_CATALOGS, RESERVED_PREFIX],
  );
  if (own?.changed) throw new NotAllowed('roles are the server’s own, and so is the one that runs this.');
  if (own?.reserved) throw nameIsReserved(String(own.reserved));
}

/** Returns the tables that the transaction may have written: writing takes a lock that it keeps to its end. */
async function readWritten(run: RunSql, schema: string, tables: readonly string[]): Promise<string[]> {
  const rows = await run(
    `SELECT DISTINCT relname::text AS name FROM pg_locks JOIN pg_class ON pg_class.oid = relation
     WHERE pid = pg_backend_pid() AND mode IN ('RowExclusiveLock', 'AccessExclusiveLock')
       AND relnamespace = quote_ident($1)::regnamespace AND relname = ANY ($2)`,
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
  if (isSeveralStatements(error)) return severalStatements(error);
  if (code === READ_ONLY_TRANSACTION) return writeRefused(position, error);
  if (code === LOCK_NOT_AVAILABLE || isCollision(error)) return othersWrite(error);
  const presented = presentPostgresError(error);
  if (presented instanceof AppError || !(error instanceof DatabaseError)) return presented;
  // Internal errors and system errors of the server are not the statement's fault.
  if (/^(?:XX|58)/.test(code ?? '')) return error;
  const message = error.detail ? `${error.message} (${error.detail})` : error.message;
  return statementRefused(position, { message, violation: brokenConstraint(error), cause: error });
}

/** Tells whether a text was refused because it has several statements: its code is that of every syntax error. */
function isSeveralStatements(error: unknown): boolean {
  return sqlState(error) === '42601' && (error as DatabaseError).routine === 'exec_parse_message';
}

function brokenConstraint(error: DatabaseError): ReturnType<typeof postgresViolation> {
  if (!error.code?.startsWith('23')) return undefined;
  return error.code === '23P01' ? 'unique' : postgresViolation(error);
}
