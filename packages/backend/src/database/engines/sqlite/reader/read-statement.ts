import type { SQLInputValue } from 'node:sqlite';
import type { PreparedStatement } from '../statement-cache.ts';
import type { ReadTask } from './reader-tasks.ts';

/** All rows, in the form that the task wants them in. */
export function readStatement(
  { statement }: PreparedStatement,
  { kind, parameters }: Pick<ReadTask, 'kind' | 'parameters'>,
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
