/** The thread that watches the processor time of its process (see `processor-time.ts`): it goes on while the main one is busy. */
import { workerData } from 'node:worker_threads';

/** The limit that the thread is started with. */
export interface ProcessorTimeLimit {
  seconds: number;
}

const CHECK_MS = 100;

const { seconds } = workerData as ProcessorTimeLimit;
const before = process.cpuUsage();

setInterval(() => {
  const { user, system } = process.cpuUsage(before);
  if (user + system > seconds * 1e6) process.kill(process.pid, 'SIGTERM');
}, CHECK_MS);
