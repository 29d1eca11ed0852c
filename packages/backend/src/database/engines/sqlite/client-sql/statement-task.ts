import type { StatementBatch, StatementResult } from '../../../sql/statement-batch.ts';
import type { CarriedError } from '../thread/carried-error.ts';
import type { RunOptions } from './run-statements.ts';

/** A batch as it goes to the process that carries it out. */
export interface StatementTask extends RunOptions {
  path: string;
  batch: StatementBatch;
}

/** `ends`: the process ends itself, for its thread could not be ended. */
export type TaskAnswer = { result: StatementResult } | { error: CarriedError; ends: boolean };
