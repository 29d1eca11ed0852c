import { writeSync } from 'node:fs';

/** Characters that wait at most while nobody takes them. */
const MAX_WAITING = 4_000_000;
/** Milliseconds until a full pipe is tried again. A pipe of Linux holds 64 KB, which its reader may have taken by then. */
const RETRY_MS = 5;
/** Milliseconds for which the end of the process waits for a full pipe in all. */
const LONGEST_END_MS = 1_000;

interface LogDestination {
  write(line: string): void;
  /** Writes what waits, at once. */
  flush(): void;
}

/**
 * Creates what a logger writes to. The lines of one iteration of the event loop are written together at its end, so that
 * a line costs a busy server no system call of its own, and an idle one shows it at once. What waits is written when the
 * process ends, also by an exception. A log that cannot be written to costs its lines, and never a request.
 */
export function createLogDestination(fd: number, write: typeof writeSync = writeSync): LogDestination {
  let lines = '';
  /** Bytes of earlier lines, of which a pipe has not taken all. Later lines are not added: megabytes would be copied at each try. */
  let rest: Buffer = Buffer.alloc(0);
  let dropped = 0;
  let isScheduled = false;

  /** Returns false when the reader of a pipe is behind. */
  function writeOut(): boolean {
    try {
      while (rest.length > 0 || lines !== '') {
        if (rest.length === 0) {
          rest = Buffer.from(lines);
          lines = '';
        }
        rest = rest.subarray(write(fd, rest));
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') return false;
      rest = Buffer.alloc(0);
      lines = '';
    }
    if (dropped > 0) {
      lines = `{"level":40,"msg":"${dropped} lines were dropped, as nobody read the log"}\n`;
      dropped = 0;
    }
    return true;
  }

  function flush(): void {
    isScheduled = false;
    if (writeOut() && lines === '') return;
    isScheduled = true;
    setTimeout(flush, RETRY_MS).unref();
  }

  process.on('exit', () => {
    const started = performance.now();
    while ((!writeOut() || lines !== '') && performance.now() - started < LONGEST_END_MS) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, RETRY_MS);
    }
  });

  return {
    write(line) {
      if (lines.length + rest.length > MAX_WAITING) {
        dropped += 1;
        return;
      }
      lines += line;
      if (isScheduled) return;
      isScheduled = true;
      setImmediate(flush);
    },
    flush,
  };
}
