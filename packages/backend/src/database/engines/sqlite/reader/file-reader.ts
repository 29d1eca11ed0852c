import type { DatabaseSync } from 'node:sqlite';
import type { WorkerThread } from '../../../../runtime/workers/worker-thread.ts';
import type { Prepare, PreparedStatement } from '../statement-cache.ts';
import { type ReaderTask, type ReadStatement, readStatement } from './read-statement.ts';
import type { StatementLimits } from './statement-limits.ts';

/** Milliseconds that one statement may take in the main thread, and rows that it may look at there. */
export const QUICK_MS = 4;
export const QUICK_ROWS = 2_000;

/** Tells how often a slow statement is sent to the reader's thread before it is tried in the main thread again. */
const RUNS_ELSEWHERE = 4;

/** Milliseconds that a statement may wait for others in the reader's thread. */
const QUEUE_TIMEOUT_MS = 10_000;

/** Is thrown by the limits of the main thread's connection: the statement has to run in the reader's thread. */
export class NotQuick extends Error {}

/** Reads one file: quick statements run in the main thread, all others in the reader's thread. */
interface FileReader {
  read(statement: ReadStatement): unknown[] | Promise<unknown[]>;
  /** Waits for the statements that are running, and closes the file. */
  close(): Promise<void>;
}

interface FileReaderOptions {
  thread: WorkerThread<ReaderTask>;
  path: string;
  connection: DatabaseSync;
  /** The statements of the connection. */
  prepare: Prepare;
  /** The limits of the connection. */
  limits: StatementLimits;
  /** Milliseconds that a statement may take in the reader's thread. */
  statementTimeout: number;
  /** Is called with what a statement throws. */
  onError(error: unknown): void;
}

export function createFileReader({
  thread,
  path,
  connection,
  prepare,
  limits,
  statementTimeout,
  onError,
}: FileReaderOptions): FileReader {
  /** Tells how often each slow statement is still to be sent to the reader's thread. */
  const slow = new WeakMap<PreparedStatement, number>();
  /** Statements that took too long the last time: once may be chance, on a machine that is busy. */
  const late = new WeakSet<PreparedStatement>();
  const running = new Set<Promise<unknown>>();
  /** The generation of the thread that has the file open. */
  let openIn: number | undefined;

  function readInThread(statement: ReadStatement): Promise<unknown[]> {
    openIn = thread.generation();
    const deadline = Date.now() + QUEUE_TIMEOUT_MS;
    const read = thread.call<unknown[]>({ ...statement, path, statementTimeout, deadline });
    running.add(read);
    const forget = () => running.delete(read);
    read.catch(onError).then(forget);
    return read;
  }

  return {
    read(statement) {
      const prepared = prepare(statement.sql);
      const runsElsewhere = slow.get(prepared) ?? 0;
      if (runsElsewhere > 0) {
        slow.set(prepared, runsElsewhere - 1);
        return readInThread(statement);
      }
      limits.begin();
      try {
        const rows = readStatement(prepared, statement);
        if (limits.elapsed() <= QUICK_MS) late.delete(prepared);
        else if (late.has(prepared)) slow.set(prepared, RUNS_ELSEWHERE);
        else late.add(prepared);
        return rows;
      } catch (error) {
        if (!(error instanceof NotQuick)) {
          onError(error);
          throw error;
        }
        slow.set(prepared, RUNS_ELSEWHERE);
        return readInThread(statement);
      }
    },
    async close() {
      await Promise.allSettled(running);
      if (connection.isOpen) connection.close();
      if (openIn === thread.generation()) await thread.call({ kind: 'close', path });
      openIn = undefined;
    },
  };
}
