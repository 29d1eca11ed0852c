import { constants, type DatabaseSync, type SQLOutputValue } from 'node:sqlite';
import type { Row } from '../../../../core/bus.ts';
import type { StatementTables } from '../../../changes.ts';
import { LEXICONS } from '../../../sql/lexicon.ts';
import {
  MOST_BYTES,
  MOST_ROWS,
  type SqlRows,
  type SqlStatement,
  type StatementBatch,
  type StatementResult,
} from '../../../sql/statement-batch.ts';
import {
  batchTimeout,
  NotAllowed,
  othersWrite,
  type StatementPlace,
  statementRefused,
  tooManyRows,
  writeRefused,
} from '../../../sql/statement-error.ts';
import { tokenize } from '../../../sql/tokenize.ts';
import { errorCode, isBusy, violationOf } from '../sqlite-error.ts';
import { noteTables, readTables } from './client-tables.ts';
import { recordChanges } from './record-changes.ts';
import { presentValue, toInput, weightOf } from './sql-value.ts';
import { requireAllowed, WouldWrite } from './statement-guard.ts';

/** Statements that change rows: what others have changed is none of theirs. */
const CHANGING: readonly string[] = ['INSERT', 'REPLACE', 'UPDATE', 'DELETE', 'WITH'];

/** The lowest byte of what is wrong with the machine or the file, and not with a statement. */
const NOT_THE_STATEMENT: readonly number[] = [2, 7, 10, 11, 13, 14, 15, 26];

/** Rows between two looks at the clock. */
const ROWS_PER_LOOK = 256;

export interface RunOptions {
  tables: StatementTables;
  /** Milliseconds that the batch may take. */
  longestMs: number;
}

/** What a batch may still take. */
interface Limits {
  longestMs: number;
  until: number;
  bytes: number;
}

/**
 * Carries out a batch in a transaction of its own, on a connection of its own that is closed afterwards whatever
 * happens: its settings, its triggers and what is half done go with it. It blocks its thread, and a statement that
 * neither answers rows nor changes any comes to no end before its own: whoever calls this ends the process then.
 */
export function runStatements(
  connection: DatabaseSync,
  { statements, mode }: StatementBatch,
  { tables, longestMs }: RunOptions,
): StatementResult {
  const limits = { longestMs, until: performance.now() + longestMs, bytes: MOST_BYTES };
  begin(connection, mode);
  const known = readTables(connection);
  const changes = mode === 'write' ? recordChanges(connection, tables.recorded) : [];
  const replaced = mode === 'write' && mayReplaceByItself(connection, tables.recorded);
  const madeByMigrations = [...known.all].filter((name) => !known.ofClients.has(name));
  const protectedTables = new Set([...madeByMigrations, ...tables.defined].map((name) => name.toLowerCase()));
  const results: SqlRows[] = [];
  for (const [at, statement] of statements.entries()) {
    const place = { at, of: statements.length };
    try {
      connection.setAuthorizer(null);
      connection.exec(`PRAGMA recursive_triggers = ${replaced || replaces(statement) ? 'ON' : 'OFF'}`);
      guard(connection, { mode, protectedTables });
      results.push(runStatement(connection, statement, limits));
    } catch (error) {
      throw presentFailure(error, place);
    }
  }
  try {
    connection.setAuthorizer(null);
    if (mode === 'write') noteTables(connection, known);
    requireTime(limits);
    // What is to be true at the end of a transaction only is asked for now.
    connection.exec('COMMIT');
  } catch (error) {
    throw presentFailure(error, { at: statements.length - 1, of: statements.length });
  }
  return { results, changes };
}

function begin(connection: DatabaseSync, mode: StatementBatch['mode']): void {
  try {
    connection.exec(mode === 'read' ? 'BEGIN' : 'BEGIN IMMEDIATE');
  } catch (error) {
    throw isBusy(error) ? othersWrite(error) : error;
  }
}

/** SQLite asks while it compiles a statement, and again while that one compiles others. */
function guard(connection: DatabaseSync, options: Parameters<typeof requireAllowed>[1]): void {
  connection.setAuthorizer((code, first, second, database, within) => {
    requireAllowed({ code, first, second, database, within }, options);
    return constants.SQLITE_OK;
  });
}

/**
 * A row that is replaced is deleted without a trigger, unless triggers may call themselves: other triggers are not used
 * to that, so that they may do so for such statements alone.
 */
function replaces({ sql, verb }: SqlStatement): boolean {
  if (verb === 'REPLACE') return true;
  if (!/\breplace\b/i.test(sql)) return false;
  let previous = '';
  for (const { kind, text } of tokenize(sql, LEXICONS.sqlite)) {
    if (kind === 'space' || kind === 'comment') continue;
    const word = text.toUpperCase();
    if (previous === 'OR' && word === 'REPLACE') return true;
    previous = word;
  }
  return false;
}

/** Tables may say of themselves that rows are replaced. */
function mayReplaceByItself(connection: DatabaseSync, tables: readonly string[]): boolean {
  const definitions = connection.prepare(
    `SELECT 1 FROM sqlite_schema WHERE name IN (SELECT value FROM json_each(?)) AND sql LIKE '%on%conflict%replace%'`,
  );
  return definitions.get(JSON.stringify(tables)) !== undefined;
}

function runStatement(
  connection: DatabaseSync,
  { sql, parameters, verb }: SqlStatement,
  limits: Limits,
): SqlRows {
  requireTime(limits);
  const statement = connection.prepare(sql);
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
    for (const value of row) limits.bytes -= weightOf(value);
    rows.push(Object.fromEntries(columns.map((name, at) => [name, row[at] ?? null])));
    if (rows.length > MOST_ROWS || limits.bytes < 0) throw tooManyRows();
    if (rows.length % ROWS_PER_LOOK === 0) requireTime(limits);
  }
  return { rows, columns, rowCount: rows.length };
}

function requireTime({ until, longestMs }: Limits): void {
  if (performance.now() > until) throw batchTimeout(longestMs);
}

function presentFailure(error: unknown, place: StatementPlace): unknown {
  if (error instanceof WouldWrite) return writeRefused(place, error);
  if (error instanceof NotAllowed) return statementRefused(place, error);
  const code = errorCode(error);
  if (!(error instanceof Error) || code === undefined || NOT_THE_STATEMENT.includes(code & 0xff))
    return error;
  return statementRefused(place, { message: error.message, violation: violationOf(error), cause: error });
}
