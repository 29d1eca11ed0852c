import { WorkerThread } from '../../../runtime/workers/worker-thread.ts';
import type { ReaderTask } from './reader/read-statement.ts';
import type { WriterTask } from './writer/writer-tasks.ts';

/** Milliseconds without a statement after which the reader's thread ends, to release its memory. */
const READER_IDLE_MS = 30_000;

/** One thread writes to all files, and one runs slow reads; each is started when it is needed. */
export interface SqliteThreads {
  writer: WorkerThread<WriterTask>;
  reader: WorkerThread<ReaderTask>;
  /** Returns a new number for a file in the writer's thread. */
  nextFileNumber(): number;
  end(): Promise<void>;
}

export function createSqliteThreads(): SqliteThreads {
  const writer = new WorkerThread<WriterTask>({
    script: new URL('writer/writer-worker.ts', import.meta.url),
    name: 'database writer',
  });
  const reader = new WorkerThread<ReaderTask>({
    script: new URL('reader/reader-worker.ts', import.meta.url),
    name: 'database reader',
    idleMs: READER_IDLE_MS,
  });
  let files = 0;
  return {
    writer,
    reader,
    nextFileNumber() {
      files += 1;
      return files;
    },
    async end() {
      await writer.end();
      await reader.end();
    },
  };
}
