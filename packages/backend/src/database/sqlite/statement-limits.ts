import { ServiceError } from '../../http/errors.ts';

/** Milliseconds that one statement may look at texts for. */
const LONGEST_MS = 1_000;

/**
 * Characters that functions of ours may be given by one statement: the engine lets go of none of them before its
 * end.
 */
const MOST_CHARACTERS = 128_000_000;

/**
 * Ends statements that ask too much. They run in the thread that answers everybody, and SQLite has no time-out of
 * its own: conditions that are dear to check ask here first.
 */
export interface StatementLimits {
  /** A statement starts. */
  begin(): void;
  /** Answers 1, to stand in a condition. Throws STATEMENT_TIMEOUT when the time is over. */
  withinTime(): number;
  /** The same for a function that was given so much text. */
  withinText(characters: number): void;
}

export function createStatementLimits(longestMs = LONGEST_MS): StatementLimits {
  let startedAt = 0;
  let taken = 0;
  const withinTime = () => {
    if (performance.now() - startedAt >= longestMs) throw tooMuch();
    return 1;
  };
  return {
    begin() {
      startedAt = performance.now();
      taken = 0;
    },
    withinTime,
    withinText(characters) {
      withinTime();
      taken += characters;
      if (taken > MOST_CHARACTERS) throw tooMuch();
    },
  };
}

function tooMuch(): ServiceError {
  return new ServiceError(
    'STATEMENT_TIMEOUT',
    'This takes too long to look up. Ask for less at once, or with a simpler filter.',
  );
}
