import { AppError } from '../../../../core/errors.ts';

/** Milliseconds that a statement may take where it holds up nobody but its like. */
export const LONGEST_MS = 1_000;

/**
 * Characters that functions of ours may be given by one statement: the engine lets go of none of them before its
 * end.
 */
const MOST_CHARACTERS = 128_000_000;

/** The time is asked for once in so many rows. */
const ROWS_PER_LOOK = 64;

/**
 * Ends statements that ask too much. SQLite has no time-out of its own: it asks here for each row that it looks at
 * (`Syntax.boundRows`), and before each condition that is dear to check.
 */
export interface StatementLimits {
  /** A statement starts. */
  begin(): void;
  /** Milliseconds since it did. */
  elapsed(): number;
  /** Answers 1, to stand in a condition. Throws when there were too many rows, or the time is over. */
  withinRows(): number;
  /** The same for the time alone. */
  withinTime(): number;
  /** The same for a function that was given so much text. */
  withinText(characters: number): void;
}

export interface LimitsOptions {
  longestMs: number;
  /** Rows that a statement may look at. */
  mostRows?: number;
  /** What is thrown. */
  tooMuch: () => Error;
}

export function createStatementLimits({
  longestMs,
  mostRows = Number.POSITIVE_INFINITY,
  tooMuch,
}: LimitsOptions): StatementLimits {
  let startedAt = 0;
  let rows = 0;
  let characters = 0;
  const elapsed = () => performance.now() - startedAt;
  const withinTime = () => {
    if (elapsed() >= longestMs) throw tooMuch();
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
      if (rows > mostRows) throw tooMuch();
      return rows % ROWS_PER_LOOK === 0 ? withinTime() : 1;
    },
    withinTime,
    withinText(given) {
      withinTime();
      characters += given;
      if (characters > MOST_CHARACTERS) throw tooMuch();
    },
  };
}

export function statementTimeout(): AppError {
  return new AppError(
    'STATEMENT_TIMEOUT',
    'This takes too long to look up. Ask for less at once, or with a simpler filter.',
  );
}
