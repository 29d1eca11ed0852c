import type { User } from '@fabrica/contract';
import { AuthError, NetworkError } from '../errors.ts';
import { type BearerSource, createHttp, type Http, type Send } from '../http.ts';
import { withTimeLimit } from '../timeout.ts';
import { openStorage, type StorageLike, type WindowLike } from '../window.ts';
import { takeAddressTokens } from './address-tokens.ts';
import {
  type AuthState,
  anonymousState,
  authenticatedState,
  loadingState,
  type StoredSession,
  type StoredTokens,
} from './auth-state.ts';
import { runExclusively } from './exclusive.ts';
import { listenToParentWindow, type ParentWindow } from './parent-window.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { createTokenStore, type TokenStore, tokenStorageKey } from './token-store.ts';
import { isAccessExpired, isRefreshExpired, parseUser } from './tokens.ts';

/** Milliseconds that `loading` lasts at most while the server is asked who this is (product.md section 9). */
const ME_WAIT_MS = 5_000;

export interface SessionOptions {
  projectId: string;
  send: Send;
  window?: WindowLike | undefined;
  tokenStorage?: StorageLike | undefined;
  allowedParentOrigins: readonly string[];
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Who is signed in: loading, then authenticated or anonymous (product.md section 4). Tokens come from
 * the address, else the parent window, else storage; what storage holds is the truth that all tabs share.
 */
export class Session implements BearerSource {
  readonly #options: SessionOptions;
  readonly #http: Http;
  readonly #key: string;
  readonly #shared: TokenStore;
  /** The shared store, or one in memory for tokens that a parent window lent us. */
  #store: TokenStore;
  #state: AuthState = loadingState;
  readonly #listeners = new Set<(state: AuthState) => void>();
  readonly #life = new AbortController();
  /** Counts sign-ins and sign-outs: what was asked under an earlier number is no longer wanted. */
  #generation = 0;
  #refreshing: Promise<StoredTokens> | undefined;
  /** The server could not be asked who this is; it is asked again when the network is back. */
  #unconfirmed = false;
  readonly #parent: ParentWindow | undefined;
  /** Resolves when it is known which tokens there are. */
  readonly #sources: Promise<void>;
  #started = false;

  constructor(options: SessionOptions) {
    const { projectId, window, allowedParentOrigins, now } = options;
    this.#options = options;
    this.#http = createHttp(options.send, this);
    this.#key = tokenStorageKey(projectId);
    this.#shared = createTokenStore(
      this.#key,
      options.tokenStorage ?? openStorage(() => window?.localStorage),
    );
    this.#store = this.#shared;
    const fromAddress = window && takeAddressTokens(window, projectId, now());
    if (fromAddress) this.#keep({ tokens: fromAddress, user: null }, this.#shared);
    this.#parent = window && this.#listen(window, allowedParentOrigins);
    this.#sources = fromAddress ? Promise.resolve() : Promise.resolve(this.#parent?.ask());
    void this.#start();
  }

  getState(): AuthState {
    return this.#state;
  }

  subscribe(listener: (state: AuthState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when loading ends, or with the state as it is once destroyed. */
  ready(): Promise<AuthState> {
    return new Promise((resolve) => {
      const look = () => {
        if (this.#state.isLoading && !this.#life.signal.aborted) return;
        unsubscribe();
        resolve(this.#state);
      };
      const unsubscribe = this.subscribe(look);
      this.#life.signal.addEventListener('abort', look, { once: true });
      look();
    });
  }

  /** What is kept, once it is known; null when nobody is signed in. */
  async held(): Promise<StoredSession | null> {
    await this.#sources;
    return this.#store.read();
  }

  async accessToken(): Promise<string | undefined> {
    const held = await this.held();
    if (this.#refreshing) return (await this.#refreshing).access_token;
    if (!held) {
      if (this.#state.status === 'authenticated') this.#show(anonymousState);
      return undefined;
    }
    const { tokens } = held;
    if (!isAccessExpired(tokens, this.#options.now())) return tokens.access_token;
    return (await this.refresh(tokens.access_token)).access_token;
  }

  async renew(refused: string): Promise<string | undefined> {
    return (await this.refresh(refused)).access_token;
  }

  /**
   * Tokens other than the `spent` one, once for all who ask at a time. Throws TOKEN_EXPIRED when the
   * session is over, which also ends it here, and NETWORK_ERROR, which does not.
   */
  refresh(spent: string): Promise<StoredTokens> {
    const { window, projectId } = this.#options;
    this.#refreshing ??= runExclusively(window, `fabrica_refresh_${projectId}`, () =>
      this.#refresh(spent),
    ).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** A sign-in of this tab: kept for all tabs. */
  signIn(tokens: StoredTokens, user: User): void {
    this.#keep({ tokens, user }, this.#shared);
    this.#show(authenticatedState(user, tokens));
  }

  /** Forgets the tokens, here and in other tabs. */
  clear(): void {
    this.#generation++;
    this.#unconfirmed = false;
    this.#store.clear();
    this.#show(anonymousState);
  }

  /** Asks the server who this is; throws what the call throws. */
  async me(): Promise<User> {
    const generation = this.#generation;
    const answer = await this.#http.request({ service: 'auth', method: 'GET', path: '/api/auth/me' });
    const user = parseUser((answer.body as { user?: unknown } | null)?.user);
    if (!user) throw new NetworkError({ status: answer.status });
    const held = this.#store.read();
    if (generation === this.#generation && held) {
      this.#unconfirmed = false;
      this.#store.write({ tokens: held.tokens, user });
      this.#show(authenticatedState(user, held.tokens));
    }
    return user;
  }

  /** Removes every handler and timer; the state stays as it is. */
  destroy(): void {
    this.#life.abort();
    this.#listeners.clear();
  }

  #listen(window: WindowLike, allowedOrigins: readonly string[]): ParentWindow | undefined {
    const { signal } = this.#life;
    window.addEventListener('storage', (event) => this.#follow((event as StorageEvent).key), { signal });
    window.addEventListener('online', () => void (this.#unconfirmed && this.#identify()), { signal });
    const { projectId, now } = this.#options;
    return listenToParentWindow({
      window,
      projectId,
      allowedOrigins,
      now,
      signal,
      onTokens: (tokens) => this.#borrow(tokens),
      onSignOut: () => this.clear(),
    });
  }

  async #start(): Promise<void> {
    await this.#sources;
    this.#started = true;
    // Signed in or out by hand meanwhile: there is nothing left to find out.
    if (!this.#state.isLoading || this.#life.signal.aborted) return;
    if (this.#store.read()) await this.#identify();
    else this.#show(anonymousState);
  }

  /** Finds out whose tokens these are; without an answer the user as last seen stands, and nobody is signed out. */
  async #identify(): Promise<void> {
    const generation = this.#generation;
    const asking = this.me().catch((error: unknown) => {
      if (generation !== this.#generation) return;
      if (error instanceof AuthError) this.clear();
      else this.#unconfirmed = true;
    });
    await withTimeLimit(() => asking, {
      ms: ME_WAIT_MS,
      signal: this.#life.signal,
      error: () => new AuthError('AUTH_TIMEOUT'),
    }).catch(() => {
      // Long enough waited; should the answer still come, `me` takes it.
    });
    if (generation !== this.#generation || !this.#state.isLoading) return;
    const held = this.#store.read();
    this.#show(held?.user ? authenticatedState(held.user, held.tokens) : anonymousState);
  }

  async #refresh(spent: string): Promise<StoredTokens> {
    const { send, now } = this.#options;
    // Lent tokens: the parent window holds the same ones, and may have newer ones by now.
    if (this.#store !== this.#shared) await this.#parent?.ask();
    const held = this.#store.read();
    if (!held) throw new AuthError('TOKEN_EXPIRED');
    // Another tab may have refreshed while this one waited for its turn.
    if (this.#isFresh(held, spent)) return this.#showRefreshed(held);
    const tokens = isRefreshExpired(held.tokens, now())
      ? null
      : await refreshTokens(send, held.tokens.refresh_token, now);
    const latest = this.#store.read();
    // Signed in, signed out or refreshed by someone else meanwhile: theirs stands.
    if (latest?.tokens.refresh_token !== held.tokens.refresh_token) {
      if (latest && this.#isFresh(latest, spent)) return this.#showRefreshed(latest);
      throw new AuthError('TOKEN_EXPIRED');
    }
    if (!tokens) {
      this.clear();
      throw new AuthError('TOKEN_EXPIRED', { status: 401 });
    }
    const renewed = { tokens, user: latest.user };
    this.#store.write(renewed);
    return this.#showRefreshed(renewed);
  }

  #isFresh({ tokens }: StoredSession, spent: string): boolean {
    return tokens.access_token !== spent && !isAccessExpired(tokens, this.#options.now());
  }

  #showRefreshed({ tokens, user }: StoredSession): StoredTokens {
    const current = this.#state;
    if (current.status === 'authenticated' && current.tokens.access_token !== tokens.access_token) {
      this.#show(authenticatedState(user ?? current.user, tokens));
    }
    return tokens;
  }

  /** What another tab did to the shared tokens. */
  #follow(key: string | null): void {
    if ((key !== null && key !== this.#key) || this.#store !== this.#shared || !this.#started) return;
    this.#generation++;
    const held = this.#shared.read();
    if (!held) this.#show(anonymousState);
    else if (held.user) this.#show(authenticatedState(held.user, held.tokens));
    else void this.#identify();
  }

  /** Tokens that the parent window lends live in memory: they are not for this browser's other tabs. */
  #borrow(tokens: StoredTokens): void {
    if (this.#store.read()?.tokens.access_token === tokens.access_token) return;
    this.#keep({ tokens, user: null }, createTokenStore(this.#key));
    if (this.#started) void this.#identify();
  }

  #keep(session: StoredSession, store: TokenStore): void {
    this.#generation++;
    this.#store = store;
    store.write(session);
  }

  #show(state: AuthState): void {
    if (state === this.#state || this.#life.signal.aborted) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
