import type { Schema } from '../../../schema.ts';
import type { SentPlan } from './sent-plan.ts';

/** A statement of a service, with values as SQLite takes them. */
export interface ServiceStatement {
  sql: string;
  parameters: readonly unknown[];
  /** False when it surely changes nothing. */
  writes: boolean;
}

/** What a statement of a service comes to. */
export interface StatementAnswer {
  rows: unknown[];
  /** Of a statement that answers no rows. */
  changed?: { rows: number | bigint; lastId: number | bigint };
}

export interface OpenTask {
  kind: 'open';
  path: string;
  schema: Schema;
  /** Memory of a `SharedCounts`. */
  counts: SharedArrayBuffer;
  /** Milliseconds that one statement of a plan may look for rows. */
  longestStatement: number;
  /** Milliseconds that a transaction may stay without a statement. */
  longestPause: number;
  /** Milliseconds that a task may wait while another process writes. */
  longestWait: number;
}

/** What the writer's thread does, each with the number of an open file. */
export type WriterTask = { file: number } & (
  | OpenTask
  | ({ kind: 'plan' } & SentPlan)
  | { kind: 'statement'; statement: ServiceStatement }
  /** Holds the file from its turn on, and runs the first statement. */
  | { kind: 'begin'; transaction: number; patient: boolean; quiet: boolean; statement: ServiceStatement }
  | { kind: 'within'; transaction: number; statement: ServiceStatement }
  | { kind: 'end'; transaction: number; how: 'commit' | 'rollback' }
  /** Counts what other processes have committed. */
  | { kind: 'look' }
  /** Both in their turn: everything before is done. */
  | { kind: 'wait' }
  | { kind: 'close' }
);
