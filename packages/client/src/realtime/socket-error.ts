import { errorFromResponse, type FabricaError } from '../http/errors.ts';

/** The statuses that a call is answered with for the same reason; 500 for all others. */
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

/** Statuses that are worth another try. */
const PASSING = [429, 500, 503];

/** The error that a call would have thrown. */
export function errorFromSocketMessage(payload: { error: string; code: string }): FabricaError {
  return errorFromResponse({ service: 'realtime', status: STATUS[payload.code] ?? 500, body: payload });
}

/** Whether what was refused may well be granted later. */
export function isTransient({ status }: FabricaError): boolean {
  return status === null || PASSING.includes(status);
}
