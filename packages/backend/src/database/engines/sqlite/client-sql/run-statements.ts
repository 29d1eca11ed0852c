import { constants, type DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Row } from '../../../../core/bus.ts';
import type { CarriedError } from '../../../../runtime/workers/carried-error.ts';
import {
  type BatchOptions,
  MAX_BYTES,
  MAX_ROWS,
  type SqlRows,
  type SqlStatement,
  type StatementBatch,
  type StatementResult,
  sizeOf,
} from '../../../sql/statement-batch.ts';
import {
  batchTimeout,
  NotAllowed,
  othersWrite,
  type StatementPosition,
  severalStatements,
  statementRefused,
  tooManyRows,
  writeRefused,
} from '../../../sql/statement-error.ts';
import { isBusy, sqliteErrorCode, sqliteViolation } from '../sqlite-error.ts';
import { readFileTables, recordClientTables } from './client-tables.ts';
import { presentValue, toInput } from './sql-value.ts';
import { type GuardOptions, requireAllowed, WouldWrite } from './statement-guard.ts';

/** Statements that change rows; after any other, SQLite still reports the count of an earlier one. */
const CHANGING: readonly string[] = ['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'WITH'];

/** Primary result codes of faults of the machine or the file rather than the statement. */
const NOT_THE_STATEMENT: readonly number[] = [2, 7, 10, 11, 13, 14, 15, 26];

/** Rows between two looks at the clock. */
const ROWS_PER_CHECK = 256;

/** A batch as it is sent to the process that runs it. */
export interface StatementTask extends BatchOptions {
  path: string;
  batch: StatementBatch;
}

/** The result of a batch. `ends` tells that the process ends itself, since its thread could not be ended. */
export type StatementReply = { result: StatementResult } | { error: CarriedError; ends: boolean };

interface Limits {
  longestMs: number;
  deadline: number;
  /** Bytes that the batch may still return. */
  bytes: number;
}

/**
 * Runs a batch in a transaction, on a connection that the caller closes afterwards in any case: its settings end with
 * it, and an open transaction is rolled back. The call blocks its thread. The timeout cannot end a
 * statement that neither returns rows nor changes any: the caller then ends the process.
 */
export function runStatements(
  connection: DatabaseSync,
  { statements, mode }: StatementBatch,
  { tables, longestMs }: BatchOptions,
): StatementResult {
  const limits = { longestMs, deadline: performance.now() + longestMs, bytes: MAX_BYTES };
  begin(connection, mode);
  const fileTables = readFileTables(connection);
  const written = new Set<string>();
  const fromMigrations = [...fileTables.all].filter((name) => !fileTables.ofClients.has(name));
  const protectedTables = new Set([...fromMigrations, ...tables.defined].map((name) => name.toLowerCase()));
  const results: SqlRows[] = [];
  for (const [index, statement] of statements.entries()) {
    try {
      connection.setAuthorizer(null);
      // The project's triggers see the deletion of a replaced row; they may not expect to be called recursively otherwise.
      connection.exec(`PRAGMA recursive_triggers = ${/\breplace\b/i.test(statement.sql) ? 'ON' : 'OFF'}`);
      guard(connection, { mode, protectedTables, onWrite: (table) => written.add(table) });
      results.push(runStatement(connection, statement, limits));
    } catch (error) {
      throw presentFailure(error, { index, count: statements.length });
    }
  }
  try {
    connection.setAuthorizer(null);
    if (mode === 'write') recordClientTables(connection, fileTables);
    requireTime(limits);
    // Deferred constraints are checked now.
    connection.exec('COMMIT');
  } catch (error) {
    throw presentFailure(error, { index: statements.length - 1, count: statements.length });
  }
  return { results, written: tables.followed.filter((name) => written.has(name.toLowerCase())) };
}

function begin(connection: DatabaseSync, mode: StatementBatch['mode']): void {
  try {
    connection.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  } catch (error) {
    throw isBusy(error) ? othersWrite(error) : error;
  }
}

/** SQLite calls the authorizer while it compiles a statement, and while that statement compiles others. */
function guard(connection: DatabaseSync, options: GuardOptions): void {
  connection.setAuthorizer((code, first, second, database) => {
    requireAllowed({ code, first, second, database }, options);
    return constants.SQLITE_OK;
  });
}

function runStatement(
  connection: DatabaseSync,
  { sql, parameters, verb }: SqlStatement,
  limits: Limits,
): SqlRows {
  requireTime(limits);
  const statement = connection.prepare(sql);
  if (hasStatement(connection, sql.slice(statement.sourceSQL.length))) throw severalStatements();
  const values = parameters.map(toInput);
  const columns = statement.columns().map(({ name }) => name);
  if (columns.length === 0) {
    const { changes } = statement.run(...values);
    return { rows: [], columns, rowCount: CHANGING.includes(verb) ? Number(changes) : 0 };
  }
  statement.setReadBigInts(true);
  statement.setReturnArrays(true);
  const rows: Row[] = [];
  for (const found of statement.iterate(...values) as Iterable<unknown> as Iterable<SQLOutputValue[]>) {
    const row = found.map(presentValue);
    for (const value of row) limits.bytes -= sizeOf(value);
    rows.push(Object.fromEntries(columns.map((name, column) => [name, row[column] ?? null])));
    if (rows.length > MAX_ROWS || limits.bytes < 0) throw tooManyRows();
    if (rows.length % ROWS_PER_CHECK === 0) requireTime(limits);
  }
  return { rows, columns, rowCount: rows.length };
}

/** Tells whether there is a statement in a text, be it a wrong one. */
function hasStatement(connection: DatabaseSync, sql: string): boolean {
  try {
    connection.prepare(sql);
    return true;
  } catch (error) {
    return !(error instanceof Error && 'code' in error && error.code === 'ERR_INVALID_ARG_VALUE');
  }
}

function requireTime({ deadline, longestMs }: Limits): void {
  if (performance.now() > deadline) throw batchTimeout(longestMs);
}

function presentFailure(error: unknown, position: StatementPosition): unknown {
  if (error instanceof WouldWrite) return writeRefused(position, error);
  if (error instanceof NotAllowed) return statementRefused(position, error);
  const code = sqliteErrorCode(error);
  if (!(error instanceof Error) || code === undefined || NOT_THE_STATEMENT.includes(code & 0xff))
    return error;
  return statementRefused(position, {
    message: error.message,
    violation: sqliteViolation(error),
    cause: error,
  });
}
