import type { RecordedRequest, ScriptedResponse, ScriptedServer } from './scripted-server.ts';
import { scriptedError, vesalia } from './session-script.ts';

const GRACE_MS = 10_000;

interface RotationOptions {
  /** The same clock as the tabs', epoch milliseconds. */
  now: () => number;
  accessTokenSeconds: number;
  /** Is called during each refresh, and may delay it. Returns whether the response gets lost. */
  loseResponse: () => Promise<boolean>;
}

interface RefreshToken {
  family: number;
  usedAt: number | null;
  successor: string;
  hadLostResponse: boolean;
}

/**
 * Scripts sign-in, refresh, `me` and one table by the rules of the wire contract: refresh tokens rotate, a used one
 * returns the same successor for 10 s, and later ends its family. The response for one token gets lost once at most.
 */
export class RotationScript {
  readonly #options: RotationOptions;
  readonly #refreshTokens = new Map<string, RefreshToken>();
  readonly #accessTokens = new Map<string, { family: number; endsAt: number }>();
  readonly #liveFamilies = new Set<number>();
  #count = 0;
  /** Used tokens that were sent after the 10 s. */
  reuses = 0;
  lostResponses = 0;

  constructor(backend: ScriptedServer, options: RotationOptions) {
    this.#options = options;
    const guarded = (body: unknown) => (request: RecordedRequest) =>
      this.#isValid(request.bearer) ? { body } : scriptedError(401, 'TOKEN_EXPIRED');
    backend.on('GET /api/auth/me', guarded({ user: vesalia }));
    backend.on('GET /api/db/journal/rest/v1/journal_posts', guarded([]));
    backend.on('POST /api/auth/signin/email', () => {
      const family = ++this.#count;
      this.#liveFamilies.add(family);
      return { body: { ...this.#present(family, this.#insert(family)), user: vesalia } };
    });
    backend.on('POST /api/auth/refresh', async ({ json }) => {
      const isLost = await options.loseResponse();
      const token = String(json?.refresh_token);
      const response = this.#refresh(token);
      const known = this.#refreshTokens.get(token);
      if (!isLost || !known || known.hadLostResponse) return response;
      known.hadLostResponse = true;
      this.lostResponses++;
      return 'hang up';
    });
  }

  get liveFamilies(): number {
    return this.#liveFamilies.size;
  }

  #isValid(accessToken: string | undefined): boolean {
    const known = this.#accessTokens.get(accessToken ?? '');
    return known !== undefined && this.#liveFamilies.has(known.family) && this.#options.now() < known.endsAt;
  }

  #refresh(token: string): ScriptedResponse {
    const known = this.#refreshTokens.get(token);
    if (!known || !this.#liveFamilies.has(known.family)) return scriptedError(401, 'TOKEN_EXPIRED');
    const now = this.#options.now();
    if (known.usedAt !== null && now - known.usedAt > GRACE_MS) {
      this.reuses++;
      this.#liveFamilies.delete(known.family);
      return scriptedError(401, 'TOKEN_EXPIRED');
    }
    if (known.usedAt === null) {
      known.usedAt = now;
      known.successor = this.#insert(known.family);
    }
    return { body: this.#present(known.family, known.successor) };
  }

  #insert(family: number): string {
    const token = `refresh-${++this.#count}`;
    this.#refreshTokens.set(token, { family, usedAt: null, successor: '', hadLostResponse: false });
    return token;
  }

  #present(family: number, refreshToken: string) {
    const { now, accessTokenSeconds } = this.#options;
    const accessToken = `access-${++this.#count}`;
    this.#accessTokens.set(accessToken, { family, endsAt: now() + accessTokenSeconds * 1_000 });
    return {
      access_token: accessToken,
      refresh_token: refreshToken,
      token_type: 'Bearer',
      expires_in: accessTokenSeconds,
      refresh_expires_in: 2_592_000,
    };
  }
}
