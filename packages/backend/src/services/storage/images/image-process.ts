import { type ChildProcess, fork } from 'node:child_process';
import { AppError } from '../../../core/errors.ts';
import { type ImageAnswer, type ImageTask, type Inspection, MAX_PIXELS } from './image-tasks.ts';

/** The process ends after so long without an image, and its memory with it. */
const IDLE_MS = 5_000;
/** No task takes this long; see the limits of the tasks themselves. */
const MAX_TASK_MS = 150_000;

/** Somebody waits for it: that goes before the work that nobody waits for. May change while it waits itself. */
export interface Urgency {
  urgent: boolean;
}

export interface ImageProcess {
  /** Throws FILE_UNREADABLE when the image is broken, cut off or enormous. */
  inspect(source: string): Promise<Inspection>;
  /** Throws FILE_UNREADABLE; what is written to the task's `target` is whole when it does not. */
  make(task: Exclude<ImageTask, { kind: 'inspect' }>, urgency: Urgency): Promise<void>;
  /** What is under way and what waits is given up. */
  close(): void;
}

interface Waiting {
  task: ImageTask;
  urgency: Urgency;
  settle: PromiseWithResolvers<Inspection | null>;
}

/**
 * Images are read and made in a process of their own, one at a time: a picture can take half a gigabyte where its
 * file took little, and one that brings the decoder down brings nobody else down.
 */
export function createImageProcess(): ImageProcess {
  const waiting: Waiting[] = [];
  let worker: ChildProcess | undefined;
  let idle: NodeJS.Timeout | undefined;
  let busy = false;
  let closed = false;

  function end(): void {
    clearTimeout(idle);
    worker?.kill('SIGKILL');
    worker = undefined;
  }

  async function next(): Promise<void> {
    if (busy) return;
    const first = waiting.findIndex(({ urgency }) => urgency.urgent);
    const [chosen] = waiting.splice(Math.max(first, 0), 1);
    if (!chosen) return;
    busy = true;
    clearTimeout(idle);
    worker ??= startWorker();
    const answer = await ask(worker, chosen.task);
    if (worker?.exitCode !== null || worker.signalCode !== null) worker = undefined;
    idle = setTimeout(end, IDLE_MS).unref();
    busy = false;
    if ('fault' in answer) chosen.settle.reject(unreadable(answer.fault));
    else chosen.settle.resolve(answer.result);
    next();
  }

  function run(task: ImageTask, urgency: Urgency): Promise<Inspection | null> {
    if (closed) return Promise.reject(unreadable('the server is closing'));
    const settle = Promise.withResolvers<Inspection | null>();
    waiting.push({ task, urgency, settle });
    next();
    return settle.promise;
  }

  return {
    async inspect(source) {
      const inspection = await run({ kind: 'inspect', source }, { urgent: true });
      if (!inspection) throw new Error('An inspection found nothing.');
      return inspection;
    },
    async make(task, urgency) {
      await run(task, urgency);
    },
    close() {
      closed = true;
      for (const { settle } of waiting.splice(0)) settle.reject(unreadable('the server is closing'));
      end();
    },
  };
}

function startWorker(): ChildProcess {
  const worker = fork(new URL('./image-worker.ts', import.meta.url), {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  // Neither the process nor the channel to it keeps the server from ending.
  worker.unref();
  worker.channel?.unref();
  return worker;
}

/** A process that ends over a task, or does not come to its end, is a fault of the picture. */
function ask(worker: ChildProcess, task: ImageTask): Promise<ImageAnswer> {
  return new Promise((resolve) => {
    const settle = (answer: ImageAnswer) => {
      clearTimeout(tooLong);
      worker.off('message', settle);
      worker.off('exit', onExit);
      worker.channel?.unref();
      resolve(answer);
    };
    const onExit = () => settle({ fault: 'the decoder ended' });
    const tooLong = setTimeout(() => worker.kill('SIGKILL'), MAX_TASK_MS).unref();
    worker.channel?.ref();
    worker.on('message', settle);
    worker.on('exit', onExit);
    worker.send(task, (error) => error && settle({ fault: 'the decoder cannot be reached' }));
  });
}

function unreadable(fault: string): AppError {
  return new AppError('FILE_UNREADABLE', describeFault(fault), { cause: new Error(fault) });
}

function describeFault(fault: string): string {
  if (/pixel limit/i.test(fault)) {
    return `This image is too large: ${MAX_PIXELS / 1_000_000} megapixels at most.`;
  }
  if (/timeout/i.test(fault)) return 'This image takes too long to read. Please save it anew.';
  return 'This image cannot be read: the file is damaged or incomplete.';
}
