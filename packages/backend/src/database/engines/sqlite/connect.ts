import { DatabaseSync } from 'node:sqlite';
import { matchesIgnoringCase } from './like.ts';
import type { StatementLimits } from './reader/statement-limits.ts';

/** Of a project's file, as far as it is read. */
const MAPPED_BYTES = 1024 ** 3;

/** Milliseconds that a connection waits where SQLite cannot be asked again later. */
const BUSY_MS = 5_000;

/** A connection that sees what is committed, and can write nothing. */
export function connectToRead(path: string, limits: StatementLimits): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  // Rows with long texts fill a page each: read in place, a list of them costs a third.
  connection.exec(`PRAGMA temp_store = MEMORY; PRAGMA mmap_size = ${MAPPED_BYTES};`);
  addFunctions(connection, limits);
  return connection;
}

/** A connection whose commits are on the disk when they return. Makes the file where there is none. */
export function connectToWrite(path: string, limits: StatementLimits): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
  addFunctions(connection, limits);
  return connection;
}

/** What the conditions of `syntax.ts` call. */
function addFunctions(connection: DatabaseSync, limits: StatementLimits): void {
  connection.function('within_rows', limits.withinRows);
  connection.function('within_time', limits.withinTime);
  connection.function('matches_ignoring_case', { deterministic: true }, (text, pattern) => {
    if (text === null || pattern === null) return null;
    limits.withinText(String(text).length);
    return matchesIgnoringCase(String(text), String(pattern)) ? 1 : 0;
  });
}
