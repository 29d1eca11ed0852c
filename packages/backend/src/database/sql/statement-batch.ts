import type { Change, Row } from '../../core/bus.ts';

/** Milliseconds that a batch may take from its first statement to its commit. */
export const LONGEST_BATCH_MS = 30_000;
/** Rows that one statement may answer, and bytes of all that a batch answers. */
export const MOST_ROWS = 10_000;
export const MOST_BYTES = 16 * 1024 * 1024;
/** Rows of the project's tables that a batch may change, and bytes of them as they were and as they are. */
export const MOST_CHANGES = 10_000;
export const MOST_CHANGED_BYTES = 32 * 1024 * 1024;

/** A value as JSON has it; engines that know more types answer these as text. */
export type SqlValue = string | number | boolean | null;

/** One statement, its placeholders written as the engine wants them (see `sql/parse-statement.ts`). */
export interface SqlStatement {
  sql: string;
  /** In the order of their numbers. */
  parameters: readonly SqlValue[];
  /** Its first word, in upper case. */
  verb: string;
}

/** Statements of one transaction; those of a `read` cannot write. */
export interface StatementBatch {
  statements: readonly SqlStatement[];
  mode: 'read' | 'write';
}

export interface SqlRows {
  rows: Row[];
  /** Names, in order. */
  columns: string[];
  /** Rows that were answered, or written by a statement that answers none. */
  rowCount: number;
}

export interface StatementResult {
  results: SqlRows[];
  /** What became of rows of the project's tables, and of accounts and files, in order; whatever made them change. */
  changes: Change[];
}
