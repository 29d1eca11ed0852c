import { DatabaseSync } from 'node:sqlite';
import { foldText } from '@fabrica/contract';
import { matchesIgnoringCase } from './like.ts';
import type { StatementLimits } from './reader/statement-limits.ts';

/** Bytes of a file that are mapped into memory for reading. */
const MAPPED_BYTES = 1024 ** 3;

/** Milliseconds that SQLite itself waits for a lock. */
const BUSY_MS = 5_000;

/** Returns a connection that sees committed rows and cannot write. */
export function connectToRead(path: string, limits: StatementLimits): DatabaseSync {
  const connection = new DatabaseSync(path, { readOnly: true, timeout: BUSY_MS });
  // Rows with long texts fill a page each: a list of them takes a third of the time when pages are not copied.
  connection.exec(`PRAGMA temp_store = MEMORY; PRAGMA mmap_size = ${MAPPED_BYTES};`);
  addFunctions(connection, limits);
  return connection;
}

/** Returns a connection whose commits are on disk when they return. Creates the file if it does not exist. */
export function connectToWrite(path: string, limits: StatementLimits): DatabaseSync {
  const connection = new DatabaseSync(path, { enableForeignKeyConstraints: true, timeout: BUSY_MS });
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
  addFunctions(connection, limits);
  return connection;
}

/** Adds the functions that the conditions of `syntax.ts` and the triggers of a project's migrations call. */
export function addFunctions(connection: DatabaseSync, limits: StatementLimits): void {
  // SQLite itself knows the case of ASCII letters alone.
  connection.function('fold_text', { deterministic: true }, (text) =>
    text === null ? null : foldText(String(text)).replaceAll('\0', ''),
  );
  connection.function('within_rows', limits.withinRows);
  connection.function('within_time', limits.withinTime);
  connection.function('matches_ignoring_case', { deterministic: true }, (text, pattern) => {
    if (text === null || pattern === null) return null;
    limits.withinText(String(text).length);
    return matchesIgnoringCase(String(text), String(pattern)) ? 1 : 0;
  });
}
