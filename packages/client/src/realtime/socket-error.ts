import { errorFromResponse, type FabricaError } from '../http/errors.ts';

/** The HTTP status of each code; all others have 500. */
const STATUS: Readonly<Record<string, number>> = {
  VALIDATION_FAILED: 400,
  INVALID_JSON: 400,
  QUOTA_EXCEEDED: 400,
  UNAUTHENTICATED: 401,
  TOKEN_EXPIRED: 401,
  FORBIDDEN: 403,
  PAYLOAD_TOO_LARGE: 413,
  RATE_LIMITED: 429,
  REALTIME_UNAVAILABLE: 503,
};

const TRANSIENT_STATUSES = [429, 500, 503];

/** Returns the error that an HTTP call would throw with this code. */
export function errorFromSocketMessage(payload: { error: string; code: string }): FabricaError {
  return errorFromResponse({ service: 'realtime', status: STATUS[payload.code] ?? 500, body: payload });
}

/** Returns whether a retry may succeed. */
export function isTransient({ status }: FabricaError): boolean {
  return status === null || TRANSIENT_STATUSES.includes(status);
}
