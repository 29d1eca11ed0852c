import type { ErrorBody, ErrorCode } from '@fabrica/contract';
import { type PlainAnswer, toResponse } from './plain-exchange.ts';

const STATUS = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNKNOWN_COLUMN: 400,
  FILTER_REQUIRED: 400,
  INVALID_FILTER: 400,
  INVALID_CURSOR: 400,
  SQL_REFUSED: 400,
  INVALID_PATH: 400,
  FILE_UNREADABLE: 400,
  WEAK_PASSWORD: 400,
  INVALID_EMAIL: 400,
  MAGIC_LINK_EXPIRED: 400,
  VERIFICATION_FAILED: 400,
  POPUP_CANCELED: 400,
  AUTH_TIMEOUT: 400,
  REDIRECT_FAILED: 400,
  UNAUTHENTICATED: 401,
  INVALID_CREDENTIALS: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  EMAIL_NOT_VERIFIED: 403,
  NOT_FOUND: 404,
  PROJECT_NOT_FOUND: 404,
  UNKNOWN_TABLE: 404,
  USER_NOT_FOUND: 404,
  FILE_NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  NOT_ACCEPTABLE: 406,
  CONFLICT: 409,
  EMAIL_ALREADY_EXISTS: 409,
  FILE_EXISTS: 409,
  PAYLOAD_TOO_LARGE: 413,
  QUOTA_EXCEEDED: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  RATE_LIMITED: 429,
  AI_QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  AI_FAILED: 502,
  NETWORK_ERROR: 502,
  AI_NOT_CONFIGURED: 503,
  STATEMENT_TIMEOUT: 503,
  DATABASE_UNAVAILABLE: 503,
  FILE_NOT_READY: 503,
  AI_TIMEOUT: 504,
  STORAGE_FULL: 507,
} as const satisfies Record<ErrorCode, number>;

/** The one error that services throw; `presentError` makes its answer. */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly details: unknown;
  /** Seconds, sent as `Retry-After`. */
  readonly retryAfter: number | undefined;

  /** `message` is a sentence for a person: no SQL, no stack, no path of the machine. */
  constructor(
    code: ErrorCode,
    message: string,
    options: { details?: unknown; retryAfter?: number; cause?: unknown } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/** Clients of PostgREST, and older ones of the contract, show what is under `message`; others pass it over. */
const DATABASE_PATH = /^\/api\/db\//;

/**
 * The contract's error form; anything that is not a ServiceError says nothing of itself. Of the
 * database, the sentence is there as `message` too.
 */
export function presentError(error: unknown, request?: { req: { path: string } }): Response {
  return toResponse(presentPlainError(error, request?.req.path ?? ''));
}

/** The same as data, of a request to this path. */
export function presentPlainError(error: unknown, path: string): PlainAnswer {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
  const content: ErrorBody = { error: known.message, code: known.code };
  if (DATABASE_PATH.test(path)) content.message = known.message;
  if (known.details !== undefined) content.details = known.details;
  const body = JSON.stringify(content);
  const headers: Record<string, string> = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'content-length': String(Buffer.byteLength(body)),
  };
  if (known.retryAfter !== undefined) headers['retry-after'] = String(Math.ceil(known.retryAfter));
  return { status: known.status, headers, body };
}

/** A part that the operator left out is no failure: it says so itself to whoever asks for it. */
export function isOurFault(error: unknown): boolean {
  return !(error instanceof ServiceError) || (error.status >= 500 && error.code !== 'AI_NOT_CONFIGURED');
}
