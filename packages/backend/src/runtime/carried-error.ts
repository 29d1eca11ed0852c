import type { ErrorCode } from '@fabrica/contract';
import { AppError } from '../core/errors.ts';

/** An error on its way between threads or processes, where it would lose its class. */
export interface CarriedError {
  message: string;
  stack: string | undefined;
  /** Of an AppError. */
  app?: { code: ErrorCode; details: unknown; retryAfter: number | undefined };
  /** Of any other error: those of its own properties that are text, numbers or booleans, such as `code`. */
  properties?: Record<string, unknown>;
}

export function packError(error: unknown): CarriedError {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const { message, stack } = error;
  if (error instanceof AppError) {
    const { code, details, retryAfter } = error;
    return { message, stack, app: { code, details, retryAfter } };
  }
  const plain = Object.entries(error).filter(([, value]) => /^(string|number|boolean)$/.test(typeof value));
  return { message, stack, properties: Object.fromEntries(plain) };
}

export function unpackError({ message, stack, app, properties }: CarriedError): Error {
  const error = app ? unpackAppError(message, app) : Object.assign(new Error(message), properties);
  if (stack !== undefined) error.stack = stack;
  return error;
}

function unpackAppError(message: string, carried: NonNullable<CarriedError['app']>): AppError {
  const { code, details, retryAfter } = carried;
  return new AppError(code, message, { details, ...(retryAfter !== undefined && { retryAfter }) });
}
