import { connectToRead } from '../connect.ts';
import { type Prepare, statementCache } from '../statement-cache.ts';
import { serveTasks } from '../thread/serve-tasks.ts';
import { readStatement } from './read-statement.ts';
import type { ReaderTask } from './reader-tasks.ts';
import { createStatementLimits, type StatementLimits, statementTimeout } from './statement-limits.ts';

interface OpenReader {
  prepare: Prepare;
  limits: StatementLimits;
  close(): void;
}

/** The reader's thread: reads what takes too long for the thread that answers everybody, one statement after the other. */
const readers = new Map<string, OpenReader>();

const server = serveTasks<ReaderTask>((id, task) => {
  try {
    server.answer(id, carryOut(task));
  } catch (error) {
    server.fail(id, error);
  }
  server.flush();
});

function carryOut(task: ReaderTask): unknown {
  const { path } = task;
  if (task.kind === 'close') {
    readers.get(path)?.close();
    readers.delete(path);
    return undefined;
  }
  if (Date.now() > task.until) throw statementTimeout();
  const { prepare, limits } = readers.get(path) ?? open(path, task.longestStatement);
  limits.begin();
  return readStatement(prepare(task.sql), task);
}

function open(path: string, longestMs: number): OpenReader {
  const limits = createStatementLimits({ longestMs, tooMuch: statementTimeout });
  const connection = connectToRead(path, limits);
  const reader = { prepare: statementCache(connection), limits, close: () => connection.close() };
  readers.set(path, reader);
  return reader;
}
