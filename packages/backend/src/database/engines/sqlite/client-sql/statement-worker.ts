import { DatabaseSync } from 'node:sqlite';
import { serveTasks } from '../../../../runtime/workers/serve-tasks.ts';
import { addFunctions } from '../connect.ts';
import { createStatementLimits, statementTimedOut } from '../reader/statement-limits.ts';
import { presentSqliteError } from '../sqlite-error.ts';
import { runStatements, type StatementTask } from './run-statements.ts';

/** Milliseconds that a batch waits for other writers. */
const BUSY_MS = 5_000;

/** Bytes of one value. */
const MAX_VALUE_BYTES = 32 * 1024 * 1024;

/** The thread that runs clients' statements, within the process for them: each batch on a connection of its own. */
const server = serveTasks<StatementTask>((id, { path, batch, ...options }) => {
  try {
    server.reply(
      id,
      onConnection({ path, batch, ...options }, (connection) => runStatements(connection, batch, options)),
    );
  } catch (error) {
    server.fail(id, error);
  }
}, presentSqliteError);

function onConnection<T>(
  { path, batch: { mode }, longestMs }: StatementTask,
  act: (connection: DatabaseSync) => T,
): T {
  const limits = createStatementLimits({ timeout: longestMs, createError: statementTimedOut });
  limits.begin();
  const connection = new DatabaseSync(path, {
    readOnly: mode === 'read',
    enableForeignKeyConstraints: true,
    timeout: BUSY_MS,
    defensive: true,
    limits: { attach: 0, length: MAX_VALUE_BYTES },
  });
  try {
    // Commits are on disk when they return.
    connection.exec('PRAGMA synchronous = FULL; PRAGMA secure_delete = FAST;');
    addFunctions(connection, limits);
    return act(connection);
  } finally {
    connection.close();
  }
}
