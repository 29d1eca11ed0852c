import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { ProcessorTimeLimit } from './processor-time-worker.ts';

/**
 * Does work that may keep this thread busy for as long as a file wants. When the process has taken more than so many seconds
 * of the processor for it, it ends itself by SIGTERM. The time of other programs on a busy machine does not count.
 */
export async function withinProcessorTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const workerData: ProcessorTimeLimit = { seconds };
  const watch = new Worker(new URL('processor-time-worker.ts', import.meta.url), { workerData });
  try {
    await once(watch, 'online');
    return await work();
  } finally {
    await watch.terminate();
  }
}
