import { type ChildProcess, fork } from 'node:child_process';
import type { StatementTables } from '../../../changes.ts';
import { LONGEST_BATCH_MS, type StatementBatch, type StatementResult } from '../../../sql/statement-batch.ts';
import { othersWrite } from '../../../sql/statement-error.ts';
import { unpackError } from '../thread/carried-error.ts';
import type { StatementTask, TaskAnswer } from './statement-task.ts';

/** The process ends after so long without a batch, and its memory with it. */
const IDLE_MS = 10_000;

/** Batches that wait for the one under way. */
const MOST_WAITING = 100;

/** Clients' statements on one file. */
export interface StatementProcess {
  /** Throws SQL_REFUSED, VALIDATION_FAILED, CONFLICT, STATEMENT_TIMEOUT, STORAGE_FULL. */
  run(batch: StatementBatch): Promise<StatementResult>;
  /** Waits for what is under way, and for what waits for that. */
  close(): Promise<void>;
}

export interface StatementProcessOptions {
  path: string;
  tables: StatementTables;
  /** Milliseconds that a batch may take, and that it may wait for its turn. */
  longestMs?: number | undefined;
}

/**
 * Clients' statements are carried out in a process of their own, one batch at a time: nothing ends a statement of
 * SQLite's that looks at too much, not even the end of its thread, but that of its process. What it had open is as if
 * it had never been asked for, as after any crash.
 */
export function createStatementProcess({
  path,
  tables,
  longestMs = LONGEST_BATCH_MS,
}: StatementProcessOptions): StatementProcess {
  let host: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let last: Promise<unknown> = Promise.resolve();
  let waiting = 0;

  function end(): void {
    clearTimeout(idle);
    host?.kill('SIGKILL');
    host = undefined;
  }

  async function perform(batch: StatementBatch): Promise<StatementResult> {
    clearTimeout(idle);
    host ??= startHost();
    try {
      const answer = await ask(host, { path, batch, tables, longestMs });
      if ('result' in answer) return answer.result;
      if (answer.ends) end();
      throw unpackError(answer.error);
    } finally {
      if (!host?.connected) host = undefined;
      idle = setTimeout(end, IDLE_MS).unref();
    }
  }

  return {
    run(batch) {
      if (waiting >= MOST_WAITING) return Promise.reject(othersWrite());
      waiting += 1;
      const askedAt = performance.now();
      const result = last
        .then(() => {
          if (performance.now() - askedAt > longestMs) throw othersWrite();
          return perform(batch);
        })
        .finally(() => {
          waiting -= 1;
        });
      last = result.catch(() => undefined);
      return result;
    },
    async close() {
      await last;
      end();
    },
  };
}

function startHost(): ChildProcess {
  const host = fork(new URL('./statement-host.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    serialization: 'advanced',
    // Not those of the server: they are about its own memory, if not about what it runs.
    execArgv: [],
  });
  // It is told by whatever is asked next.
  host.on('error', () => undefined);
  // Neither the process nor the channel to it keeps the server from ending.
  host.unref();
  host.channel?.unref();
  return host;
}

function ask(host: ChildProcess, task: StatementTask): Promise<TaskAnswer> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      host.off('message', onMessage);
      host.off('exit', onEnd);
      host.off('error', onEnd);
      host.channel?.unref();
      act();
    };
    const onMessage = (answer: TaskAnswer) => settle(() => resolve(answer));
    const onEnd = (cause?: unknown) => {
      settle(() => reject(new Error('The process for statements came to its end.', { cause })));
    };
    host.channel?.ref();
    host.on('message', onMessage);
    host.on('exit', onEnd);
    host.on('error', onEnd);
    host.send(task, (error) => error && onEnd(error));
  });
}
