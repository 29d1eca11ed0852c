import type { ErrorCode } from '@fabrica/contract';

const STATUS = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  UNKNOWN_COLUMN: 400,
  FILTER_REQUIRED: 400,
  INVALID_FILTER: 400,
  INVALID_CURSOR: 400,
  SQL_REFUSED: 400,
  INVALID_PATH: 400,
  INVALID_URL: 400,
  DOCUMENT_UNREADABLE: 400,
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
  SECOND_FACTOR_REQUIRED: 401,
  SECOND_FACTOR_FAILED: 401,
  FORBIDDEN: 403,
  ADDRESS_REFUSED: 403,
  EMAIL_NOT_VERIFIED: 403,
  UNVERIFIED_SENDER: 403,
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
  STALE: 412,
  PAYLOAD_TOO_LARGE: 413,
  QUOTA_EXCEEDED: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  PRECONDITION_REQUIRED: 428,
  RATE_LIMITED: 429,
  AI_QUOTA_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  AI_FAILED: 502,
  FETCH_FAILED: 502,
  SEARCH_FAILED: 502,
  NETWORK_ERROR: 502,
  AI_NOT_CONFIGURED: 503,
  SEARCH_NOT_CONFIGURED: 503,
  BROWSER_NOT_AVAILABLE: 503,
  STATEMENT_TIMEOUT: 503,
  DATABASE_UNAVAILABLE: 503,
  REALTIME_UNAVAILABLE: 503,
  FILE_NOT_READY: 503,
  FILES_UNAVAILABLE: 503,
  AI_TIMEOUT: 504,
  FETCH_TIMEOUT: 504,
  STORAGE_FULL: 507,
} as const satisfies Record<ErrorCode, number>;

/** The one error that services throw; `presentError` makes its response. */
export class AppError extends Error {
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
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.retryAfter = options.retryAfter;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/**
 * Is thrown when this program cannot use the data with these settings: another secret has sealed its keys, or a newer version has
 * changed its tables. Trying again does not help.
 */
export class UnusableDataError extends Error {}

/** Tells whether an error, or what has caused it, is one that trying again does not help with. */
export function isForGood(error: unknown): boolean {
  if (error instanceof UnusableDataError) return true;
  return error instanceof Error && error.cause !== undefined && isForGood(error.cause);
}

/** Returns a text that a stranger wrote, cut short enough to stand in a sentence. */
export function abbreviate(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}

/** A fault of one field of a body, as `details` of VALIDATION_FAILED lists it. */
export interface FieldFault {
  /** Dotted path; empty when the body as a whole is meant. */
  field: string;
  message: string;
  /** Names the kind of the fault, where programs say it in words of their own. */
  kind?: string;
}

/** Returns the error of a call that only signed-in callers may make. */
export function notSignedIn(): AppError {
  return new AppError('UNAUTHENTICATED', 'Please sign in first.');
}

/** Returns the error for what the caller's role may not do. */
export function forbidden(): AppError {
  return new AppError('FORBIDDEN', 'You are not allowed to do this.');
}

/** Parts that the operator has not set up: the response says so itself. */
const NOT_SET_UP: readonly ErrorCode[] = [
  'AI_NOT_CONFIGURED',
  'SEARCH_NOT_CONFIGURED',
  'BROWSER_NOT_AVAILABLE',
];

/** Hosts that a user named: whether they respond is not the operator's concern. */
const HOSTS_OF_USERS: readonly ErrorCode[] = ['FETCH_FAILED', 'FETCH_TIMEOUT'];

/** Services that the operator has chosen for this one to rely on, such as a model. */
const RELIED_ON: readonly ErrorCode[] = ['AI_FAILED', 'AI_TIMEOUT', 'SEARCH_FAILED'];

/** Codes that say no more than that something failed: where, says the stack. */
const UNKNOWN: readonly string[] = ['INTERNAL_ERROR', 'NETWORK_ERROR'] satisfies ErrorCode[];

/** Tells whether a value is a code that names what failed on our side, such as DATABASE_UNAVAILABLE. */
export function isFaultCode(code: unknown): code is ErrorCode {
  if (typeof code !== 'string' || !Object.hasOwn(STATUS, code)) return false;
  return STATUS[code as ErrorCode] >= 500 && !UNKNOWN.includes(code);
}

/** Tells whether an error belongs into the log with all its details. */
export function isOurFault(error: unknown): boolean {
  if (!(error instanceof AppError)) return true;
  return error.status >= 500 && ![...NOT_SET_UP, ...HOSTS_OF_USERS, ...RELIED_ON].includes(error.code);
}

/**
 * Tells whether a service that the operator has chosen failed. Its code alone is logged: what such a service says may
 * have a user's words in it.
 */
export function isReliedOnFault(error: unknown): error is AppError {
  return error instanceof AppError && RELIED_ON.includes(error.code);
}
