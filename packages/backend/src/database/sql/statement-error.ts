import { AppError } from '../../core/errors.ts';
import type { Violation } from '../port.ts';
import { MOST_BYTES, MOST_CHANGED_BYTES, MOST_CHANGES, MOST_ROWS } from './statement-batch.ts';

/** Which statement of a batch it is about. */
export interface StatementPlace {
  /** From 0. */
  at: number;
  /** How many there are. */
  of: number;
}

/** Who sent the statement holds the secret key: the engine's own words help, and tell nothing that is not theirs to know. */
export function statementRefused(
  { at, of }: StatementPlace,
  { message, violation, cause }: { message: string; violation?: Violation | undefined; cause?: unknown },
): AppError {
  const which = of === 1 ? 'The statement' : `Statement ${at + 1}`;
  const code = codeOf(violation);
  return new AppError(code, `${which} was refused: ${message}`, {
    details: { statement: at + 1 },
    cause,
  });
}

function codeOf(violation: Violation | undefined): 'CONFLICT' | 'VALIDATION_FAILED' | 'SQL_REFUSED' {
  if (!violation) return 'SQL_REFUSED';
  return violation === 'unique' ? 'CONFLICT' : 'VALIDATION_FAILED';
}

/** The same, of a statement that would write where nothing can be written. */
export function writeRefused({ at }: StatementPlace, cause?: unknown): AppError {
  return new AppError('SQL_REFUSED', 'Nothing can be written in a batch that only reads.', {
    details: { statement: at + 1, reason: READ_ONLY },
    cause,
  });
}

const READ_ONLY = 'read-only';

/** Whether a batch was refused for nothing but its mode. */
export function isWriteRefusal(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'SQL_REFUSED') return false;
  return (error.details as { reason?: unknown } | undefined)?.reason === READ_ONLY;
}

export function batchTimeout(longestMs: number, cause?: unknown): AppError {
  return new AppError(
    'STATEMENT_TIMEOUT',
    `This took longer than ${longestMs / 1_000} seconds, and nothing of it was written.`,
    { cause },
  );
}

/** Nothing was begun; it may be tried again. */
export function othersWrite(cause?: unknown): AppError {
  const sentence = 'Something else is being written at the moment. Please try again.';
  return new AppError('STATEMENT_TIMEOUT', sentence, { retryAfter: 1, cause });
}

/** A statement asks for what no engine's statement may: its message is the reason, for `statementRefused`. */
export class NotAllowed extends Error {}

export function tooManyRows(): NotAllowed {
  return new NotAllowed(
    `it answers too much: ${MOST_ROWS} rows at most, and ${MOST_BYTES / 1024 ** 2} MB in all. Ask for some at a time, with LIMIT.`,
  );
}

export function tooManyChanges(): NotAllowed {
  return new NotAllowed(
    `it changes too much: ${MOST_CHANGES} rows of the project's tables at once at most, and ${MOST_CHANGED_BYTES / 1024 ** 2} MB of them. Change some at a time.`,
  );
}

export function tableIsProtected(name: string): NotAllowed {
  return new NotAllowed(`"${name}" is made by migrations, and what it is made of is changed by a migration.`);
}
