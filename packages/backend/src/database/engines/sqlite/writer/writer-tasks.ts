import type { WritePlan } from '../../../port.ts';
import type { Schema } from '../../../schema.ts';

/** A statement of a service, with parameters as SQLite takes them. */
export interface ServiceStatement {
  sql: string;
  parameters: readonly unknown[];
  /** False when the statement certainly changes nothing. */
  writes: boolean;
}

export interface ServiceStatementResult {
  rows: unknown[];
  /** Present when the statement returns no rows. */
  changed?: { rows: number | bigint; lastId: number | bigint };
}

export interface OpenTask {
  kind: 'open';
  path: string;
  schema: Schema;
  /** The memory of a `SharedCounts`. */
  counts: SharedArrayBuffer;
  /** Milliseconds that one statement of a plan may look for rows. */
  statementTimeout: number;
  /** Milliseconds that a transaction may stay without a statement. */
  idleTransactionTimeout: number;
  /** Milliseconds that a task may wait while another process writes. */
  lockTimeout: number;
}

export interface BeginOptions {
  /** Whether the transaction changes the tables themselves: it has no timeouts. */
  exclusive: boolean;
  /** Whether its writes leave the version of the database as it is. */
  quiet: boolean;
}

/** A task of the writer's thread, with the number of an open file. */
export type WriterTask = { file: number } & (
  | OpenTask
  | { kind: 'plan'; plan: WritePlan }
  | { kind: 'statement'; statement: ServiceStatement }
  /** Begins a transaction, which locks the file, and runs its first statement. */
  | ({ kind: 'begin'; transaction: number; statement: ServiceStatement } & BeginOptions)
  | { kind: 'within'; transaction: number; statement: ServiceStatement }
  | { kind: 'end'; transaction: number; how: 'commit' | 'rollback' }
  /** Counts the commits of other processes. */
  | { kind: 'count-commits' }
  /** Does nothing: everything that came before is done. */
  | { kind: 'wait' }
  | { kind: 'close' }
);
