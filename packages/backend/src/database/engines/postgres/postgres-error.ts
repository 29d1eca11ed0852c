import { DatabaseError } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { Violation } from '../../port.ts';

/** PostgreSQL's codes of what a value or a row would have broken. */
const VIOLATIONS: Readonly<Record<string, Violation>> = {
  '23502': 'not-null',
  '23503': 'foreign-key',
  '23505': 'unique',
  '23514': 'check',
  '23P01': 'check',
  // Too long, out of range, no number, and characters that no text may hold.
  '22001': 'check',
  '22003': 'check',
  '22P02': 'check',
  '22021': 'check',
  '22P05': 'check',
};

/** What an error says about a write; undefined when it is about something else. */
export function violationOf(error: unknown): Violation | undefined {
  return VIOLATIONS[codeOf(error) ?? ''];
}

/** SQLSTATE; undefined for an error that is not the server's. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** The connection ended while something was under way on it, or was given up. */
export class ConnectionLost extends Error {
  /** We ended it ourselves: the server does not answer. */
  readonly gaveUp: boolean;

  constructor(cause: unknown, { gaveUp = false } = {}) {
    super('The connection to PostgreSQL ended.', { cause });
    this.name = 'ConnectionLost';
    this.gaveUp = gaveUp;
  }
}

/** Codes by which the server says that it ends the connection. */
const ENDINGS: readonly string[] = ['57P01', '57P02', '57P03', '57P05', '25P03'];

export function endsConnection(error: unknown): boolean {
  const code = codeOf(error);
  return code !== undefined && (code.startsWith('08') || ENDINGS.includes(code));
}

/** A deadlock, or a transaction that would have had to come before another one: it may be tried again at once. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01'].includes(codeOf(error) ?? '');
}

export function isTimeout(error: unknown): boolean {
  return codeOf(error) === '57014';
}

/** The error as services throw it; one that they know of themselves (see `violationOf`) stays as it is. */
export function toServiceError(error: unknown): unknown {
  if (error instanceof ConnectionLost) return unavailable(error);
  const code = codeOf(error);
  if (code === undefined) return error;
  if (isTimeout(error)) {
    return new AppError(
      'STATEMENT_TIMEOUT',
      'This takes too long to look up. Ask for less at once, or with a simpler filter.',
      { cause: error },
    );
  }
  if (code === '53100') {
    const full = 'There is no room for this on the server at the moment.';
    return new AppError('STORAGE_FULL', full, { cause: error });
  }
  const busy = isCollision(error) || code === '55P03' || code.startsWith('53') || endsConnection(error);
  return busy ? unavailable(error) : error;
}

/** What is under way, its errors being those that services know. */
export async function known<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw toServiceError(error);
  }
}

/** Nothing was written; it may be tried again. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('DATABASE_UNAVAILABLE', 'The database cannot be reached at the moment.', {
    retryAfter: 1,
    cause,
  });
}

/** The connection ended after COMMIT was sent and before it was answered. */
export function uncertain(cause: unknown): AppError {
  return new AppError(
    'DATABASE_UNAVAILABLE',
    'The database cannot be reached at the moment, and whether this was saved is not certain: please look first.',
    { retryAfter: 1, cause },
  );
}
