import { AppError } from '../../core/errors.ts';
import type { Violation } from '../port.ts';
import { MAX_BYTES, MAX_ROWS } from './statement-batch.ts';

/** Names that begin with this belong to the server. */
export const RESERVED_PREFIX = 'fabrica_';

/** The position of a statement in its batch. */
export interface StatementPosition {
  /** From 0. */
  index: number;
  /** The number of statements in the batch. */
  count: number;
}

/**
 * Returns the error for a statement that the engine refused, in the engine's own words: the caller has the secret
 * key.
 */
export function statementRefused(
  { index, count }: StatementPosition,
  { message, violation, cause }: { message: string; violation?: Violation | undefined; cause?: unknown },
): AppError {
  const which = count === 1 ? 'The statement' : `Statement ${index + 1}`;
  return new AppError(codeFor(violation), `${which} was refused: ${message}`, {
    details: { statement: index + 1 },
    cause,
  });
}

function codeFor(violation: Violation | undefined): 'CONFLICT' | 'VALIDATION_FAILED' | 'SQL_REFUSED' {
  if (!violation) return 'SQL_REFUSED';
  return violation === 'unique' ? 'CONFLICT' : 'VALIDATION_FAILED';
}

/** Returns the error for a text of more than one statement. */
export function severalStatements(cause?: unknown): AppError {
  const sentence = 'There is more than one statement in this: send them as a batch.';
  return new AppError('VALIDATION_FAILED', sentence, { cause });
}

/** Returns the error for a statement that would write in a batch that only reads. */
export function writeRefused({ index }: StatementPosition, cause?: unknown): AppError {
  return new AppError('SQL_REFUSED', 'Nothing can be written in a batch that only reads.', {
    details: { statement: index + 1, reason: READ_ONLY },
    cause,
  });
}

const READ_ONLY = 'read-only';

/** Tells whether a batch was refused because it would write in a batch that only reads. */
export function isReadOnlyError(error: unknown): boolean {
  if (!(error instanceof AppError) || error.code !== 'SQL_REFUSED') return false;
  return (error.details as { reason?: unknown } | undefined)?.reason === READ_ONLY;
}

/** Returns the error for a batch that took too long. */
export function batchTimeout(longestMs: number, cause?: unknown): AppError {
  return new AppError(
    'STATEMENT_TIMEOUT',
    `This took longer than ${longestMs / 1_000} seconds, and nothing of it was written.`,
    { cause },
  );
}

/** Returns the error for a batch that could not begin because of another write: it may be retried. */
export function othersWrite(cause?: unknown): AppError {
  const sentence = 'Something else is being written at the moment. Please try again.';
  return new AppError('STATEMENT_TIMEOUT', sentence, { retryAfter: 1, cause });
}

/** Is thrown for a statement that clients may not run; the message is the reason that `statementRefused` gives. */
export class NotAllowed extends Error {}

export function tooManyRows(): NotAllowed {
  return new NotAllowed(
    `it answers too much: ${MAX_ROWS} rows at most, and ${MAX_BYTES / 1024 ** 2} MB in all. Ask for some at a time, with LIMIT.`,
  );
}

export function tableIsProtected(name: string): NotAllowed {
  return new NotAllowed(`"${name}" is made by migrations, and what it is made of is changed by a migration.`);
}

export function nameIsReserved(name: string): NotAllowed {
  return new NotAllowed(
    `names that begin with "${RESERVED_PREFIX}" are the server's own, and so is "${name}".`,
  );
}

export function rowsAreReserved(table: string): NotAllowed {
  return new NotAllowed(`rows of "${table}" are written by the server alone.`);
}
