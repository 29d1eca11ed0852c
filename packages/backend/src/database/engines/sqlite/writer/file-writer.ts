import { setImmediate as nextTurn } from 'node:timers/promises';
import type { WorkerThread } from '../../../../runtime/workers/worker-thread.ts';
import type { WriteOutcome, WritePlan } from '../../../port.ts';
import { type Schema, withoutChecks } from '../../../schema.ts';
import type { SharedCounts } from '../commit-counts.ts';
import type {
  BeginOptions,
  OpenTask,
  ServiceStatement,
  ServiceStatementResult,
  WriterTask,
} from './writer-tasks.ts';

/** A transaction that locks the file from its first statement on. */
export interface FileTransaction {
  statement(statement: ServiceStatement): Promise<ServiceStatementResult>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

/** Writes to one file through the writer's thread, which opens the file with the first task. */
export interface FileWriter {
  plan(plan: WritePlan): Promise<WriteOutcome>;
  statement(statement: ServiceStatement): Promise<ServiceStatementResult>;
  begin(options: BeginOptions): FileTransaction;
  /** Has the thread count the commits of other processes; returns false when it does not have the file open. */
  countForeignCommits(): boolean;
  /** Waits for all tasks, and refuses further ones. */
  finish(): Promise<void>;
  /** Closes the file in the thread; to be called after `finish`. */
  close(): Promise<void>;
}

interface FileWriterOptions {
  thread: WorkerThread<WriterTask>;
  /** The number of this file in the thread. */
  file: number;
  path: string;
  schema: Schema;
  counts: SharedCounts;
  timeouts: Pick<OpenTask, 'statementTimeout' | 'idleTransactionTimeout' | 'lockTimeout'>;
  /** Called when the thread has opened the file and written nothing yet. */
  onOpen(): void;
}

export function createFileWriter({ thread, onOpen, ...options }: FileWriterOptions): FileWriter {
  const { file, path, schema, counts, timeouts } = options;
  /** The generation of the thread that has the file open. */
  let openIn: number | undefined;
  let opening: Promise<void> | undefined;
  let closed = false;
  let transactions = 0;

  async function open(): Promise<void> {
    const generation = thread.generation();
    // Values are checked before they are sent to the thread.
    const sent = withoutChecks(schema);
    await thread.call({ kind: 'open', file, path, schema: sent, counts: counts.buffer, ...timeouts });
    onOpen();
    openIn = generation;
  }

  const isOpen = () => openIn === thread.generation();

  async function ensureOpen(): Promise<void> {
    if (closed) throw new Error('The database is closed.');
    if (isOpen()) return;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    await opening;
  }

  async function call<Result>(task: WriterTask): Promise<Result> {
    await ensureOpen();
    return thread.call(task);
  }

  return {
    plan: (plan) => call({ kind: 'plan', file, plan }),
    statement: (statement) => call({ kind: 'statement', file, statement }),
    begin(options) {
      transactions += 1;
      const transaction = transactions;
      let begun: Promise<ServiceStatementResult> | undefined;
      const end = async (how: 'commit' | 'rollback') => {
        // A transaction without a statement was never begun.
        if (!begun) return;
        await begun.catch(() => undefined);
        await thread.call({ kind: 'end', file, transaction, how }, { atOnce: true });
      };
      return {
        async statement(statement) {
          if (!begun) {
            begun = call({ kind: 'begin', file, transaction, ...options, statement });
            return begun;
          }
          await begun.catch(() => undefined);
          return thread.call({ kind: 'within', file, transaction, statement }, { atOnce: true });
        },
        commit: () => end('commit'),
        rollback: () => end('rollback'),
      };
    },
    countForeignCommits() {
      if (!isOpen()) return false;
      thread.call({ kind: 'count-commits', file }, { atOnce: true }).catch(() => undefined);
      return true;
    },
    async finish() {
      await opening?.catch(() => undefined);
      // Calls that were made before send their tasks first.
      await nextTurn();
      closed = true;
      if (isOpen()) await thread.call({ kind: 'wait', file });
    },
    async close() {
      if (isOpen()) await thread.call({ kind: 'close', file });
      openIn = undefined;
    },
  };
}
