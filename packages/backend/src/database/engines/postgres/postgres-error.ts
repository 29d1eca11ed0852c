import { DatabaseError } from 'pg';
import { AppError } from '../../../core/errors.ts';
import type { Violation } from '../../port.ts';

/** The constraints that PostgreSQL's error codes stand for. */
const VIOLATIONS: Readonly<Record<string, Violation>> = {
  '23502': 'not-null',
  '23503': 'foreign-key',
  '23505': 'unique',
  '23514': 'check',
  '23P01': 'check',
  // Values that are too long, out of range or not numbers, and characters that no text may contain.
  '22001': 'check',
  '22003': 'check',
  '22P02': 'check',
  '22021': 'check',
  '22P05': 'check',
};

/** Returns the constraint that a write has broken; undefined for any other error. */
export function postgresViolation(error: unknown): Violation | undefined {
  return VIOLATIONS[sqlState(error) ?? ''];
}

/** Returns the SQLSTATE of an error; undefined when the error does not come from the server. */
export function sqlState(error: unknown): string | undefined {
  return error instanceof DatabaseError ? error.code : undefined;
}

/** Is thrown when the connection ended, or was given up, while a statement was running. */
export class ConnectionLost extends Error {
  /** Whether we closed the connection ourselves because the server did not respond. */
  readonly timedOut: boolean;

  constructor(cause: unknown, { timedOut = false } = {}) {
    super('The connection to PostgreSQL ended.', { cause });
    this.name = 'ConnectionLost';
    this.timedOut = timedOut;
  }
}

/** A write on a server that has become a standby: a new connection may lead to the present primary. */
const READ_ONLY = '25006';

/** Codes with which the server ends the connection. */
const CONNECTION_ENDED: readonly string[] = ['57P01', '57P02', '57P03', '57P05', '25P03'];

export function endsConnection(error: unknown): boolean {
  const code = sqlState(error);
  return code !== undefined && (code.startsWith('08') || CONNECTION_ENDED.includes(code));
}

/** Tells whether the error is a deadlock or a serialization failure, so that the transaction may be retried at once. */
export function isCollision(error: unknown): boolean {
  return ['40001', '40P01'].includes(sqlState(error) ?? '');
}

/**
 * Tells whether an error of the message that commits is COMMIT's own, so that nothing was committed. After any other one, the
 * transaction may be committed: the message has a second statement, which may fail by itself.
 */
export function refusesCommit(error: unknown): boolean {
  return isCollision(error) || postgresViolation(error) !== undefined;
}

export function isTimeout(error: unknown): boolean {
  return sqlState(error) === '57014';
}

/** Returns the AppError for a timeout, a full disk or an unavailable server, and any other error as it is. */
export function presentPostgresError(error: unknown): unknown {
  if (error instanceof ConnectionLost) return unavailable(error);
  const code = sqlState(error);
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
  const busy =
    isCollision(error) ||
    code === READ_ONLY ||
    code === '55P03' ||
    code.startsWith('53') ||
    endsConnection(error);
  return busy ? unavailable(error) : error;
}

/** Tells whether a server does not respond, or cannot at the moment. */
export function isUnavailable(error: unknown): boolean {
  const presented = presentPostgresError(error);
  return presented instanceof AppError && presented.code === 'DATABASE_UNAVAILABLE';
}

/** Awaits a promise, and throws its error as `presentPostgresError` returns it. */
export async function presentingErrors<T>(running: Promise<T>): Promise<T> {
  try {
    return await running;
  } catch (error) {
    throw presentPostgresError(error);
  }
}

/** Returns the error for an unavailable server: nothing was written, and the caller may retry. */
export function unavailable(cause?: unknown): AppError {
  return new AppError('DATABASE_UNAVAILABLE', 'The database cannot be reached at the moment.', {
    retryAfter: 1,
    cause,
  });
}

/** Returns the error for a message with COMMIT that failed, or had no response, although the server may have committed. */
export function commitUncertain(cause: unknown): AppError {
  return new AppError(
    'DATABASE_UNAVAILABLE',
    'The database cannot be reached at the moment, and whether this was saved is not certain: please look first.',
    { retryAfter: 1, cause },
  );
}
