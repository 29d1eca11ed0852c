import {
  AUTH_ERROR_MESSAGES,
  type AuthErrorCode,
  type ErrorCode,
  isAuthErrorCode,
  RETRYABLE_CODES,
  SERVICE_ERROR_CODES,
} from '@fabrica/contract';

/** The services whose refusals are told apart. */
export type ServiceName =
  | 'auth'
  | 'db'
  | 'storage'
  | 'ai'
  | 'data'
  | 'notifications'
  | 'analytics'
  | 'realtime';

export interface ErrorDetails {
  /** HTTP status; null when no answer came or the call was refused before it was sent. */
  status?: number | null;
  details?: unknown;
  cause?: unknown;
}

/** Whatever goes wrong in a call of this client, save the reason of a caller's own AbortSignal. */
export class FabricaError extends Error {
  override readonly name: string = 'FabricaError';
  readonly code: ErrorCode;
  readonly status: number | null;
  readonly details: unknown;

  constructor(code: ErrorCode, message: string, { status = null, details, cause }: ErrorDetails = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.status = status;
    this.details = details;
  }

  /** Worth another try as it is: NETWORK_ERROR and RATE_LIMITED only (docs/spec/product.md section 8). */
  get retryable(): boolean {
    return RETRYABLE_CODES.includes(this.code);
  }
}

/** Who is calling is the trouble: wrong credentials, a session at its end, no session at all. */
export class AuthError extends FabricaError {
  override readonly name = 'AuthError';

  constructor(code: AuthErrorCode | 'UNAUTHENTICATED', facts?: ErrorDetails) {
    super(code, AUTH_ERROR_MESSAGES[code === 'UNAUTHENTICATED' ? 'default' : code], facts);
  }
}

/** What was sent is the trouble. */
export class ValidationError extends FabricaError {
  override readonly name = 'ValidationError';

  constructor(
    message: string,
    { code = 'VALIDATION_FAILED', ...facts }: ErrorDetails & { code?: ErrorCode } = {},
  ) {
    super(code, message, facts);
  }
}

/** No answer, one that makes no sense, or a status that is neither 400 nor 401. */
export class NetworkError extends FabricaError {
  override readonly name = 'NetworkError';

  constructor({
    code = 'NETWORK_ERROR',
    message,
    ...facts
  }: ErrorDetails & { code?: ErrorCode; message?: string } = {}) {
    const worded = code === 'NETWORK_ERROR' || code === 'RATE_LIMITED' ? AUTH_ERROR_MESSAGES[code] : message;
    super(code, worded ?? AUTH_ERROR_MESSAGES.NETWORK_ERROR, facts);
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

/** Storage's refusals that have words of their own (docs/spec/product.md section 8); for others the server's are used. */
const STORAGE_REFUSALS: Record<number, [ErrorCode, string]> = {
  404: ['FILE_NOT_FOUND', 'File not found'],
  409: ['FILE_EXISTS', 'File already exists. Set upsert: true to overwrite.'],
  413: ['PAYLOAD_TOO_LARGE', 'The file is too large.'],
};

const INVALID_REQUEST = 'The request was not valid.';

export interface ErrorResponse {
  service: ServiceName;
  status: number;
  /** The parsed JSON body, or null when there was none. */
  body: unknown;
}

/**
 * The error of an answer that is not a success. 401 is an auth error, 400 a validation error, any
 * other status a network error; codes that the contract does not know become NETWORK_ERROR, and so
 * do codes from auth that docs/spec/product.md section 8 does not list.
 */
export function errorFromResponse({ service, status, body }: ErrorResponse): FabricaError {
  const { code, message, details } = parseErrorBody(body);
  const facts = { status, details };
  if (isAuthErrorCode(code) && code !== 'NETWORK_ERROR' && code !== 'RATE_LIMITED')
    return new AuthError(code, facts);
  if (status === 401) return new AuthError('UNAUTHENTICATED', facts);
  if (status === 429 && code !== 'AI_QUOTA_EXCEEDED')
    return new NetworkError({ ...facts, code: 'RATE_LIMITED' });
  if (service === 'storage' && (status < 500 || code === 'STORAGE_FULL')) {
    return storageError(code, message, facts);
  }
  if (service === 'ai' && (status === 400 || code?.startsWith('AI_'))) {
    return new AiError(code ?? 'VALIDATION_FAILED', message ?? INVALID_REQUEST, facts);
  }
  if (service === 'data' && (status === 400 || (code && code !== 'INTERNAL_ERROR'))) {
    return new DataError(code ?? 'VALIDATION_FAILED', message ?? INVALID_REQUEST, facts);
  }
  if (status === 400) {
    return new ValidationError(message ?? INVALID_REQUEST, code ? { ...facts, code } : facts);
  }
  if (service === 'auth' || !code) return new NetworkError(facts);
  return new NetworkError({ ...facts, code, ...(message && { message }) });
}

/** The error of a code that came by a popup's message and not by a call; unknown ones are NETWORK_ERROR. */
export function errorFromCode(code: unknown): FabricaError {
  if (code === 'RATE_LIMITED') return new NetworkError({ code });
  return isAuthErrorCode(code) && code !== 'NETWORK_ERROR' ? new AuthError(code) : new NetworkError();
}

function storageError(
  code: ErrorCode | undefined,
  message: string | undefined,
  facts: { status: number },
): StorageError {
  const [usualCode, usualMessage] = STORAGE_REFUSALS[facts.status] ?? ['VALIDATION_FAILED', INVALID_REQUEST];
  const isFixed = usualCode.startsWith('FILE_') && (!code || code === usualCode);
  return new StorageError(code ?? usualCode, isFixed ? usualMessage : (message ?? usualMessage), facts);
}

function parseErrorBody(body: unknown): { code?: ErrorCode; message?: string; details?: unknown } {
  if (typeof body !== 'object' || body === null) return {};
  const { error, code, details } = body as Record<string, unknown>;
  return {
    ...(isKnownCode(code) && { code }),
    ...(typeof error === 'string' && { message: error }),
    details,
  };
}

function isKnownCode(code: unknown): code is ErrorCode {
  return isAuthErrorCode(code) || (SERVICE_ERROR_CODES as readonly unknown[]).includes(code);
}
