import {
  AUTH_ERROR_MESSAGES,
  type AuthErrorCode,
  type ErrorCode,
  isAuthErrorCode,
  RETRYABLE_CODES,
  SERVICE_ERROR_CODES,
} from '@fabrica/contract';

/** The services of the backend; the class of an error depends on the service. */
export type ServiceName =
  | 'auth'
  | 'db'
  | 'storage'
  | 'ai'
  | 'data'
  | 'notifications'
  | 'analytics'
  | 'realtime'
  /** A service that the project adds to the backend. */
  | 'project';

interface FabricaErrorOptions {
  /** HTTP status; null if no response came or the call was rejected before it was sent. */
  status?: number | null;
  details?: unknown;
  /** Seconds after which the server asks to try again. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/**
 * The error that every failed call throws, except when the caller's own AbortSignal is aborted: that throws its
 * reason.
 */
export class FabricaError extends Error {
  override readonly name: string = 'FabricaError';
  readonly code: ErrorCode;
  readonly status: number | null;
  readonly details: unknown;
  /** Seconds after which the server asks to try again, if it says so. */
  readonly retryAfter: number | undefined;

  constructor(
    code: ErrorCode,
    message: string,
    { status = null, details, retryAfter, cause }: FabricaErrorOptions = {},
  ) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
    this.retryAfter = retryAfter;
  }

  /** Whether the same call may be retried: NETWORK_ERROR and RATE_LIMITED only (docs/spec/product.md section 8). */
  get retryable(): boolean {
    return RETRYABLE_CODES.includes(this.code);
  }
}

/** The caller is not authenticated: wrong credentials, an expired session or none. */
export class AuthError extends FabricaError {
  override readonly name = 'AuthError';

  constructor(code: AuthErrorCode | 'UNAUTHENTICATED', options?: FabricaErrorOptions) {
    super(code, AUTH_ERROR_MESSAGES[code === 'UNAUTHENTICATED' ? 'default' : code], options);
  }
}

/** The request was not valid. */
export class ValidationError extends FabricaError {
  override readonly name = 'ValidationError';

  constructor(
    message: string,
    { code = 'VALIDATION_FAILED', ...options }: FabricaErrorOptions & { code?: ErrorCode } = {},
  ) {
    super(code, message, options);
  }
}

/** There was no response, an unreadable one, or one with a status other than 400 and 401. */
export class NetworkError extends FabricaError {
  override readonly name = 'NetworkError';

  constructor({
    code = 'NETWORK_ERROR',
    message,
    ...options
  }: FabricaErrorOptions & { code?: ErrorCode; message?: string } = {}) {
    const fixed = code === 'NETWORK_ERROR' || code === 'RATE_LIMITED' ? AUTH_ERROR_MESSAGES[code] : message;
    super(code, fixed ?? AUTH_ERROR_MESSAGES.NETWORK_ERROR, options);
  }
}

export class StorageError extends FabricaError {
  override readonly name = 'StorageError';
}

export class AiError extends FabricaError {
  override readonly name = 'AiError';
}

export class DataError extends FabricaError {
  override readonly name = 'DataError';
}

/** Storage errors with a code and a message by their status (docs/spec/product.md section 8). */
const STORAGE_ERRORS: Record<number, [ErrorCode, string]> = {
  404: ['FILE_NOT_FOUND', 'File not found'],
  409: ['FILE_EXISTS', 'File already exists. Set upsert: true to overwrite.'],
  413: ['PAYLOAD_TOO_LARGE', 'The file is too large.'],
};

const INVALID_REQUEST = 'The request was not valid.';

interface ErrorResponse {
  service: ServiceName;
  status: number;
  /** The parsed JSON body; null if there was none. */
  body: unknown;
  /** The header of this name. */
  retryAfter?: string | null;
}

/**
 * Returns the error for a response that is not a success. 401 is an AuthError, 400 a ValidationError, any other
 * status a NetworkError. Unknown codes become NETWORK_ERROR, and so do codes of auth that docs/spec/product.md
 * section 8 does not list.
 */
export function errorFromResponse({ service, status, body, retryAfter }: ErrorResponse): FabricaError {
  const { code, message, details } = parseErrorBody(body);
  const seconds = /^\d+$/.test(retryAfter ?? '') ? Number(retryAfter) : undefined;
  const options = { status, details, retryAfter: seconds };
  if (isAuthErrorCode(code) && code !== 'NETWORK_ERROR' && code !== 'RATE_LIMITED')
    return new AuthError(code, options);
  if (status === 401) return new AuthError('UNAUTHENTICATED', options);
  if (status === 429 && code !== 'AI_QUOTA_EXCEEDED')
    return new NetworkError({ ...options, code: 'RATE_LIMITED' });
  if (service === 'storage' && (status < 500 || code === 'STORAGE_FULL')) {
    return storageError(code, message, options);
  }
  if (service === 'ai' && (status === 400 || code?.startsWith('AI_'))) {
    return new AiError(code ?? 'VALIDATION_FAILED', message ?? INVALID_REQUEST, options);
  }
  if (service === 'data' && (status === 400 || (code && code !== 'INTERNAL_ERROR'))) {
    return new DataError(code ?? 'VALIDATION_FAILED', message ?? INVALID_REQUEST, options);
  }
  if (status === 400) {
    return new ValidationError(message ?? INVALID_REQUEST, code ? { ...options, code } : options);
  }
  if (service === 'auth' || !code) return new NetworkError(options);
  return new NetworkError({ ...options, code, ...(message && { message }) });
}

/** Returns the error for a code in a popup's message; an unknown code becomes NETWORK_ERROR. */
export function errorFromCode(code: unknown): FabricaError {
  if (code === 'RATE_LIMITED') return new NetworkError({ code });
  return isAuthErrorCode(code) && code !== 'NETWORK_ERROR' ? new AuthError(code) : new NetworkError();
}

function storageError(
  code: ErrorCode | undefined,
  message: string | undefined,
  options: { status: number },
): StorageError {
  const [usualCode, usualMessage] = STORAGE_ERRORS[options.status] ?? ['VALIDATION_FAILED', INVALID_REQUEST];
  const hasFixedMessage = usualCode.startsWith('FILE_') && (!code || code === usualCode);
  return new StorageError(
    code ?? usualCode,
    hasFixedMessage ? usualMessage : (message ?? usualMessage),
    options,
  );
}

function parseErrorBody(body: unknown): { code?: ErrorCode; message?: string; details?: unknown } {
  if (typeof body !== 'object' || body === null) return {};
  const { error, code, details } = body as Record<string, unknown>;
  return {
    ...(isErrorCode(code) && { code }),
    ...(typeof error === 'string' && { message: error }),
    details,
  };
}

function isErrorCode(code: unknown): code is ErrorCode {
  return isAuthErrorCode(code) || (SERVICE_ERROR_CODES as readonly unknown[]).includes(code);
}
