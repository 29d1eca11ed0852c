import { parentPort } from 'node:worker_threads';
import { type CarriedError, packError } from './carried-error.ts';
import type { SentReplies, SentTasks } from './worker-thread.ts';

/** Sends replies from a thread to the `WorkerThread` that started it. */
export interface TaskServer {
  reply(id: number, value: unknown): void;
  /** Has the caller's `call` throw the error. */
  fail(id: number, error: unknown): void;
  /** Sends the replies since the last flush, in one message. */
  flush(): void;
}

/**
 * Passes each task that is sent to this thread to `take`, and flushes the replies that it made at once. `presentError`
 * turns what a task failed with into the error that the caller gets.
 */
export function serveTasks<Task>(
  take: (id: number, task: Task) => void,
  presentError: (error: unknown) => unknown = (error) => error,
): TaskServer {
  const port = parentPort;
  if (!port) throw new Error('serveTasks runs in a worker thread only.');
  let replies: [number, unknown, CarriedError?][] = [];
  const server: TaskServer = {
    reply(id, value) {
      replies.push([id, value]);
    },
    fail(id, error) {
      replies.push([id, undefined, packError(presentError(error))]);
    },
    flush() {
      if (replies.length === 0) return;
      const sent: SentReplies = replies;
      replies = [];
      port.postMessage(sent);
    },
  };
  port.on('message', (sent: SentTasks<Task>) => {
    for (const [id, task] of sent) take(id, task);
    server.flush();
  });
  return server;
}
