import { Semaphore } from '../../../../runtime/semaphore.ts';
import { unpackError } from '../../../../runtime/workers/carried-error.ts';
import { ChildProcess } from '../../../../runtime/workers/child-process.ts';
import type { StatementTables } from '../../../changes.ts';
import { LONGEST_BATCH_MS, type StatementBatch, type StatementResult } from '../../../sql/statement-batch.ts';
import { othersWrite } from '../../../sql/statement-error.ts';
import type { StatementReply, StatementTask } from './run-statements.ts';

/** Milliseconds without a batch after which the process ends, to release its memory. */
const IDLE_MS = 10_000;

/** Batches that may wait for the one under way. */
const MAX_WAITING = 99;

/** Runs clients' statements on one file. */
interface StatementProcess {
  /** Throws SQL_REFUSED, VALIDATION_FAILED, CONFLICT, STATEMENT_TIMEOUT, STORAGE_FULL. */
  run(batch: StatementBatch): Promise<StatementResult>;
  /** Waits for the batch under way and for those that wait, and ends the process. */
  close(): Promise<void>;
}

interface StatementProcessOptions {
  path: string;
  tables: StatementTables;
  /** Milliseconds that a batch may take, and that it may wait for the others. */
  longestMs?: number | undefined;
}

/**
 * Runs clients' statements in a process of their own, one batch at a time. A statement of SQLite that looks at too much
 * ends with its process only, not even with its thread. An open transaction is rolled back then, as after any crash.
 */
export function createStatementProcess({
  path,
  tables,
  longestMs = LONGEST_BATCH_MS,
}: StatementProcessOptions): StatementProcess {
  const limit = new Semaphore({ concurrency: 1, maxWaiting: MAX_WAITING, fullError: othersWrite });
  const host = new ChildProcess<StatementTask, StatementReply>({
    script: new URL('./statement-host.ts', import.meta.url),
    idleMs: IDLE_MS,
  });

  return {
    run(batch) {
      const calledAt = performance.now();
      return limit.run(async () => {
        if (performance.now() - calledAt > longestMs) throw othersWrite();
        const reply = await host.call({ path, batch, tables, longestMs });
        if ('result' in reply) return reply.result;
        if (reply.ends) host.kill();
        throw unpackError(reply.error);
      });
    },
    async close() {
      await limit.idle();
      host.kill();
    },
  };
}
