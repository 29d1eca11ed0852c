import { setImmediate as turn } from 'node:timers/promises';
import type { WriteOutcome, WritePlan } from '../../../port.ts';
import type { Schema } from '../../../schema.ts';
import type { SharedCounts } from '../commit-counts.ts';
import type { Thread } from '../thread/thread.ts';
import { planSender } from './sent-plan.ts';
import type { OpenTask, ServiceStatement, StatementAnswer, WriterTask } from './writer-tasks.ts';

/** A transaction that holds the file from its first statement on. */
export interface FileTransaction {
  statement(statement: ServiceStatement): Promise<StatementAnswer>;
  commit(): Promise<void>;
  rollback(): Promise<void>;
}

export interface BeginOptions {
  /** It waits for other processes, and for its own statements, as long as it takes. */
  patient: boolean;
  /** What it writes makes nothing stale. */
  quiet: boolean;
}

/** Writes to one file through the writer's thread. It is opened there with the first task. */
export interface FileWriter {
  plan(plan: WritePlan): Promise<WriteOutcome>;
  statement(statement: ServiceStatement): Promise<StatementAnswer>;
  begin(options: BeginOptions): FileTransaction;
  /** Has the thread count what other processes have committed; false when it does not have the file open. */
  look(): boolean;
  /** Takes nothing more, and waits for everything that was asked for. */
  finish(): Promise<void>;
  /** After that. */
  close(): Promise<void>;
}

export interface FileWriterOptions {
  thread: Thread<WriterTask>;
  /** Of this file in the thread. */
  file: number;
  path: string;
  schema: Schema;
  counts: SharedCounts;
  limits: Pick<OpenTask, 'longestStatement' | 'longestPause' | 'longestWait'>;
  /** The thread has opened the file and written nothing yet. */
  onOpen(): void;
}

export function createFileWriter({ thread, onOpen, ...options }: FileWriterOptions): FileWriter {
  const { file, path, schema, counts, limits } = options;
  /** Of the thread that has the file open. */
  let openIn: number | undefined;
  let send = planSender();
  let opening: Promise<void> | undefined;
  let closed = false;
  let transactions = 0;

  async function open(): Promise<void> {
    const generation = thread.generation();
    await thread.call({ kind: 'open', file, path, schema, counts: counts.buffer, ...limits });
    onOpen();
    openIn = generation;
    send = planSender();
  }

  const isOpen = () => openIn === thread.generation();

  async function whenOpen(): Promise<void> {
    if (closed) throw new Error('The database is closed.');
    if (isOpen()) return;
    opening ??= open().finally(() => {
      opening = undefined;
    });
    await opening;
  }

  async function call<Answer>(task: WriterTask): Promise<Answer> {
    await whenOpen();
    return thread.call(task);
  }

  return {
    async plan(plan) {
      await whenOpen();
      return thread.call({ kind: 'plan', file, ...send(plan) });
    },
    statement: (statement) => call({ kind: 'statement', file, statement }),
    begin(options) {
      transactions += 1;
      const transaction = transactions;
      let begun: Promise<StatementAnswer> | undefined;
      const end = async (how: 'commit' | 'rollback') => {
        // Without a statement nothing was held.
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
    look() {
      if (!isOpen()) return false;
      thread.call({ kind: 'look', file }, { atOnce: true }).catch(() => undefined);
      return true;
    },
    async finish() {
      await opening?.catch(() => undefined);
      // Whoever has asked before sends its task before.
      await turn();
      closed = true;
      if (isOpen()) await thread.call({ kind: 'wait', file });
    },
    async close() {
      if (isOpen()) await thread.call({ kind: 'close', file });
      openIn = undefined;
    },
  };
}
