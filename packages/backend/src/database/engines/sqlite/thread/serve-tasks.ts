import { parentPort } from 'node:worker_threads';
import { type CarriedError, packError } from './carried-error.ts';
import type { Answered, Sent } from './thread.ts';

/** Answers tasks in the thread that `createThread` started. What `take` answers at once is sent at once. */
export interface TaskServer {
  answer(id: number, value: unknown): void;
  fail(id: number, error: unknown): void;
  /** Sends what was answered since, in one message. */
  flush(): void;
}

export function serveTasks<Task>(take: (id: number, task: Task) => void): TaskServer {
  const port = parentPort;
  if (!port) throw new Error('This is no thread.');
  let answers: [number, unknown, CarriedError?][] = [];
  const server: TaskServer = {
    answer(id, value) {
      answers.push([id, value]);
    },
    fail(id, error) {
      answers.push([id, undefined, packError(error)]);
    },
    flush() {
      if (answers.length === 0) return;
      const answered: Answered = answers;
      answers = [];
      port.postMessage(answered);
    },
  };
  port.on('message', (sent: Sent<Task>) => {
    for (const [id, task] of sent) take(id, task);
    server.flush();
  });
  return server;
}
