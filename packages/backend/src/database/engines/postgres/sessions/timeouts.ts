/** The timeouts of a statement, in milliseconds. */
export interface StatementTimeouts {
  /** The server ends the statement after this time; 0 for never. */
  statement: number;
  /** The server ends a statement that waits this long for the lock of another transaction; 0 for no limit of its own. */
  lock: number;
  /** A server that has not responded after this time is given up. */
  response: number;
}

const GRACE_MS = 2_000;

const timeouts = (statement: number, lock = 0): StatementTimeouts => ({
  statement,
  lock,
  response: statement + GRACE_MS,
});

/** For the reads of requests; the same limit as on SQLite. */
export const READ_TIMEOUTS = timeouts(1_000);
/** For the writes of requests. */
export const WRITE_TIMEOUTS = timeouts(10_000, 5_000);
/** Returns the timeouts of writes that may take this many milliseconds. */
export const writeTimeouts = (statement: number) =>
  timeouts(statement, Math.min(WRITE_TIMEOUTS.lock, statement));
/** For creates of several requests in one transaction: one that waits for a lock holds the others up, and is run by itself. */
export const GROUP_TIMEOUTS: StatementTimeouts = { ...WRITE_TIMEOUTS, statement: 1_000, lock: 50 };
/** For statements of services. */
export const SERVICE_TIMEOUTS = timeouts(30_000);
/**
 * For statements that change the tables themselves. All who want a table wait behind the one that waits to change it: it gives
 * up long before their reads do.
 */
export const MIGRATION_TIMEOUTS: StatementTimeouts = { statement: 0, lock: 300, response: 2 ** 31 - 1 };
/** For statements that copy tables. */
export const NO_TIMEOUTS: StatementTimeouts = { statement: 0, lock: 0, response: 2 ** 31 - 1 };

/** Returns the SQL that sets the timeouts of a transaction. */
export function setTimeouts({ statement, lock }: StatementTimeouts): string {
  return `SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}`;
}

/** Milliseconds without a statement after which the server ends a transaction: its process no longer exists. */
export const IDLE_TRANSACTION_MS = 60_000;
