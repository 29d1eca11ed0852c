import type { ErrorBody, ErrorCode } from '@fabrica/contract';

const STATUS = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNKNOWN_COLUMN: 400,
  FILTER_REQUIRED: 400,
  INVALID_FILTER: 400,
  INVALID_CURSOR: 400,
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

/** The contract's error form; anything that is not a ServiceError says nothing of itself. */
export function presentError(error: unknown): Response {
  const known =
    error instanceof ServiceError
      ? error
      : new ServiceError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
  const body: ErrorBody = { error: known.message, code: known.code };
  if (known.details !== undefined) body.details = known.details;
  const headers = new Headers({
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
  });
  if (known.retryAfter !== undefined) headers.set('retry-after', String(Math.ceil(known.retryAfter)));
  return new Response(JSON.stringify(body), { status: known.status, headers });
}
