import type { OpenFile } from './open-file.ts';

/** Milliseconds after a write until free pages are given back: what was deleted is often replaced at once. */
const QUIET_MS = 1_000;
/** Milliseconds between two slices, in which writes go on. */
const PAUSE_MS = 20;
/** Pages of a slice, 2 MB, which takes about ten milliseconds. */
const SLICE_PAGES = 512;
/** Free pages that the file keeps for the next rows, 1 MB. */
const RESERVED_PAGES = 256;

interface FreeSpaceOptions {
  file: Pick<OpenFile, 'freePages' | 'giveBackPages' | 'shorten'>;
  /** Whether no task is running or waiting on the file. */
  isIdle(): boolean;
}

/**
 * Gives the pages of deleted rows back to the disk, a slice at a time and only while nothing else is to be written. Readers
 * do not wait for it.
 */
export class FreeSpace {
  readonly #options: FreeSpaceOptions;
  #timer: NodeJS.Timeout | undefined;
  #hasGivenBack = false;

  constructor(options: FreeSpaceOptions) {
    this.#options = options;
  }

  /** Looks for free pages soon, after a write. */
  look(): void {
    this.#timer ??= this.#after(QUIET_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => {
      this.#timer = undefined;
      const pause = this.#tryStep();
      if (pause !== undefined) this.#timer = this.#after(pause);
    }, ms).unref();
  }

  #tryStep(): number | undefined {
    try {
      return this.#step();
    } catch {
      // A full disk, for one: the next write has it tried again.
      return undefined;
    }
  }

  /** Gives a slice back, and returns the milliseconds until the next one; undefined when all is done. */
  #step(): number | undefined {
    const { file, isIdle } = this.#options;
    if (!isIdle()) return QUIET_MS;
    const free = file.freePages();
    if (free > RESERVED_PAGES) {
      const done = file.giveBackPages(Math.min(SLICE_PAGES, free - RESERVED_PAGES));
      this.#hasGivenBack ||= done;
      // Another process is writing.
      return done ? PAUSE_MS : QUIET_MS;
    }
    if (this.#hasGivenBack) file.shorten();
    this.#hasGivenBack = false;
    return undefined;
  }
}
