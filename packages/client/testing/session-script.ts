import type { TokenSet, User } from '@fabrica/contract';
import type { StoredTokens } from '../src/auth/auth-state.ts';
import type { RecordedRequest, ScriptedResponse, ScriptedServer } from './scripted-server.ts';

/** The epoch milliseconds at which the clocks of tests start. */
export const START = 1_795_000_000_000;

/** The storage key of the tokens. */
export const KEY = 'fabrica_tokens_journal';

export const vesalia: User = {
  id: 'user_1',
  email: 'vesalia@example.org',
  displayName: 'Vesalia',
  photoURL: null,
  emailVerified: true,
  role: 'author',
  createdAt: '2026-01-01T00:00:00.000Z',
  lastSignInAt: null,
};

export function buildTokens(number: number): TokenSet {
  return {
    access_token: `access-${number}`,
    refresh_token: `refresh-${number}`,
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 2_592_000,
  };
}

export function buildStored(
  number: number,
  changes: Partial<StoredTokens> & { user?: User | null } = {},
): string {
  return JSON.stringify({ ...buildTokens(number), issued_at: START / 1000, user: vesalia, ...changes });
}

export function scriptedError(status: number, code: string, error = 'Refused.'): ScriptedResponse {
  return { status, body: { error, code } };
}

/** Scripts `me`, refresh and one table. Only the tokens of the number in `valid` work; a refresh increments it. */
export function scriptSession(backend: ScriptedServer, valid: { number: number }): void {
  const guarded = (response: ScriptedResponse) => (request: RecordedRequest) =>
    request.bearer === `access-${valid.number}` ? response : scriptedError(401, 'TOKEN_EXPIRED');
  backend.on('GET /api/auth/me', guarded({ body: { user: vesalia } }));
  backend.on('GET /api/db/journal/rest/v1/journal_posts', guarded({ body: [] }));
  backend.on('POST /api/auth/refresh', ({ json }) => {
    if (json?.refresh_token !== `refresh-${valid.number}`) return scriptedError(401, 'TOKEN_EXPIRED');
    valid.number++;
    return { body: buildTokens(valid.number) };
  });
}
