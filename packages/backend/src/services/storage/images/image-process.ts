import { AppError } from '../../../core/errors.ts';
import { type Priority, Semaphore } from '../../../runtime/semaphore.ts';
import { ChildProcess, ProcessEnded } from '../../../runtime/workers/child-process.ts';
import {
  type ImageReply,
  type ImageResult,
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
/** Processes, each for one account at a time: an image that takes long holds up the others of its owner alone. */
const PROCESSES = 2;
/** Larger images take up to 1.3 GB to convert: one at a time, in a process of its own. Telephones make 12 megapixels, and some 48. */
const LARGE_PIXELS = 16_000_000;

/** The account whose image it is; `null` for the service role. */
export type Owner = string | null;

type Conversion = Omit<Extract<ImageTask, { kind: 'convert' }>, 'processorSeconds'>;
/** A task that writes an image. */
export type MakeTask = Extract<ImageTask, { kind: 'clean' | 'render' }> | Conversion;

type Decoder = ChildProcess<ImageTask, ImageReply>;

interface MakeOptions {
  owner: Owner;
  priority: Priority;
}

export interface ImageProcess {
  /** Throws FILE_UNREADABLE when the image is broken, cut off or enormous. */
  inspect(source: string, owner: Owner): Promise<Inspection>;
  /** Writes the image to the task's `target`, which is complete unless it throws. Throws FILE_UNREADABLE. */
  make(task: MakeTask, options: MakeOptions): Promise<void>;
  /** Gives up the task under way and those that wait. */
  close(): void;
}

/**
 * Decodes images in processes of their own: an image can take half a gigabyte of memory where its file took little, and one that
 * crashes the decoder crashes nothing else. Images of one owner are decoded one at a time, those of two owners beside each
 * other. Owners take turns: one who brings many holds up others by one image at most, and a third owner alone.
 */
export function createImageProcess({
  maxConversionMs = MAX_CONVERSION_MS,
  conversionSeconds = usualConversionSeconds,
} = {}): ImageProcess {
  const usual = new Decoders(PROCESSES);
  const large = new Decoders(1);

  async function convert({ source, target }: Conversion, options: MakeOptions): Promise<void> {
    const { pixels = 0 } = await usual.run({ kind: 'measure', source }, options, maxConversionMs);
    const task = { kind: 'convert', source, target, processorSeconds: conversionSeconds(pixels) } as const;
    await (pixels > LARGE_PIXELS ? large : usual).run(task, options, maxConversionMs);
  }

  return {
    async inspect(source, owner) {
      const options = { owner, priority: { urgent: true } };
      const { inspection } = await usual.run({ kind: 'inspect', source }, options);
      if (!inspection) throw new Error('An inspection found nothing.');
      return inspection;
    },
    async make(task, options) {
      if (task.kind === 'convert') await convert(task, options);
      else await usual.run(task, options);
    },
    close() {
      usual.close();
      large.close();
    },
  };
}

/** Processes that decode images of different owners beside each other. */
class Decoders {
  readonly #closing = new AbortController();
  readonly #all: readonly Decoder[];
  /** The processes without a task; the one that had the last task is the first. */
  readonly #free: Decoder[];
  readonly #limit: Semaphore;

  constructor(count: number) {
    const script = new URL('./image-worker.ts', import.meta.url);
    this.#all = Array.from({ length: count }, () => new ChildProcess({ script, idleMs: IDLE_MS }));
    this.#free = [...this.#all];
    const perKey = { concurrency: 1, maxWaiting: Number.POSITIVE_INFINITY };
    this.#limit = new Semaphore({ concurrency: count, fair: true, perKey });
  }

  /** Throws FILE_UNREADABLE. */
  run(
    task: ImageTask,
    { owner, priority }: MakeOptions,
    timeoutMs: number = MAX_TASK_MS,
  ): Promise<ImageResult> {
    const { signal } = this.#closing;
    // Images without an owner are those of one more.
    return this.#limit.run(() => this.#decode(task, timeoutMs), { key: owner ?? '', priority, signal });
  }

  close(): void {
    this.#closing.abort(unreadable('the server is closing'));
    for (const decoder of this.#all) decoder.kill();
  }

  async #decode(task: ImageTask, timeoutMs: number): Promise<ImageResult> {
    this.#closing.signal.throwIfAborted();
    const decoder = this.#free.shift();
    if (!decoder) throw new Error('More images are decoded than there are processes.');
    try {
      const reply = await decoder.call(task, { timeoutMs }).catch(replyOfEnded);
      if ('fault' in reply) throw unreadable(reply.fault);
      return reply.result;
    } finally {
      this.#free.unshift(decoder);
    }
  }
}

/**
 * Returns the seconds of the processor that a conversion may take: five times what photographs take on the machine that
 * docs/decisions/heic-by-libheif.md has the figures of.
 */
function usualConversionSeconds(pixels: number): number {
  return Math.min(60, 4 + pixels / 1_500_000);
}

/** A process that crashes over a task, or does not come to its end in time, is the image's fault; one that fails by itself is ours. */
function replyOfEnded(error: unknown): ImageReply {
  if (!(error instanceof ProcessEnded) || error.failed) throw error;
  return { fault: error.tookTooLong ? 'timeout' : 'the decoder ended' };
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
