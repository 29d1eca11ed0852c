import type { BatchOptions, StatementBatch, StatementResult } from '../../../sql/statement-batch.ts';
import type { CarriedError } from '../thread/carried-error.ts';

/** A batch as it is sent to the process that runs it. */
export interface StatementTask extends BatchOptions {
  path: string;
  batch: StatementBatch;
}

/** The result of a batch. `ends` tells that the process ends itself, since its thread could not be ended. */
export type TaskAnswer = { result: StatementResult } | { error: CarriedError; ends: boolean };
