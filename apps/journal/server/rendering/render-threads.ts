import { availableParallelism } from 'node:os';
import { Semaphore, ThreadEnded, WorkerThread } from '@fabrica/backend';
import { unpackError } from '@fabrica/backend/workers';
import type { ParseMarkdown } from '../../project/markdown/parse-tree.ts';
import type { SharedPart } from '../document/brotli-parts.ts';
import type { RenderedPage } from '../page-cache/page-cache.ts';
import type { RenderSettings } from './create-renderer.ts';
import type { Preparation, RenderTask, ThreadPage, ThreadRead, ThreadResponse } from './render-worker.ts';

/** Pages that are in progress at a time when rendering moves to threads. */
const MANY_PAGES = 3;
/** Milliseconds after which it moves back, once there were no longer so many. */
const QUIET_MS = 20_000;
/** Milliseconds without a page after which a thread ends, to release its memory. */
const IDLE_MS = 20_000;
/** Pages that a thread works on at a time: some wait for their rows while one is rendered. */
const PAGES_AT_ONCE = 8;
/** Megabytes for new objects of a thread. A page leaves one or two behind, and the less is collected, the less is copied. */
const YOUNG_MEGABYTES = 24;
/** Milliseconds after which a thread that could not be started, or has ended in the midst of pages, is started again. */
const RETRY_MS = 10_000;

/** Threads at most; `auto` is one for each processor of this process. */
export type Workers = number | 'auto';

export interface RenderThreadsOptions {
  workers: Workers;
  /** The module of the pages. */
  build: string;
  styles: SharedPart;
  settings: RenderSettings;
  /** Called with the reason when a thread could not be started, or has ended in the midst of pages. */
  onFailure(error: unknown): void;
  script?: URL;
}

export interface ThreadParts {
  /** Reads from the backend what the page shows. */
  read(read: ThreadRead): Promise<ThreadResponse>;
  parse: ParseMarkdown;
  /** Called with errors for the log. */
  reportFailure(error: unknown): void;
}

/** Renders a page in a thread. Throws ThreadEnded where the thread came to its end. */
export type RenderInThread = (task: RenderTask, parts: ThreadParts) => Promise<RenderedPage>;

type Thread = WorkerThread<Preparation | RenderTask>;

/** A place for a thread. */
interface Slot {
  thread: Thread;
  limit: Semaphore;
  pages: number;
  /** The generation of the thread that is prepared; undefined while there is none. */
  ready: number | undefined;
  isStarting: boolean;
  /** The time before which it is not started again. */
  restsUntil: number;
}

/**
 * Renders pages beside the thread of the API while there are many. Threads are started one by one as pages wait, and end
 * when they have had none for a while: at rest, they take no memory. What pages read is read by the thread of the API.
 */
export class RenderThreads {
  readonly #options: RenderThreadsOptions;
  readonly #slots: readonly Slot[];
  #busyUntil = 0;
  #isClosed = false;

  constructor(options: RenderThreadsOptions) {
    this.#options = options;
    const length = options.workers === 'auto' ? availableParallelism() : options.workers;
    const script = options.script ?? new URL('render-worker.ts', import.meta.url);
    this.#slots = Array.from({ length }, () => ({
      thread: new WorkerThread({
        script,
        name: 'pages',
        idleMs: IDLE_MS,
        resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MEGABYTES },
      }),
      limit: new Semaphore({ concurrency: PAGES_AT_ONCE }),
      pages: 0,
      ready: undefined,
      isStarting: false,
      restsUntil: 0,
    }));
  }

  /** The number of threads that render pages at the moment. */
  get running(): number {
    return this.#slots.filter(isReady).length;
  }

  /**
   * Returns the thread that is to render one more page beside so many in progress; undefined when the page is to be rendered
   * by this thread.
   */
  take(pagesInProgress: number): RenderInThread | undefined {
    const now = performance.now();
    if (pagesInProgress >= MANY_PAGES) this.#busyUntil = now + QUIET_MS;
    if (this.#isClosed || now > this.#busyUntil) return undefined;
    const ready = this.#slots.filter(isReady);
    const [slot] = ready.toSorted((a, b) => a.pages - b.pages);
    if (!slot || slot.pages >= PAGES_AT_ONCE) this.#startOne(now);
    return slot && ((task, parts) => this.#render(slot, task, parts));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#slots.map(({ thread }) => thread.end()));
  }

  #startOne(now: number): void {
    if (this.#slots.some(({ isStarting }) => isStarting)) return;
    const slot = this.#slots.find((one) => !isReady(one) && one.restsUntil <= now);
    if (!slot) return;
    const { build, styles, settings } = this.#options;
    slot.isStarting = true;
    slot.thread
      .call({ kind: 'prepare', build, styles, settings })
      .then(
        () => {
          slot.ready = slot.thread.generation();
        },
        (error: unknown) => this.#fail(slot, error),
      )
      .finally(() => {
        slot.isStarting = false;
      });
  }

  async #render(slot: Slot, task: RenderTask, parts: ThreadParts): Promise<RenderedPage> {
    const { read, parse, reportFailure } = parts;
    slot.pages += 1;
    try {
      const answer = (question: unknown) =>
        typeof question === 'string' ? parse(question) : read(question as ThreadRead);
      const page = await slot.limit.run(() => {
        if (!isReady(slot)) throw new ThreadEnded('The thread has ended before it came to the page.');
        return slot.thread.call<ThreadPage>(task, { answer });
      });
      for (const failure of page.failures) reportFailure(unpackError(failure));
      return presentPage(page, this.#options.styles);
    } catch (error) {
      // All of its pages fail at once.
      if (error instanceof ThreadEnded && slot.ready !== undefined) this.#fail(slot, error);
      throw error;
    } finally {
      slot.pages -= 1;
    }
  }

  #fail(slot: Slot, error: unknown): void {
    slot.ready = undefined;
    slot.restsUntil = performance.now() + RETRY_MS;
    if (!this.#isClosed) this.#options.onFailure(error);
  }
}

function presentPage({ status, headers, body }: ThreadPage, styles: SharedPart): RenderedPage {
  return { status, headers, body: typeof body === 'string' ? body : { ...body, styles } };
}

function isReady({ ready, thread }: Slot): boolean {
  return ready === thread.generation();
}
