import type { ResourceLimits } from 'node:worker_threads';
import type { AppError } from '../../core/errors.ts';
import { Semaphore } from '../semaphore.ts';
import { ThreadEnded, WorkerThread } from './worker-thread.ts';

/** Milliseconds between two looks at what a task has used. */
const CHECK_MS = 20;

interface WorkerPoolOptions {
  /** A module that calls `serveTasks`. */
  script: URL;
  name: string;
  /** Threads at most; each works on one task at a time. */
  threads: number;
  /** Tasks that may wait for a thread. */
  maxWaiting: number;
  /** Milliseconds of processor time for one task: waiting and a busy machine do not count. */
  processorMs: number;
  /** Milliseconds without a task after which a thread ends, to release its memory. */
  idleMs: number;
  /** Limits of a thread's heap. A thread that exceeds them is ended by the engine. */
  resourceLimits: ResourceLimits;
  /**
   * Bytes that a thread may hold outside of its heap, such as unpacked files, which the engine does not limit. They are
   * measured now and then: a task that allocates without end holds about twice as much at the next look.
   */
  maxExternalBytes: number;
  /** Makes the error of a task that may not even wait. */
  fullError(): AppError;
  /** Makes the error of a task that takes too much time or memory. */
  limitError(): AppError;
}

/**
 * Threads for tasks that may never end or take too much memory: such a task is ended together with its thread, and
 * leaves the others alone. Threads are started when there is something to do, and see nothing of the process.
 */
export class WorkerPool<Task> {
  readonly #options: WorkerPoolOptions;
  readonly #limit: Semaphore;
  readonly #threads: readonly WorkerThread<Task>[];
  /** The one that was used last stands at the end, and is used next: the others can end. */
  readonly #free: WorkerThread<Task>[];
  readonly #closing = new AbortController();

  constructor(options: WorkerPoolOptions) {
    const { threads, maxWaiting, fullError, ...thread } = options;
    this.#options = options;
    this.#limit = new Semaphore({ concurrency: threads, maxWaiting, fullError });
    this.#threads = Array.from(
      { length: threads },
      () => new WorkerThread<Task>({ ...thread, isolated: true }),
    );
    this.#free = [...this.#threads];
  }

  /** Returns the thread's reply. Throws what the task throws, `limitError`, `fullError`, or the signal's reason. */
  async run<Reply>(task: Task, callerSignal: AbortSignal): Promise<Reply> {
    const signal = AbortSignal.any([callerSignal, this.#closing.signal]);
    const release = await this.#limit.acquire({ signal });
    const thread = this.#free.pop();
    if (!thread) throw new Error('A permit of the pool goes without a thread.');
    let ended: Promise<void> | undefined;
    try {
      signal.throwIfAborted();
      return await this.#callWithinLimits(thread, task, {
        signal,
        end: () => {
          ended = thread.end();
        },
      });
    } finally {
      // The caller does not wait for the end of the thread. The next task does: only then, its memory is released.
      Promise.resolve(ended).then(() => {
        this.#free.push(thread);
        release();
      });
    }
  }

  /** Gives up all tasks, which throw the reason, and resolves when all threads have ended. */
  async close(reason: Error): Promise<void> {
    this.#closing.abort(reason);
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  async #callWithinLimits<Reply>(
    thread: WorkerThread<Task>,
    task: Task,
    { signal, end }: { signal: AbortSignal; end: () => void },
  ): Promise<Reply> {
    const { processorMs, maxExternalBytes, limitError } = this.#options;
    let isOver = false;
    let start: number | undefined;
    const check = setInterval(async () => {
      const [now, bytes] = await Promise.all([thread.processorMs(), thread.externalBytes()]);
      start ??= now;
      const used = now === undefined || start === undefined ? 0 : now - start;
      // With its thread, the call ends as well, and throws ThreadEnded.
      if ((used > processorMs || bytes > maxExternalBytes) && !isOver) end();
    }, CHECK_MS);
    signal.addEventListener('abort', end);
    try {
      return await thread.call<Reply>(task, { atOnce: true });
    } catch (error) {
      if (!(error instanceof ThreadEnded)) throw error;
      throw signal.aborted ? signal.reason : limitError();
    } finally {
      isOver = true;
      clearInterval(check);
      signal.removeEventListener('abort', end);
    }
  }
}
