import type { Row } from '../bus.ts';
import type { Change } from './change.ts';

/** A value as JSON has it; engines that know more types answer these as text. */
export type SqlValue = string | number | boolean | null;

/** One statement, its placeholders written as the engine wants them (see `placeholders.ts`). */
export interface SqlStatement {
  sql: string;
  parameters: readonly SqlValue[];
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
  /** What became of rows of the project's tables, in order, dependants included. */
  changes: Change[];
}
