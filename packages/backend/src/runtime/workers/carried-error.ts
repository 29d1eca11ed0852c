import type { ErrorCode } from '@fabrica/contract';
import { AppError } from '../../core/errors.ts';

/** An error on its way between threads or processes, where it would lose its class. */
export interface CarriedError {
  message: string;
  stack: string | undefined;
  /** The fields of an AppError. */
  app?: { code: ErrorCode; details: unknown; retryAfter: number | undefined };
  /** The own properties of any other error that are text, numbers or booleans, such as `code`. */
  properties?: Record<string, unknown>;
  /** The error that caused it, for the log. */
  cause?: CarriedError;
}

export function packError(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const { message, stack } = error;
  const cause = error.cause === undefined ? {} : { cause: packError(error.cause) };
  if (error instanceof AppError) {
    const { code, details, retryAfter } = error;
    return { message, stack, app: { code, details, retryAfter }, ...cause };
  }
  const plain = Object.entries(error).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  return { message, stack, properties: Object.fromEntries(plain), ...cause };
}

export function unpackError({ message, stack, app, properties, cause }: CarriedError): Error {
  const error = app ? unpackAppError(message, app) : Object.assign(new Error(message), properties);
  if (cause) error.cause = unpackError(cause);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function unpackAppError(message: string, carried: NonNullable<CarriedError['app']>): AppError {
  const { code, details, retryAfter } = carried;
  return new AppError(code, message, { details, ...(retryAfter !== undefined && { retryAfter }) });
}
