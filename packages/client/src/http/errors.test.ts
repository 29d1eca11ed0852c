import { AUTH_ERROR_CODES, AUTH_ERROR_MESSAGES, SERVICE_ERROR_CODES } from '@fabrica/contract';
import { describe, expect, it } from 'vitest';
import {
  AiError,
  AuthError,
  errorFromResponse,
  FabricaError,
  NetworkError,
  type ServiceName,
} from './errors.ts';

function errorOf(service: ServiceName, status: number, code?: string, error = 'As the server put it.') {
  return errorFromResponse({ service, status, body: code === undefined ? null : { error, code } });
}

describe('errorFromResponse', () => {
  it.each<[ServiceName, number, string | undefined, string, string, string]>([
    // service, status, the server's code → class, code, message
    [
      'auth',
      401,
      'INVALID_CREDENTIALS',
      'AuthError',
      'INVALID_CREDENTIALS',
      AUTH_ERROR_MESSAGES.INVALID_CREDENTIALS,
    ],
    [
      'auth',
      403,
      'EMAIL_NOT_VERIFIED',
      'AuthError',
      'EMAIL_NOT_VERIFIED',
      AUTH_ERROR_MESSAGES.EMAIL_NOT_VERIFIED,
    ],
    [
      'auth',
      409,
      'EMAIL_ALREADY_EXISTS',
      'AuthError',
      'EMAIL_ALREADY_EXISTS',
      AUTH_ERROR_MESSAGES.EMAIL_ALREADY_EXISTS,
    ],
    ['auth', 400, 'WEAK_PASSWORD', 'AuthError', 'WEAK_PASSWORD', AUTH_ERROR_MESSAGES.WEAK_PASSWORD],
    ['auth', 401, 'BRAND_NEW_CODE', 'AuthError', 'UNAUTHENTICATED', AUTH_ERROR_MESSAGES.default],
    ['auth', 400, 'VALIDATION_FAILED', 'ValidationError', 'VALIDATION_FAILED', 'As the server put it.'],
    ['auth', 429, 'RATE_LIMITED', 'NetworkError', 'RATE_LIMITED', AUTH_ERROR_MESSAGES.RATE_LIMITED],
    ['auth', 429, undefined, 'NetworkError', 'RATE_LIMITED', AUTH_ERROR_MESSAGES.RATE_LIMITED],
    ['auth', 418, 'BRAND_NEW_CODE', 'NetworkError', 'NETWORK_ERROR', AUTH_ERROR_MESSAGES.NETWORK_ERROR],
    ['auth', 500, 'INTERNAL_ERROR', 'NetworkError', 'NETWORK_ERROR', AUTH_ERROR_MESSAGES.NETWORK_ERROR],
    ['db', 401, undefined, 'AuthError', 'UNAUTHENTICATED', AUTH_ERROR_MESSAGES.default],
    ['db', 401, 'TOKEN_EXPIRED', 'AuthError', 'TOKEN_EXPIRED', AUTH_ERROR_MESSAGES.TOKEN_EXPIRED],
    ['db', 400, 'UNKNOWN_COLUMN', 'ValidationError', 'UNKNOWN_COLUMN', 'As the server put it.'],
    ['db', 400, 'BRAND_NEW_CODE', 'ValidationError', 'VALIDATION_FAILED', 'As the server put it.'],
    ['db', 403, 'FORBIDDEN', 'NetworkError', 'FORBIDDEN', 'As the server put it.'],
    ['db', 502, undefined, 'NetworkError', 'NETWORK_ERROR', AUTH_ERROR_MESSAGES.NETWORK_ERROR],
    [
      'storage',
      409,
      'FILE_EXISTS',
      'StorageError',
      'FILE_EXISTS',
      'File already exists. Set upsert: true to overwrite.',
    ],
    ['storage', 404, 'FILE_NOT_FOUND', 'StorageError', 'FILE_NOT_FOUND', 'File not found'],
    ['storage', 404, undefined, 'StorageError', 'FILE_NOT_FOUND', 'File not found'],
    ['storage', 404, 'PROJECT_NOT_FOUND', 'StorageError', 'PROJECT_NOT_FOUND', 'As the server put it.'],
    ['storage', 400, 'FILE_UNREADABLE', 'StorageError', 'FILE_UNREADABLE', 'As the server put it.'],
    ['storage', 413, 'PAYLOAD_TOO_LARGE', 'StorageError', 'PAYLOAD_TOO_LARGE', 'As the server put it.'],
    ['storage', 507, 'STORAGE_FULL', 'StorageError', 'STORAGE_FULL', 'As the server put it.'],
    ['storage', 401, undefined, 'AuthError', 'UNAUTHENTICATED', AUTH_ERROR_MESSAGES.default],
    ['storage', 503, undefined, 'NetworkError', 'NETWORK_ERROR', AUTH_ERROR_MESSAGES.NETWORK_ERROR],
    ['ai', 503, 'AI_NOT_CONFIGURED', 'AiError', 'AI_NOT_CONFIGURED', 'As the server put it.'],
    ['ai', 429, 'AI_QUOTA_EXCEEDED', 'AiError', 'AI_QUOTA_EXCEEDED', 'As the server put it.'],
    ['ai', 400, 'VALIDATION_FAILED', 'AiError', 'VALIDATION_FAILED', 'As the server put it.'],
    ['ai', 502, undefined, 'NetworkError', 'NETWORK_ERROR', AUTH_ERROR_MESSAGES.NETWORK_ERROR],
  ])(
    'a response of %s with status %i and code %s becomes %s %s',
    (service, status, code, name, expected, message) => {
      const error = errorOf(service, status, code);
      expect(error).toBeInstanceOf(FabricaError);
      expect(error).toMatchObject({ name, code: expected, status, message });
    },
  );

  it('an error has the seconds after which the server asks to try again, if it names them', () => {
    const retryAfter = (header: string | null) =>
      errorFromResponse({ service: 'db', status: 429, body: null, retryAfter: header }).retryAfter;
    expect([retryAfter('90'), retryAfter('Sun, 22 Nov 2026 00:01:03 GMT'), retryAfter(null)]).toEqual([
      90,
      undefined,
      undefined,
    ]);
  });

  it('only NETWORK_ERROR and RATE_LIMITED are retryable', () => {
    const retryable = [...AUTH_ERROR_CODES, ...SERVICE_ERROR_CODES].filter(
      (code) => new FabricaError(code, 'x').retryable,
    );
    expect(retryable).toEqual(['NETWORK_ERROR', 'RATE_LIMITED']);
  });

  it('an error has the details of the response', () => {
    const body = { error: 'Bad.', code: 'VALIDATION_FAILED', details: [{ column: 'title' }] };
    expect(errorFromResponse({ service: 'db', status: 400, body }).details).toEqual([{ column: 'title' }]);
  });

  it.each([null, 'text', 7, [], { error: 5, code: {} }])('the body %j becomes a NETWORK_ERROR', (body) => {
    expect(errorFromResponse({ service: 'db', status: 500, body })).toMatchObject({ code: 'NETWORK_ERROR' });
  });

  it('each error is an instance of its class', () => {
    expect(errorOf('db', 401)).toBeInstanceOf(AuthError);
    expect(errorOf('db', 500)).not.toBeInstanceOf(AuthError);
    expect(errorOf('ai', 504, 'AI_TIMEOUT')).toBeInstanceOf(AiError);
    expect(errorOf('auth', 500)).toBeInstanceOf(NetworkError);
  });
});
