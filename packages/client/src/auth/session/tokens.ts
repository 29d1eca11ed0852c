import { ACCESS_TOKEN_SECONDS, EXPIRY_MARGIN_MS, REFRESH_TOKEN_SECONDS, type User } from '@fabrica/contract';
import { NetworkError } from '../../http/errors.ts';
import type { HttpResponse, SendHttpRequest } from '../../http/http.ts';
import type { StoredTokens } from '../auth-state.ts';

/**
 * Parses a token set; returns null if it is not valid. Without a time of issue it counts as issued at `now` (epoch
 * milliseconds). Missing lifetimes get the defaults of docs/spec/product.md section 9; an empty refresh token has
 * none.
 */
export function parseTokens(value: unknown, now: number): StoredTokens | null {
  if (typeof value !== 'object' || value === null) return null;
  const { access_token, refresh_token, expires_in, refresh_expires_in, issued_at } = value as Record<
    string,
    unknown
  >;
  if (!isFilled(access_token) || typeof refresh_token !== 'string') return null;
  return {
    access_token,
    refresh_token,
    token_type: 'Bearer',
    expires_in: parseSeconds(expires_in) ?? ACCESS_TOKEN_SECONDS,
    refresh_expires_in: refresh_token ? (parseSeconds(refresh_expires_in) ?? REFRESH_TOKEN_SECONDS) : 0,
    issued_at: parseSeconds(issued_at) ?? Math.floor(now / 1000),
  };
}

/** Returns true from 30 s before the end of the access token (docs/spec/product.md section 4). */
export function isAccessExpired({ issued_at, expires_in }: StoredTokens, now: number): boolean {
  return now >= (issued_at + expires_in) * 1000 - EXPIRY_MARGIN_MS;
}

export function isRefreshExpired({ issued_at, refresh_expires_in }: StoredTokens, now: number): boolean {
  return now >= (issued_at + refresh_expires_in) * 1000;
}

/** Parses a user; returns null if it is not valid. */
export function parseUser(value: unknown): User | null {
  if (typeof value !== 'object' || value === null) return null;
  const { id, email } = value as Record<string, unknown>;
  return isFilled(id) && typeof email === 'string' ? (value as User) : null;
}

/** Returns the user in a response. Throws a NetworkError if there is none. */
export function parseUserResponse({ body, status }: HttpResponse): User {
  const user = parseUser((body as { user?: unknown } | null)?.user);
  if (!user) throw new NetworkError({ status });
  return user;
}

/** Returns the user whose tokens these are. Throws what the call throws: an AuthError if they belong to nobody. */
export async function fetchUser(send: SendHttpRequest, { access_token }: StoredTokens): Promise<User> {
  return parseUserResponse(
    await send({ service: 'auth', method: 'GET', path: '/api/auth/me' }, access_token),
  );
}

function isFilled(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function parseSeconds(value: unknown): number | undefined {
  const seconds = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof seconds === 'number' && Number.isFinite(seconds) && seconds > 0 ? seconds : undefined;
}
