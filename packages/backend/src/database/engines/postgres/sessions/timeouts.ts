/** How long a statement may take, in milliseconds. */
export interface Patience {
  /** The server ends it then; 0: never. */
  statement: number;
  /** It waits no longer for what another transaction has locked; 0: as long as `statement`. */
  lock: number;
  /** The server that has not answered then hangs, and is given up. */
  answer: number;
}

const GRACE_MS = 2_000;

const patience = (statement: number, lock = 0): Patience => ({
  statement,
  lock,
  answer: statement + GRACE_MS,
});

/** A request's read; the same limit as on SQLite. */
export const READING = patience(1_000);
/** A statement of a request's write. */
export const WRITING = patience(10_000, 5_000);
/** A statement of a service's own. */
export const SERVING = patience(30_000);
/** Whatever changes the tables themselves, or copies them. */
export const ENDLESS: Patience = { statement: 0, lock: 0, answer: 2 ** 31 - 1 };

/** As settings of a transaction. */
export function setPatience({ statement, lock }: Patience): string {
  return `SET LOCAL statement_timeout = ${statement}; SET LOCAL lock_timeout = ${lock}`;
}

/** A transaction whose connection is idle for so long belongs to a process that is no more. */
export const IDLE_TRANSACTION_MS = 60_000;
