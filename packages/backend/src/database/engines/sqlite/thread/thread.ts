import { Worker } from 'node:worker_threads';
import { type CarriedError, unpackError } from './carried-error.ts';

/** What is sent to a thread at once: tasks with the numbers that their answers will bear. */
export type Sent<Task> = readonly (readonly [id: number, task: Task])[];

/** What comes back at once. */
export type Answered = readonly (readonly [id: number, answer: unknown, error?: CarriedError])[];

/** A thread that works off tasks. It is started by the first, and keeps no process alive by which nothing waits. */
export interface Thread<Task> {
  /** What the thread answers; throws what it throws, and when it comes to its end before. */
  call<Answer>(task: Task, options?: { atOnce?: boolean }): Promise<Answer>;
  /** Another number for every thread that takes the place of one which ended: that one's state is gone. */
  generation(): number;
  /** What is under way is given up. */
  end(): Promise<void>;
}

export interface ThreadOptions {
  script: URL;
  name: string;
  /** The thread ends after so long without a task, and gives its memory back. */
  idleMs?: number;
}

/** Of the room for new objects, in megabytes: what a thread holds at rest counts, and tasks are small. */
const YOUNG_MEGABYTES = 1;

type Pending = Pick<PromiseWithResolvers<unknown>, 'resolve' | 'reject'>;

export function createThread<Task>({ script, name, idleMs }: ThreadOptions): Thread<Task> {
  const pending = new Map<number, Pending>();
  let worker: Worker | undefined;
  let generation = 0;
  let lastId = 0;
  let outgoing: [number, Task][] = [];
  let flushing: NodeJS.Immediate | undefined;
  let idle: NodeJS.Timeout | undefined;

  function start(): Worker {
    const started = new Worker(script, {
      name,
      // Those of the process may be about its own script.
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
    });
    started.on('message', (answers: Answered) => {
      for (const answer of answers) settle(answer);
      if (pending.size === 0) rest(started);
    });
    let cause: unknown;
    started.once('error', (error) => {
      cause = error;
    });
    started.once('exit', () => {
      if (worker === started) lose(cause);
    });
    return started;
  }

  function settle([id, answer, error]: Answered[number]): void {
    const call = pending.get(id);
    pending.delete(id);
    if (error) call?.reject(unpackError(error));
    else call?.resolve(answer);
  }

  /** Nothing waits for the thread. */
  function rest(resting: Worker): void {
    resting.unref();
    if (idleMs === undefined) return;
    idle = setTimeout(() => {
      forget();
      resting.terminate();
    }, idleMs).unref();
  }

  function forget(): void {
    clearTimeout(idle);
    worker = undefined;
    generation += 1;
  }

  /** Whether what was sent is done or not is not known. */
  function lose(cause: unknown): void {
    forget();
    const calls = [...pending.values()];
    pending.clear();
    outgoing = [];
    for (const { reject } of calls) reject(new Error(`The thread "${name}" came to its end.`, { cause }));
  }

  function flush(): void {
    if (flushing) clearImmediate(flushing);
    flushing = undefined;
    if (outgoing.length === 0) return;
    clearTimeout(idle);
    worker ??= start();
    worker.ref();
    const sent = outgoing;
    outgoing = [];
    try {
      worker.postMessage(sent);
    } catch {
      for (const one of sent) sendAlone(worker, one);
      if (pending.size === 0) rest(worker);
    }
  }

  /** What cannot be sent is no reason to keep the others waiting. */
  function sendAlone(to: Worker, one: [number, Task]): void {
    try {
      to.postMessage([one]);
    } catch (cause) {
      pending.get(one[0])?.reject(cause);
      pending.delete(one[0]);
    }
  }

  return {
    call<Answer>(task: Task, { atOnce = false } = {}) {
      lastId += 1;
      outgoing.push([lastId, task]);
      const call = Promise.withResolvers<Answer>();
      pending.set(lastId, call as Pending);
      if (atOnce) flush();
      // Together with what other requests of this turn of the event loop send.
      else flushing ??= setImmediate(flush);
      return call.promise;
    },
    generation: () => generation,
    async end() {
      const ending = worker;
      lose(undefined);
      await ending?.terminate();
    },
  };
}
