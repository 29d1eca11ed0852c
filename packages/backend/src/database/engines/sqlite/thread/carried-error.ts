import type { ErrorCode } from '@fabrica/contract';
import { AppError } from '../../../../core/errors.ts';
import { presentSqliteError, sqliteErrorCode } from '../sqlite-error.ts';

/** An error as it goes from one thread to another: its class would be lost on the way. */
export interface CarriedError {
  message: string;
  stack: string | undefined;
  service?: { code: ErrorCode; details: unknown; retryAfter: number | undefined };
  /** SQLite's. */
  errcode?: number | undefined;
}

export function packError(thrown: unknown): CarriedError {
  const error = presentSqliteError(thrown);
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const { message, stack } = error;
  if (!(error instanceof AppError)) return { message, stack, errcode: sqliteErrorCode(error) };
  const { code, details, retryAfter } = error;
  return { message, stack, service: { code, details, retryAfter } };
}

export function unpackError({ message, stack, service, errcode }: CarriedError): Error {
  const error = service ? serviceError(message, service) : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return errcode === undefined ? error : Object.assign(error, { code: 'ERR_SQLITE_ERROR', errcode });
}

function serviceError(
  message: string,
  { code, details, retryAfter }: NonNullable<CarriedError['service']>,
): AppError {
  return new AppError(code, message, { details, ...(retryAfter !== undefined && { retryAfter }) });
}
