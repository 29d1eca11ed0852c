import { Worker } from 'node:worker_threads';
import { AppError } from '../../../core/errors.ts';

export interface ThreadLimits {
  /** Milliseconds for one document. */
  longestMs: number;
  /** A thread ends after so many milliseconds without one, and its memory with it. */
  idleMs: number;
}

const LIMITS: ThreadLimits = { longestMs: 15_000, idleMs: 30_000 };
/** At once; further documents wait … */
const THREADS = 2;
/** … as long as they are not more than this, since each holds its bytes. */
const MAX_WAITING = 20;
/** Seconds after which one beyond these may try again. */
const RETRY_AFTER = 5;
/** Of the engine's own memory; where it cannot keep within, it ends the thread. */
const MAX_HEAP_MB = 256;
const YOUNG_HEAP_MB = 48;
/**
 * Of what lies beside it, such as unpacked bytes, which the engine does not limit and which is looked at every so many
 * milliseconds. Whoever unpacks without end has twice as much at the next look.
 */
const MAX_EXTERNAL_BYTES = 128 * 1024 * 1024;
const LOOK_EVERY_MS = 20;

/** What a thread answers: a result, or why there is none and whether that may be told. */
export type Outcome = { result: unknown } | { fault: string; sentence: string | undefined };

export interface DocumentThreads<Task> {
  /** Throws DOCUMENT_UNREADABLE, RATE_LIMITED when too many wait, the signal's reason. */
  carryOut(task: Task, signal: AbortSignal): Promise<unknown>;
  /** What is under way and what waits is given up. */
  close(): Promise<void>;
}

interface Idle {
  worker: Worker;
  timer: NodeJS.Timeout;
}

/** Threads of a script that answers each task with an `Outcome`; they are started when there is something to do. */
export function createDocumentThreads<Task>(
  script: URL,
  limits: Partial<ThreadLimits> = {},
): DocumentThreads<Task> {
  const { longestMs, idleMs } = { ...LIMITS, ...limits };
  const idle: Idle[] = [];
  const waiting: PromiseWithResolvers<void>[] = [];
  const closing = new AbortController();
  const ending = new Set<Promise<unknown>>();
  let busy = 0;

  /** Resolves when there is room for one more. */
  async function enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (busy < THREADS) {
      busy += 1;
      return;
    }
    if (waiting.length >= MAX_WAITING) {
      throw new AppError('RATE_LIMITED', 'Too many documents are being read. Please try again soon.', {
        retryAfter: RETRY_AFTER,
      });
    }
    const turn = Promise.withResolvers<void>();
    const leave = () => {
      const index = waiting.indexOf(turn);
      if (index !== -1) waiting.splice(index, 1);
      turn.reject(signal.reason);
    };
    waiting.push(turn);
    signal.addEventListener('abort', leave);
    try {
      await turn.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Whoever waits longest takes the place. */
  function exit(): void {
    const next = waiting.shift();
    if (next) next.resolve();
    else busy -= 1;
  }

  async function end(worker: Worker): Promise<void> {
    const ended = worker.terminate();
    ending.add(ended);
    await ended;
    ending.delete(ended);
  }

  function rest(worker: Worker): void {
    const timer = setTimeout(() => {
      idle.splice(
        idle.findIndex((one) => one.worker === worker),
        1,
      );
      end(worker);
    }, idleMs).unref();
    idle.push({ worker, timer });
  }

  function wake(): Worker {
    const kept = idle.pop();
    clearTimeout(kept?.timer);
    return kept?.worker ?? startWorker(script);
  }

  return {
    async carryOut(task, callerSignal) {
      const signal = AbortSignal.any([callerSignal, closing.signal]);
      await enter(signal);
      let worker: Worker | undefined;
      let outcome: Outcome | undefined;
      try {
        signal.throwIfAborted();
        worker = wake();
        outcome = await ask(worker, task, { signal, longestMs });
      } finally {
        if (worker && (!outcome || closing.signal.aborted)) {
          // The caller need not wait for that; whoever comes next has to, since its memory is gone only then.
          end(worker).then(exit);
        } else {
          if (worker) rest(worker);
          exit();
        }
      }
      if ('result' in outcome) return outcome.result;
      throw unreadable(
        outcome.sentence ?? 'This document cannot be read: it seems to be broken.',
        outcome.fault,
      );
    },
    async close() {
      closing.abort(new Error('Documents are no longer read.'));
      for (const { worker, timer } of idle.splice(0)) {
        clearTimeout(timer);
        end(worker);
      }
      // Those that were under way hear of it first.
      await new Promise((resolve) => setImmediate(resolve));
      await Promise.all(ending);
    },
  };
}

function startWorker(script: URL): Worker {
  const worker = new Worker(script, {
    name: 'documents',
    // Nothing of the process is for what reads strangers' documents: not its settings, not its output.
    env: {},
    execArgv: [],
    stdout: true,
    stderr: true,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB, maxYoungGenerationSizeMb: YOUNG_HEAP_MB },
  });
  worker.unref();
  worker.stdout.resume();
  worker.stderr.resume();
  // Whoever waits for its answer hears of its end.
  worker.on('error', () => undefined);
  return worker;
}

/** Throws DOCUMENT_UNREADABLE when the thread does not come to an end within its limits, the signal's reason. */
function ask(
  worker: Worker,
  task: unknown,
  { signal, longestMs }: { signal: AbortSignal; longestMs: number },
): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    const settle = (act: () => void) => {
      clearTimeout(tooLong);
      clearInterval(looking);
      signal.removeEventListener('abort', leave);
      worker.off('message', answer);
      worker.off('exit', giveUp);
      act();
    };
    const leave = () => settle(() => reject(signal.reason));
    const answer = (outcome: Outcome) => settle(() => resolve(outcome));
    const giveUp = () =>
      settle(() => reject(unreadable('This document takes too much time or memory to read.')));
    const tooLong = setTimeout(giveUp, longestMs);
    const looking = setInterval(async () => {
      // There are none of a thread that came to its end, of which others tell.
      const statistics = await worker.getHeapStatistics().catch(() => undefined);
      if (statistics && statistics.external_memory > MAX_EXTERNAL_BYTES) giveUp();
    }, LOOK_EVERY_MS);
    signal.addEventListener('abort', leave);
    worker.on('message', answer);
    worker.on('exit', giveUp);
    worker.postMessage(task);
  });
}

function unreadable(sentence: string, fault?: string): AppError {
  return new AppError('DOCUMENT_UNREADABLE', sentence, { cause: fault && new Error(fault) });
}
