import type { Row } from '../../core/bus.ts';
import type { StatementTables } from '../changes.ts';

/** Milliseconds that a batch may take from its first statement to its commit. */
export const LONGEST_BATCH_MS = 30_000;
/** Rows that one statement may return, and bytes that a batch may return in all. */
export const MAX_ROWS = 10_000;
export const MAX_BYTES = 16 * 1024 * 1024;

/** A value of JSON; other types of an engine are returned as text. */
export type SqlValue = string | number | boolean | null;

/** One statement with the engine's own placeholders (see `sql/parse-statement.ts`). */
export interface SqlStatement {
  sql: string;
  /** The values, in the order of the placeholders' numbers. */
  parameters: readonly SqlValue[];
  /** Its first word, in upper case. */
  verb: string;
}

/** Statements of one transaction, which cannot write in the mode `read`. */
export interface StatementBatch {
  statements: readonly SqlStatement[];
  mode: 'read' | 'write';
}

export interface SqlRows {
  rows: Row[];
  /** Names, in order. */
  columns: string[];
  /** The number of rows that were returned, or written by a statement that returns none. */
  rowCount: number;
}

export interface StatementResult {
  results: SqlRows[];
  /** The tables of the project, of accounts and of files that may have been written, whatever caused it. */
  written: string[];
}

export interface BatchOptions {
  tables: StatementTables;
  /** Milliseconds that the batch may take. */
  longestMs: number;
}

/** Returns the bytes that a value takes, roughly. */
export function sizeOf(value: SqlValue): number {
  return typeof value === 'string' ? value.length : 8;
}
