import type { User } from '@fabrica/contract';
import { NetworkError } from '../http/errors.ts';
import type { SendHttpRequest } from '../http/http.ts';
import type { StoredTokens } from './auth-state.ts';
import { parseUser } from './session/tokens.ts';

/** Whose tokens these are, before they are kept. Throws what the call throws, an AuthError when they are nobody's. */
export async function fetchUser(send: SendHttpRequest, { access_token }: StoredTokens): Promise<User> {
  const request = { service: 'auth', method: 'GET', path: '/api/auth/me' } as const;
  const { body, status } = await send(request, access_token);
  const user = parseUser((body as { user?: unknown } | null)?.user);
  if (!user) throw new NetworkError({ status });
  return user;
}
