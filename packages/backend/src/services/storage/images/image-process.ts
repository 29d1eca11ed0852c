import { AppError } from '../../../core/errors.ts';
import { type Priority, Semaphore } from '../../../runtime/semaphore.ts';
import { ChildProcess, ProcessEnded } from '../../../runtime/workers/child-process.ts';
import {
  type ImageReply,
  type ImageTask,
  type Inspection,
  MAX_HEIC_PIXELS,
  MAX_PIXELS,
} from './image-tasks.ts';

/** Milliseconds without an image after which the process ends, to release its memory. */
const IDLE_MS = 5_000;
/** No task takes this long: the tasks have limits of their own. */
const MAX_TASK_MS = 150_000;
/** The decoder of HEIC has no limit of time of its own, and a file can be made to take it hours. */
const MAX_CONVERSION_MS = 60_000;

/** The account whose image it is; `null` for the service role. */
export type Owner = string | null;

export interface MakeOptions {
  owner: Owner;
  priority: Priority;
}

export interface ImageProcess {
  /** Throws FILE_UNREADABLE when the image is broken, cut off or enormous. */
  inspect(source: string, owner: Owner): Promise<Inspection>;
  /** Writes the image to the task's `target`, which is complete unless it throws. Throws FILE_UNREADABLE. */
  make(task: Exclude<ImageTask, { kind: 'inspect' }>, options: MakeOptions): Promise<void>;
  /** Gives up the task under way and those that wait. */
  close(): void;
}

/**
 * Decodes images in a process of their own, one at a time: an image can take half a gigabyte of memory where its file
 * took little, and one that crashes the decoder crashes nothing else. Owners of images take turns: one who brings many large
 * ones holds up others by one image, and not by all of them.
 */
export function createImageProcess({ maxConversionMs = MAX_CONVERSION_MS } = {}): ImageProcess {
  const limit = new Semaphore({ concurrency: 1, fair: true });
  const closing = new AbortController();
  const decoder = new ChildProcess<ImageTask, ImageReply>({
    script: new URL('./image-worker.ts', import.meta.url),
    idleMs: IDLE_MS,
    timeoutMs: MAX_TASK_MS,
  });

  function run(task: ImageTask, { owner, priority }: MakeOptions): Promise<Inspection | null> {
    const { signal } = closing;
    return limit.run(
      async () => {
        signal.throwIfAborted();
        const limits = task.kind === 'convert' ? { timeoutMs: maxConversionMs } : {};
        const reply = await decoder.call(task, limits).catch(replyOfEnded);
        if ('fault' in reply) throw unreadable(reply.fault);
        return reply.result;
      },
      { key: owner ?? undefined, priority, signal },
    );
  }

  return {
    async inspect(source, owner) {
      const inspection = await run({ kind: 'inspect', source }, { owner, priority: { urgent: true } });
      if (!inspection) throw new Error('An inspection found nothing.');
      return inspection;
    },
    async make(task, options) {
      await run(task, options);
    },
    close() {
      closing.abort(unreadable('the server is closing'));
      decoder.kill();
    },
  };
}

/** A process that ends over a task, or does not come to its end in time, is the image's fault. */
function replyOfEnded(error: unknown): ImageReply {
  if (error instanceof ProcessEnded) return { fault: 'the decoder ended' };
  throw error;
}

function unreadable(fault: string): AppError {
  return new AppError('FILE_UNREADABLE', describeFault(fault), { cause: new Error(fault) });
}

function describeFault(fault: string): string {
  if (/HEIC pixel limit/.test(fault)) {
    return `This HEIC image is too large: ${MAX_HEIC_PIXELS / 1_000_000} megapixels at most.`;
  }
  if (/pixel limit/i.test(fault)) {
    return `This image is too large: ${MAX_PIXELS / 1_000_000} megapixels at most.`;
  }
  if (/timeout/i.test(fault)) return 'This image takes too long to read. Please save it anew.';
  return 'This image cannot be read: the file is damaged or incomplete.';
}
