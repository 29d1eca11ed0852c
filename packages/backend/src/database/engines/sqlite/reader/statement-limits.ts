import { AppError } from '../../../../core/errors.ts';

/** Milliseconds that a statement may take in a thread that runs nothing but statements. */
export const STATEMENT_TIMEOUT_MS = 1_000;

/** Characters that one statement may pass to our functions: SQLite releases none of them before the statement ends. */
const MAX_CHARACTERS = 128_000_000;

/** Rows between two looks at the clock. */
const ROWS_PER_CHECK = 64;

/**
 * Ends statements that take too long or look at too many rows. SQLite has no timeout of its own: it calls these
 * functions for each row that it looks at (`Syntax.boundRows`), and before each condition that is expensive to check.
 */
export interface StatementLimits {
  /** Must be called before a statement is run. */
  begin(): void;
  /** Returns the milliseconds since `begin`. */
  elapsed(): number;
  /** Returns 1, for use in a condition. Throws when there were too many rows, or after the timeout. */
  withinRows(): number;
  /** Returns 1, for use in a condition. Throws after the timeout. */
  withinTime(): number;
  /** Throws when the statement has passed too many characters to our functions, or after the timeout. */
  withinText(characters: number): void;
}

interface StatementLimitsOptions {
  /** Milliseconds. */
  timeout: number;
  /** The most rows that a statement may look at. */
  maxRows?: number;
  /** Creates the error to throw when a limit is exceeded. */
  createError: () => Error;
}

export function createStatementLimits({
  timeout,
  maxRows = Number.POSITIVE_INFINITY,
  createError,
}: StatementLimitsOptions): StatementLimits {
  let startedAt = 0;
  let rows = 0;
  let characters = 0;
  const elapsed = () => performance.now() - startedAt;
  const withinTime = () => {
    if (elapsed() >= timeout) throw createError();
    return 1;
  };
  return {
    begin() {
      startedAt = performance.now();
      rows = 0;
      characters = 0;
    },
    elapsed,
    withinRows() {
      rows += 1;
      if (rows > maxRows) throw createError();
      return rows % ROWS_PER_CHECK === 0 ? withinTime() : 1;
    },
    withinTime,
    withinText(given) {
      withinTime();
      characters += given;
      if (characters > MAX_CHARACTERS) throw createError();
    },
  };
}

export function statementTimedOut(): AppError {
  return new AppError(
    'STATEMENT_TIMEOUT',
    'This takes too long to look up. Ask for less at once, or with a simpler filter.',
  );
}
