import type { RecordedRequest, ScriptedAnswer, ScriptedServer } from './scripted-server.ts';
import { refuse, vesalia } from './session-script.ts';

const GRACE_MS = 10_000;

export interface RotationOptions {
  /** The same clock as the tabs', epoch milliseconds. */
  now: () => number;
  accessTokenSeconds: number;
  /** Called while a refresh is on its way; what it answers is whether the answer gets lost. */
  travel: () => Promise<boolean>;
}

interface RefreshToken {
  family: number;
  spentAt: number | null;
  successor: string;
  wasLost: boolean;
}

/**
 * Scripts sign-in, refresh, `me` and one table by the rules of the wire contract: refresh tokens rotate, a spent one
 * is answered with the same successor for 10 s, and later ends its family. No token's answer gets lost twice.
 */
export class RotationScript {
  readonly #options: RotationOptions;
  readonly #refreshTokens = new Map<string, RefreshToken>();
  readonly #accessTokens = new Map<string, { family: number; endsAt: number }>();
  readonly #liveFamilies = new Set<number>();
  #count = 0;
  /** Spent tokens that came after the grace. */
  reuses = 0;
  lostAnswers = 0;

  constructor(backend: ScriptedServer, options: RotationOptions) {
    this.#options = options;
    const guarded = (body: unknown) => (request: RecordedRequest) =>
      this.#isGood(request.bearer) ? { body } : refuse(401, 'TOKEN_EXPIRED');
    backend.on('GET /api/auth/me', guarded({ user: vesalia }));
    backend.on('GET /api/db/journal/rest/v1/journal_posts', guarded([]));
    backend.on('POST /api/auth/signin/email', () => {
      const family = ++this.#count;
      this.#liveFamilies.add(family);
      return { body: { ...this.#present(family, this.#insert(family)), user: vesalia } };
    });
    backend.on('POST /api/auth/refresh', async ({ json }) => {
      const isLost = await options.travel();
      const token = String(json?.refresh_token);
      const answer = this.#refresh(token);
      const known = this.#refreshTokens.get(token);
      if (!isLost || !known || known.wasLost) return answer;
      known.wasLost = true;
      this.lostAnswers++;
      return 'hang up';
    });
  }

  get liveFamilies(): number {
    return this.#liveFamilies.size;
  }

  #isGood(accessToken: string | undefined): boolean {
    const known = this.#accessTokens.get(accessToken ?? '');
    return known !== undefined && this.#liveFamilies.has(known.family) && this.#options.now() < known.endsAt;
  }

  #refresh(token: string): ScriptedAnswer {
    const known = this.#refreshTokens.get(token);
    if (!known || !this.#liveFamilies.has(known.family)) return refuse(401, 'TOKEN_EXPIRED');
    const now = this.#options.now();
    if (known.spentAt !== null && now - known.spentAt > GRACE_MS) {
      this.reuses++;
      this.#liveFamilies.delete(known.family);
      return refuse(401, 'TOKEN_EXPIRED');
    }
    if (known.spentAt === null) {
      known.spentAt = now;
      known.successor = this.#insert(known.family);
    }
    return { body: this.#present(known.family, known.successor) };
  }

  #insert(family: number): string {
    const token = `refresh-${++this.#count}`;
    this.#refreshTokens.set(token, { family, spentAt: null, successor: '', wasLost: false });
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
