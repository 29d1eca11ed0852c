import type { DatabaseSync } from 'node:sqlite';
import type { Prepare, PreparedStatement } from '../statement-cache.ts';
import type { Thread } from '../thread/thread.ts';
import { readStatement } from './read-statement.ts';
import type { ReaderTask, ReadTask } from './reader-tasks.ts';
import type { StatementLimits } from './statement-limits.ts';

/** What one statement may take of the thread that answers everybody: milliseconds, and rows that it looks at. */
export const QUICK_MS = 4;
export const QUICK_ROWS = 2_000;

/** A statement that turned out slow is not tried here again for so many times. */
const TRIES_SPARED = 4;

/** Milliseconds that a statement may wait for others in the reader's thread. */
const LONGEST_WAIT_MS = 10_000;

/** Is thrown by the limits of this thread's connection: the statement has to be run elsewhere. */
export class NotQuick extends Error {}

/** Reads one file: in this thread what is quickly answered, everything else in the reader's. */
export interface FileReader {
  read(task: ReadTask): unknown[] | Promise<unknown[]>;
  /** Once everything that was asked for is answered. */
  close(): Promise<void>;
}

export interface FileReaderOptions {
  thread: Thread<ReaderTask>;
  path: string;
  connection: DatabaseSync;
  /** Both of the connection. */
  prepare: Prepare;
  limits: StatementLimits;
  /** Milliseconds that a statement may take in the reader's thread. */
  longestStatement: number;
}

export function createFileReader({
  thread,
  path,
  connection,
  prepare,
  limits,
  longestStatement,
}: FileReaderOptions): FileReader {
  /** How often each slow one is still to be spared a try here. */
  const slow = new WeakMap<PreparedStatement, number>();
  /** Those that took too long the last time: once may be the machine's doing, which was busy with something else. */
  const late = new WeakSet<PreparedStatement>();
  const underWay = new Set<Promise<unknown>>();
  /** Of the thread that has the file open. */
  let openIn: number | undefined;

  function readElsewhere(task: ReadTask): Promise<unknown[]> {
    openIn = thread.generation();
    const until = Date.now() + LONGEST_WAIT_MS;
    const read = thread.call<unknown[]>({ ...task, path, longestStatement, until });
    underWay.add(read);
    const forget = () => underWay.delete(read);
    read.then(forget, forget);
    return read;
  }

  return {
    read(task) {
      const prepared = prepare(task.sql);
      const spared = slow.get(prepared) ?? 0;
      if (spared > 0) {
        slow.set(prepared, spared - 1);
        return readElsewhere(task);
      }
      limits.begin();
      try {
        const rows = readStatement(prepared, task);
        if (limits.elapsed() <= QUICK_MS) late.delete(prepared);
        else if (late.has(prepared)) slow.set(prepared, TRIES_SPARED);
        else late.add(prepared);
        return rows;
      } catch (error) {
        if (!(error instanceof NotQuick)) throw error;
        slow.set(prepared, TRIES_SPARED);
        return readElsewhere(task);
      }
    },
    async close() {
      await Promise.allSettled(underWay);
      if (connection.isOpen) connection.close();
      if (openIn === thread.generation()) await thread.call({ kind: 'close', path });
      openIn = undefined;
    },
  };
}
