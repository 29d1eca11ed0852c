import { setFlagsFromString } from 'node:v8';
import { type ResourceLimits, Worker, type WorkerOptions } from 'node:worker_threads';
import { type CarriedError, packError, unpackError } from './carried-error.ts';
import { isWatchReport, type WatchReport } from './watch-report.ts';

/** The tasks of one message, each with a number that its reply bears too. */
export type SentTasks<Task> = readonly (readonly [id: number, task: Task])[];

/** The replies of one message. */
export type SentReplies = readonly (readonly [id: number, value: unknown, error?: CarriedError])[];

/** Holds what a thread asks while it works on tasks, in one message. Questions have numbers of their own. */
export interface SentQuestions {
  questions: readonly (readonly [id: number, task: number, question: unknown])[];
}

/** The answers of one message, each with the number of its question. */
export interface SentAnswers {
  answers: SentReplies;
}

export interface WorkerThreadOptions {
  /** A module that calls `serveTasks`. */
  script: URL;
  name: string;
  /** Milliseconds without a task after which the thread ends, to release its memory; by default, it stays. */
  idleMs?: number;
  resourceLimits?: ResourceLimits;
  /** Whether the thread sees nothing of the process: neither its environment nor its output. */
  isolated?: boolean;
}

/** Megabytes for new objects. Threads at rest keep them, and most tasks are small. */
const YOUNG_MEGABYTES = 1;

type Answer = (question: unknown) => unknown;

interface Pending extends Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'> {
  answer: Answer | undefined;
}

interface CallOptions {
  /** Whether the task does not wait for others to be sent with it. */
  atOnce?: boolean;
  /** Answers what the thread asks while it works on the task, now or later. What it throws, the thread's question throws. */
  answer?: Answer;
}

/** Is thrown for tasks of a thread that ended before it replied: nobody knows how far it came with them. */
export class ThreadEnded extends Error {
  override name = 'ThreadEnded';
}

/**
 * Runs a thread that works on tasks. Tasks of one iteration of the event loop are sent together in one message, which
 * makes a call ten times cheaper. The thread is started by the first task, and again by the first one after its end;
 * it keeps no process alive while nothing waits for it.
 */
export class WorkerThread<Task> {
  readonly #options: WorkerThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  /** Whether the thread has called `serveTasks`, which sends an empty message. */
  #isLoaded = false;
  #generation = 0;
  #lastId = 0;
  #outgoing: [number, Task][] = [];
  #flushing: NodeJS.Immediate | undefined;
  #answers: SentReplies[number][] = [];
  #idle: NodeJS.Timeout | undefined;
  #terminating: Promise<unknown> | undefined;

  constructor(options: WorkerThreadOptions) {
    this.#options = options;
  }

  /** Sends a task and returns the thread's reply. Throws what the task throws, and ThreadEnded. */
  call<Reply>(task: Task, { atOnce = false, answer }: CallOptions = {}): Promise<Reply> {
    this.#lastId += 1;
    this.#outgoing.push([this.#lastId, task]);
    const call = Promise.withResolvers<Reply>();
    const { resolve, reject } = call as PromiseWithResolvers<unknown>;
    this.#pending.set(this.#lastId, { resolve, reject, answer });
    if (atOnce) this.#flush();
    else this.#flushing ??= setImmediate(() => this.#flush());
    return call.promise;
  }

  /** Returns a number that changes when the thread ends, and its state with it. */
  generation(): number {
    return this.#generation;
  }

  /** Returns the bytes outside of the thread's heap, such as those of buffers; 0 while there is no thread. */
  async externalBytes(): Promise<number> {
    // A thread that is ending has no statistics.
    const statistics = await this.#worker?.getHeapStatistics().catch(() => undefined);
    return statistics?.external_memory ?? 0;
  }

  /** Returns the milliseconds of processor time that the thread has used; `undefined` while it loads its modules. */
  async processorMs(): Promise<number | undefined> {
    const usage = this.#isLoaded ? await this.#worker?.cpuUsage().catch(() => undefined) : undefined;
    return usage && (usage.user + usage.system) / 1_000;
  }

  /** Ends the thread, and resolves when its memory is released. Tasks under way throw ThreadEnded. */
  async end(): Promise<void> {
    const worker = this.#worker;
    this.#onEnd(undefined);
    if (worker) this.#terminating = worker.terminate();
    await this.#terminating;
  }

  #start(): Worker {
    const { script, name, resourceLimits, isolated = false } = this.#options;
    const options: WorkerOptions = {
      name,
      // The flags of the process may be about its own script.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES, ...resourceLimits },
      ...(isolated && { env: {}, stdout: true, stderr: true }),
    };
    // By this flag the process limits its own memory, and V8 takes it for that of every thread, whatever its limits say.
    setFlagsFromString('--max-semi-space-size=0');
    const worker = new Worker(script, options);
    if (isolated) {
      worker.stdout.resume();
      worker.stderr.resume();
    }
    worker.on('message', (message: SentReplies | SentQuestions | WatchReport) => {
      if (isWatchReport(message)) return;
      this.#isLoaded = true;
      if ('questions' in message) {
        for (const question of message.questions) this.#answer(worker, question);
        return;
      }
      for (const reply of message) this.#settle(reply);
      if (this.#pending.size === 0) this.#rest(worker);
    });
    let cause: unknown;
    worker.once('error', (error) => {
      cause = error;
    });
    worker.once('exit', () => {
      if (this.#worker === worker) this.#onEnd(cause);
    });
    return worker;
  }

  #settle([id, value, error]: SentReplies[number]): void {
    const call = this.#pending.get(id);
    this.#pending.delete(id);
    if (error) call?.reject(unpackError(error));
    else call?.resolve(value);
  }

  async #answer(worker: Worker, [id, task, question]: SentQuestions['questions'][number]): Promise<void> {
    let answered: SentReplies[number];
    try {
      answered = [id, await this.#pending.get(task)?.answer?.(question)];
    } catch (error) {
      answered = [id, undefined, packError(error)];
    }
    if (this.#worker !== worker) return;
    if (this.#answers.length === 0) setImmediate(() => this.#sendAnswers());
    this.#answers.push(answered);
  }

  /** Sends the answers of one iteration of the event loop together. */
  #sendAnswers(): void {
    const answers = this.#answers;
    this.#answers = [];
    const post = (sent: SentAnswers) => this.#worker?.postMessage(sent);
    try {
      post({ answers });
    } catch (error) {
      for (const [id] of answers) post({ answers: [[id, undefined, packError(error)]] });
    }
  }

  /** Called when no task is under way. */
  #rest(worker: Worker): void {
    worker.unref();
    const { idleMs } = this.#options;
    if (idleMs === undefined) return;
    this.#idle = setTimeout(() => {
      // A task may have come that is not sent yet: another thread would not have what this one was prepared with.
      if (this.#pending.size > 0) return;
      this.#forget();
      this.#terminating = worker.terminate();
    }, idleMs).unref();
  }

  #forget(): void {
    clearTimeout(this.#idle);
    this.#worker = undefined;
    this.#isLoaded = false;
    this.#generation += 1;
  }

  #onEnd(cause: unknown): void {
    this.#forget();
    const calls = [...this.#pending.values()];
    this.#pending.clear();
    this.#outgoing = [];
    this.#answers = [];
    const { name } = this.#options;
    for (const { reject } of calls)
      reject(new ThreadEnded(`The thread "${name}" came to its end.`, { cause }));
  }

  #flush(): void {
    if (this.#flushing) clearImmediate(this.#flushing);
    this.#flushing = undefined;
    if (this.#outgoing.length === 0) return;
    clearTimeout(this.#idle);
    this.#worker ??= this.#start();
    const worker = this.#worker;
    worker.ref();
    const sent = this.#outgoing;
    this.#outgoing = [];
    try {
      worker.postMessage(sent);
    } catch {
      for (const one of sent) this.#sendAlone(worker, one);
      if (this.#pending.size === 0) this.#rest(worker);
    }
  }

  /** Sends one task of a message that could not be cloned, so that only the task which is to blame fails. */
  #sendAlone(worker: Worker, one: [number, Task]): void {
    try {
      worker.postMessage([one]);
    } catch (cause) {
      this.#pending.get(one[0])?.reject(cause);
      this.#pending.delete(one[0]);
    }
  }
}
