import { once } from 'node:events';
import { isMainThread, Worker, workerData } from 'node:worker_threads';

const CHECK_MS = 100;

/**
 * Does work that may keep this thread busy for as long as a file wants. When the process has taken more than so many seconds
 * of the processor for it, it ends itself by SIGTERM. The time of other programs on a busy machine does not count.
 */
export async function withinProcessorTime<T>(seconds: number, work: () => Promise<T>): Promise<T> {
  const watch = new Worker(new URL(import.meta.url), { workerData: { processorSeconds: seconds } });
  try {
    await once(watch, 'online');
    return await work();
  } finally {
    await watch.terminate();
  }
}

/** In a thread of its own, which goes on while the main one is busy. */
function watchProcessorTime(seconds: number): void {
  const before = process.cpuUsage();
  setInterval(() => {
    const { user, system } = process.cpuUsage(before);
    if (user + system > seconds * 1e6) process.kill(process.pid, 'SIGTERM');
  }, CHECK_MS);
}

if (!isMainThread && workerData?.processorSeconds !== undefined) {
  watchProcessorTime(workerData.processorSeconds);
}
