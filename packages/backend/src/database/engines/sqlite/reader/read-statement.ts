import type { SQLInputValue } from 'node:sqlite';
import type { Scalar } from '../../../../core/filter.ts';
import type { PreparedStatement } from '../statement-cache.ts';

export interface ReadStatement {
  /** Whether rows are returned as objects or as arrays. */
  kind: 'objects' | 'arrays';
  sql: string;
  parameters: readonly Scalar[];
}

/** A task of the reader's thread, on the file of this path. */
export type ReaderTask = { path: string } & (
  | (ReadStatement & {
      /** Milliseconds that the statement may take. */
      statementTimeout: number;
      /** Epoch ms; a task that is still in the queue then is not run. */
      deadline: number;
    })
  | { kind: 'close' }
);

/** Returns all rows of a statement. */
export function readStatement(
  { statement }: PreparedStatement,
  { kind, parameters }: Pick<ReadStatement, 'kind' | 'parameters'>,
): unknown[] {
  const values = parameters as SQLInputValue[];
  if (kind === 'objects') return statement.all(...values);
  statement.setReturnArrays(true);
  try {
    return statement.all(...values);
  } finally {
    statement.setReturnArrays(false);
  }
}
