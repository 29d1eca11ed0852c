import { DatabaseSync } from 'node:sqlite';
import { foldText, markdownWords } from '@fabrica/contract';
import { matchesIgnoringCase } from './like.ts';
import type { StatementLimits } from './reader/statement-limits.ts';

/** Bytes of a file that are mapped into memory for reading. */
const MAPPED_BYTES = 1024 ** 3;

/** The `auto_vacuum` of a file that can give pages back. */
export const INCREMENTAL = 2;

/** Bytes that the log keeps on the disk for the next transactions. */
const LONGEST_LOG_BYTES = 16 * 1024 ** 2;

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
  // A new file can give pages back; for an older one, this takes effect when it is rewritten (VACUUM). Where it is so
  // already, setting it would be a write.
  if (readPragma(connection, 'auto_vacuum') !== INCREMENTAL)
    connection.exec('PRAGMA auto_vacuum = INCREMENTAL');
  connection.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA temp_store = MEMORY;');
  // What is deleted from a page is overwritten; the log of a large transaction gives its space back.
  connection.exec(`PRAGMA secure_delete = FAST; PRAGMA journal_size_limit = ${LONGEST_LOG_BYTES};`);
  addFunctions(connection, limits);
  return connection;
}

/** Returns the number that a pragma has. */
export function readPragma(connection: DatabaseSync, name: string): number {
  return Number(Object.values(connection.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
}

/** Adds the functions that the conditions of `syntax.ts` and the triggers of a project's migrations call. */
export function addFunctions(connection: DatabaseSync, limits: StatementLimits): void {
  // SQLite itself knows the case of ASCII letters alone.
  connection.function('fold_text', { deterministic: true }, (text) =>
    text === null ? null : foldText(String(text)).replaceAll('\0', ''),
  );
  connection.function('markdown_words', { deterministic: true }, (text) =>
    text === null ? null : markdownWords(String(text)),
  );
  connection.function('within_rows', limits.withinRows);
  connection.function('within_time', limits.withinTime);
  connection.function('matches_ignoring_case', { deterministic: true }, (text, pattern) => {
    if (text === null || pattern === null) return null;
    limits.withinText(String(text).length);
    return matchesIgnoringCase(String(text), String(pattern)) ? 1 : 0;
  });
}
