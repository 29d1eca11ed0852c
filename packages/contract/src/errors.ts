/** The error codes of auth (docs/spec/product.md section 8), and those of the second step of a sign-in. */
export const AUTH_ERROR_CODES = [
  'INVALID_CREDENTIALS',
  'EMAIL_NOT_VERIFIED',
  'POPUP_CANCELED',
  'NETWORK_ERROR',
  'RATE_LIMITED',
  'AUTH_TIMEOUT',
  'REDIRECT_FAILED',
  'TOKEN_EXPIRED',
  'USER_NOT_FOUND',
  'EMAIL_ALREADY_EXISTS',
  'WEAK_PASSWORD',
  'INVALID_EMAIL',
  'MAGIC_LINK_EXPIRED',
  'VERIFICATION_FAILED',
  'SECOND_FACTOR_REQUIRED',
  'SECOND_FACTOR_FAILED',
] as const;

export type AuthErrorCode = (typeof AUTH_ERROR_CODES)[number];

/** The error codes of all other services. */
export const SERVICE_ERROR_CODES = [
  'VALIDATION_FAILED',
  'INVALID_JSON',
  'UNAUTHENTICATED',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
  'STALE',
  'PRECONDITION_REQUIRED',
  'NOT_ACCEPTABLE',
  'PAYLOAD_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'INTERNAL_ERROR',
  'PROJECT_NOT_FOUND',
  'UNKNOWN_TABLE',
  'UNKNOWN_COLUMN',
  'FILTER_REQUIRED',
  'INVALID_FILTER',
  'INVALID_CURSOR',
  'SQL_REFUSED',
  'STATEMENT_TIMEOUT',
  'DATABASE_UNAVAILABLE',
  'FILE_EXISTS',
  'FILE_NOT_FOUND',
  'FILE_NOT_READY',
  'FILES_UNAVAILABLE',
  'FILE_UNREADABLE',
  'INVALID_PATH',
  'QUOTA_EXCEEDED',
  'STORAGE_FULL',
  'INVALID_URL',
  'ADDRESS_REFUSED',
  'FETCH_FAILED',
  'FETCH_TIMEOUT',
  'SEARCH_NOT_CONFIGURED',
  'SEARCH_FAILED',
  'BROWSER_NOT_AVAILABLE',
  'DOCUMENT_UNREADABLE',
  'AI_NOT_CONFIGURED',
  'AI_FAILED',
  'AI_TIMEOUT',
  'AI_QUOTA_EXCEEDED',
  'UNVERIFIED_SENDER',
  'REALTIME_UNAVAILABLE',
] as const;

export type ErrorCode = AuthErrorCode | (typeof SERVICE_ERROR_CODES)[number];

/** The body of every response that is not a success. */
export interface ErrorBody {
  /** A sentence that can be shown to the user. */
  error: string;
  code: ErrorCode;
  details?: unknown;
  /** The same sentence, set by the database service: clients of PostgREST expect it here. */
  message?: string;
}

/** The sentences that users see, word for word from docs/spec/product.md section 8 where it has one. */
export const AUTH_ERROR_MESSAGES: Record<AuthErrorCode | 'default', string> = {
  INVALID_CREDENTIALS: 'Invalid email or password. Please try again.',
  EMAIL_NOT_VERIFIED: 'Please verify your email address before signing in.',
  POPUP_CANCELED: 'Sign-in was canceled. Please try again.',
  NETWORK_ERROR: 'Network error. Please check your connection and try again.',
  RATE_LIMITED: 'Too many attempts. Please wait a moment and try again.',
  AUTH_TIMEOUT: 'Authentication timed out. Please try again.',
  REDIRECT_FAILED: 'We could not take you to the sign-in page. Please try again.',
  TOKEN_EXPIRED: 'Session expired. Please sign in again.',
  USER_NOT_FOUND: 'We could not find this account.',
  EMAIL_ALREADY_EXISTS: 'An account with this email already exists.',
  WEAK_PASSWORD: 'Please choose a password of 10 to 200 characters that is not a common one.',
  INVALID_EMAIL: 'Please enter a valid email address.',
  MAGIC_LINK_EXPIRED: 'Magic link has expired. Please request a new one.',
  VERIFICATION_FAILED: 'We could not verify this email address. Please request a new link.',
  SECOND_FACTOR_REQUIRED: 'This account asks for a second step. Please sign in on the site’s own page.',
  SECOND_FACTOR_FAILED: 'This code or passkey is not valid. Please try again.',
  default: 'Authentication error. Please try again.',
};

/** The codes after which the same call may be retried (docs/spec/product.md section 8). */
export const RETRYABLE_CODES: readonly ErrorCode[] = ['NETWORK_ERROR', 'RATE_LIMITED'];

export function isAuthErrorCode(code: unknown): code is AuthErrorCode {
  return (AUTH_ERROR_CODES as readonly unknown[]).includes(code);
}
