import { serveTasks } from '../../../../runtime/workers/serve-tasks.ts';
import { connectToRead } from '../connect.ts';
import { presentSqliteError } from '../sqlite-error.ts';
import { type Prepare, statementCache } from '../statement-cache.ts';
import { type ReaderTask, readStatement } from './read-statement.ts';
import { createStatementLimits, type StatementLimits, statementTimedOut } from './statement-limits.ts';

interface OpenReader {
  prepare: Prepare;
  limits: StatementLimits;
  close(): void;
}

/** The reader's thread runs the statements that are too slow for the main thread, one after the other. */
const readers = new Map<string, OpenReader>();

const server = serveTasks<ReaderTask>((id, task) => {
  try {
    server.reply(id, run(task));
  } catch (error) {
    server.fail(id, error);
  }
  server.flush();
}, presentSqliteError);

function run(task: ReaderTask): unknown {
  const { path } = task;
  if (task.kind === 'close') {
    readers.get(path)?.close();
    readers.delete(path);
    return undefined;
  }
  if (Date.now() > task.deadline) throw statementTimedOut();
  const { prepare, limits } = readers.get(path) ?? open(path, task.statementTimeout);
  limits.begin();
  return readStatement(prepare(task.sql), task);
}

function open(path: string, timeout: number): OpenReader {
  const limits = createStatementLimits({ timeout, createError: statementTimedOut });
  const connection = connectToRead(path, limits);
  const reader = { prepare: statementCache(connection), limits, close: () => connection.close() };
  readers.set(path, reader);
  return reader;
}
