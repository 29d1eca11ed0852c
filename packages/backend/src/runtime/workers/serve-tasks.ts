import { parentPort } from 'node:worker_threads';
import { type CarriedError, packError, unpackError } from './carried-error.ts';
import type { SentAnswers, SentQuestions, SentReplies, SentTasks } from './worker-thread.ts';

/** Sends replies from a thread to the `WorkerThread` that started it. */
export interface TaskServer {
  reply(id: number, value: unknown): void;
  /** Has the caller's `call` throw the error. */
  fail(id: number, error: unknown): void;
  /** Sends the replies since the last flush, in one message. */
  flush(): void;
  /** Does so after this iteration of the event loop: a message that wakes the other thread may cost more than a short task. */
  flushSoon(): void;
  /** Asks the caller of a task, and returns the answer. Questions of one iteration of the event loop are sent together. */
  ask<Answer>(task: number, question: unknown): Promise<Answer>;
}

/**
 * Passes each task that is sent to this thread to `take`, and flushes the replies that it made at once. `presentError`
 * turns what a task failed with into the error that the caller gets. The first message, which is empty, says that the modules are loaded.
 */
export function serveTasks<Task>(
  take: (id: number, task: Task) => void,
  presentError: (error: unknown) => unknown = (error) => error,
): TaskServer {
  const port = parentPort;
  if (!port) throw new Error('serveTasks runs in a worker thread only.');
  let replies: [number, unknown, CarriedError?][] = [];
  const asked = new Map<number, Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>>();
  let questions: [number, number, unknown][] = [];
  let lastQuestion = 0;
  let flushing: NodeJS.Immediate | undefined;

  function sendQuestions(): void {
    const sent: SentQuestions = { questions };
    questions = [];
    port?.postMessage(sent);
  }

  function settle({ answers }: SentAnswers): void {
    for (const [id, value, error] of answers) {
      const question = asked.get(id);
      asked.delete(id);
      if (error) question?.reject(unpackError(error));
      else question?.resolve(value);
    }
  }

  const server: TaskServer = {
    reply(id, value) {
      replies.push([id, value]);
    },
    fail(id, error) {
      replies.push([id, undefined, packError(presentError(error))]);
    },
    flush() {
      if (flushing) clearImmediate(flushing);
      flushing = undefined;
      if (replies.length === 0) return;
      const sent: SentReplies = replies;
      replies = [];
      port.postMessage(sent);
    },
    flushSoon() {
      flushing ??= setImmediate(() => server.flush());
    },
    ask<Answer>(task: number, question: unknown) {
      lastQuestion += 1;
      if (questions.length === 0) setImmediate(sendQuestions);
      questions.push([lastQuestion, task, question]);
      const answer = Promise.withResolvers<Answer>();
      asked.set(lastQuestion, answer as PromiseWithResolvers<unknown>);
      return answer.promise;
    },
  };
  port.on('message', (sent: SentTasks<Task> | SentAnswers) => {
    if ('answers' in sent) return settle(sent);
    for (const [id, task] of sent) take(id, task);
    server.flush();
  });
  port.postMessage([]);
  return server;
}
