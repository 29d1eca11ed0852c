import { releaseMemory, returnFreeBlocks } from './release-memory.ts';

/** Milliseconds between two looks at what the process does. */
const LOOK_MS = 2_000;
/** The share of one processor above which the process is at work. */
const WORK_SHARE = 0.1;
/** Looks without work after which memory is given back: soon, and again once threads and connections have ended. */
const LOOKS_UNTIL_RELEASE = 2;
const LOOKS_UNTIL_LAST_RELEASE = 16;
/** Bytes by which the process has to have grown since the last time: collecting garbage takes a while. */
const GROWTH_BYTES = 8 * 1024 * 1024;
/** The share of time that returning free blocks may take from a process at work. */
const RETURN_SHARE = 0.005;

/** The processor time and the memory of a process, as the system counts them. */
export interface Usage {
  /** Milliseconds of processor time so far. */
  processorMs: number;
  residentBytes: number;
}

export interface IdleMemoryOptions {
  /** Is called before memory is given back, to drop what can be read again. */
  onRelease(): void;
  /** Is called with the error when memory cannot be given back, which is not tried again. */
  onFailure(error: unknown): void;
  usage?: () => Usage;
  release?: () => void;
  returnBlocks?: () => void;
}

/**
 * Gives memory back when the process rests after work, which means that it takes less than a tenth of one processor: requests may
 * come meanwhile, and wait for as long as this takes. By themselves, neither V8 nor the C library give back what they take under
 * load: they keep it for the next. While the process works and grows, free blocks of the C library alone are returned, which takes
 * a few milliseconds. It keeps no process alive.
 */
export class IdleMemory {
  readonly #onRelease: () => void;
  readonly #onFailure: (error: unknown) => void;
  readonly #usage: () => Usage;
  readonly #release: () => void;
  readonly #returnBlocks: () => void;
  #timer: NodeJS.Timeout | undefined;
  #lookedAt = 0;
  #processorMs = 0;
  /** Looks without work since the last one with some. */
  #quietLooks = 0;
  #hasReleased = false;
  /** Resident bytes after the last release. */
  #released = 0;
  /** Resident bytes after free blocks were returned the last time. */
  #returned = 0;
  /** The time before which blocks are not returned again. */
  #returnsAt = 0;

  constructor(options: IdleMemoryOptions) {
    const { usage = usageOfProcess, release = releaseMemory, returnBlocks = returnFreeBlocks } = options;
    this.#onRelease = options.onRelease;
    this.#onFailure = options.onFailure;
    this.#usage = usage;
    this.#release = release;
    this.#returnBlocks = returnBlocks;
  }

  start(): void {
    this.#remember(this.#usage());
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const before = { at: this.#lookedAt, processorMs: this.#processorMs };
    const usage = this.#usage();
    this.#remember(usage);
    const share = (usage.processorMs - before.processorMs) / (this.#lookedAt - before.at);
    if (share > WORK_SHARE) {
      this.#quietLooks = 0;
      this.#hasReleased = false;
      this.#returnSome(usage.residentBytes);
      return;
    }
    this.#quietLooks += 1;
    const hasGrown = usage.residentBytes > this.#released + GROWTH_BYTES;
    const isLast = this.#quietLooks === LOOKS_UNTIL_LAST_RELEASE;
    if (this.#quietLooks === LOOKS_UNTIL_RELEASE ? hasGrown : isLast && this.#hasReleased) this.#giveBack();
  }

  #returnSome(residentBytes: number): void {
    const started = performance.now();
    if (started < this.#returnsAt || residentBytes < this.#returned + GROWTH_BYTES) return;
    if (!this.#succeeds(this.#returnBlocks)) return;
    const ended = performance.now();
    this.#returnsAt = ended + (ended - started) / RETURN_SHARE;
    this.#returned = this.#usage().residentBytes;
  }

  #giveBack(): void {
    const hasGivenBack = this.#succeeds(() => {
      this.#onRelease();
      this.#release();
    });
    if (!hasGivenBack) return;
    this.#hasReleased = true;
    const usage = this.#usage();
    this.#released = usage.residentBytes;
    this.#returned = usage.residentBytes;
    // What this took is no work.
    this.#remember(usage);
  }

  /** Ends all of this when it fails. */
  #succeeds(act: () => void): boolean {
    try {
      act();
      return true;
    } catch (error) {
      this.close();
      this.#onFailure(error);
      return false;
    }
  }

  #remember({ processorMs }: Usage): void {
    this.#lookedAt = performance.now();
    this.#processorMs = processorMs;
  }
}

function usageOfProcess(): Usage {
  const { user, system } = process.cpuUsage();
  return { processorMs: (user + system) / 1_000, residentBytes: process.memoryUsage.rss() };
}
