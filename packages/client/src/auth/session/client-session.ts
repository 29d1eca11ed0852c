import type { User } from '@fabrica/contract';
import { openStorage, type StorageLike, type WindowLike } from '../../browser/window.ts';
import { AuthError } from '../../http/errors.ts';
import {
  type BearerSource,
  createHttpClient,
  type HttpClient,
  type SendHttpRequest,
} from '../../http/http.ts';
import { withTimeout } from '../../http/timeout.ts';
import {
  type AuthState,
  anonymousState,
  authenticatedState,
  loadingState,
  type StoredSession,
  type StoredTokens,
} from '../auth-state.ts';
import { listenToParentWindow, type ParentWindow } from './parent-window.ts';
import { refreshTokens } from './refresh-tokens.ts';
import { type OtherTabs, runExclusively } from './run-exclusively.ts';
import { openTabChannel } from './tab-channel.ts';
import { createTokenStore, type TokenStore, tokenStorageKey } from './token-store.ts';
import { isAccessExpired, isRefreshExpired, parseUserResponse } from './tokens.ts';
import { takeUrlTokens } from './url-tokens.ts';

/**
 * Milliseconds that the state stays `loading` while the server is asked for the user (docs/spec/product.md section
 * 9).
 */
const ME_TIMEOUT_MS = 5_000;

/** One for all clients: a server destroys one for each page, and a reason of its own would have a stack. */
const DESTROYED = new DOMException('The client was destroyed.', 'AbortError');

interface ClientSessionOptions {
  projectId: string;
  send: SendHttpRequest;
  window?: WindowLike | undefined;
  tokenStorage?: StorageLike | undefined;
  allowedParentOrigins: readonly string[];
  acceptUnsolicitedTokens: boolean;
  /** Epoch milliseconds. */
  now: () => number;
}

/**
 * Holds the tokens and the user: loading, then authenticated or anonymous (docs/spec/product.md section 4). Tokens
 * come from the URL, else from the parent window, else from the storage. The storage is shared by all tabs and
 * decides.
 */
export class ClientSession implements BearerSource {
  /** Sends calls with the token of this session. */
  readonly http: HttpClient;
  readonly #options: ClientSessionOptions;
  readonly #key: string;
  readonly #shared: TokenStore;
  /** The shared store, or one in memory for tokens that only this tab may use. */
  #store: TokenStore;
  /** The JSON of the stored session that the state shows. The store differs from it after another tab has written. */
  #shownJson: string | undefined;
  #state: AuthState = loadingState;
  readonly #listeners = new Set<(state: AuthState) => void>();
  readonly #lifetime = new AbortController();
  /** Counts sign-ins and sign-outs: responses to calls from an earlier generation are ignored. */
  #generation = 0;
  #refreshing: Promise<StoredTokens> | undefined;
  /** The server could not be asked for the user; it is asked again when the network is back. */
  #isUnconfirmed = false;
  readonly #tabs: OtherTabs | undefined;
  readonly #parent: ParentWindow | undefined;
  /** Resolves when the URL and the parent window were asked for tokens. */
  readonly #sourcesRead: Promise<void>;
  #isStarted = false;

  constructor(options: ClientSessionOptions) {
    const { projectId, window } = options;
    this.#options = options;
    this.http = createHttpClient(options.send, this);
    this.#key = tokenStorageKey(projectId);
    this.#tabs = window && this.#joinTabs(window);
    this.#shared = createTokenStore(
      this.#key,
      options.tokenStorage ?? openStorage(() => window?.localStorage),
      () => this.#tabs?.channel.post('changed'),
    );
    this.#store = this.#shared;
    const urlTokens = window && this.#takeFromUrl(window);
    if (urlTokens) this.#replace({ tokens: urlTokens, user: null }, this.#shared);
    this.#parent = window && this.#listen(window);
    this.#sourcesRead = urlTokens ? Promise.resolve() : Promise.resolve(this.#parent?.requestTokens());
    void this.#start();
  }

  /** Aborted by `destroy`. */
  get signal(): AbortSignal {
    return this.#lifetime.signal;
  }

  getState(): AuthState {
    return this.#state;
  }

  subscribe(listener: (state: AuthState) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Resolves when loading ends, or with the current state after `destroy`. */
  ready(): Promise<AuthState> {
    return new Promise((resolve) => {
      const check = () => {
        if (this.#state.isLoading && !this.#lifetime.signal.aborted) return;
        unsubscribe();
        resolve(this.#state);
      };
      const unsubscribe = this.subscribe(check);
      this.#lifetime.signal.addEventListener('abort', check, { once: true });
      check();
    });
  }

  /** Resolves with the stored session, or with null if nobody is signed in. */
  async stored(): Promise<StoredSession | null> {
    await this.#sourcesRead;
    return this.#sync();
  }

  async accessToken(): Promise<string | undefined> {
    const stored = await this.stored();
    if (this.#refreshing) return (await this.#refreshing).access_token;
    if (!stored) {
      if (this.#state.status === 'authenticated') this.#setState(anonymousState);
      return undefined;
    }
    const { tokens } = stored;
    if (!isAccessExpired(tokens, this.#options.now())) return tokens.access_token;
    return (await this.refresh(tokens.access_token)).access_token;
  }

  async renew(rejected: string): Promise<string | undefined> {
    return (await this.refresh(rejected)).access_token;
  }

  /**
   * Returns tokens other than the `old` access token. Callers at the same time share one refresh. Throws
   * TOKEN_EXPIRED if the session is over, which signs out, and NETWORK_ERROR, which does not.
   */
  refresh(old: string): Promise<StoredTokens> {
    const name = `fabrica_refresh_${this.#options.projectId}`;
    if (this.#refreshing) return this.#refreshing;
    const running = runExclusively(this.#tabs, name, () => this.#refresh(old)).finally(() => {
      if (this.#refreshing === running) this.#refreshing = undefined;
    });
    this.#refreshing = running;
    return running;
  }

  /** Signs in, for all tabs. */
  signIn(tokens: StoredTokens, user: User): void {
    this.#replace({ tokens, user }, this.#shared);
    this.#setState(authenticatedState(user, tokens));
  }

  /** Signs in with tokens in memory only: for this tab, until it is left. */
  signInThisTab(tokens: StoredTokens, user: User): void {
    this.#replace({ tokens, user }, createTokenStore(this.#key));
    this.#setState(authenticatedState(user, tokens));
  }

  /** Removes the tokens, here and in other tabs. */
  clear(): void {
    this.#startGeneration();
    this.#shownJson = JSON.stringify(null);
    this.#store.clear();
    this.#setState(anonymousState);
  }

  /** Fetches the user from the server. Throws what the call throws. */
  me(): Promise<User> {
    return this.requestUser({ method: 'GET' });
  }

  /** Makes a call to `me` and shows the returned user, unless somebody else has signed in meanwhile. */
  async requestUser(call: { method: 'GET' | 'PATCH'; json?: unknown }): Promise<User> {
    const generation = this.#generation;
    const user = parseUserResponse(
      await this.http.request({ service: 'auth', path: '/api/auth/me', ...call }),
    );
    const stored = this.#sync();
    if (generation === this.#generation && stored) {
      this.#isUnconfirmed = false;
      this.#write({ tokens: stored.tokens, user });
      this.#setState(authenticatedState(user, stored.tokens));
    }
    return user;
  }

  /** Removes every handler and timer. The state does not change. */
  destroy(): void {
    this.#lifetime.abort(DESTROYED);
    this.#listeners.clear();
  }

  #joinTabs(window: WindowLike): OtherTabs {
    const { signal } = this.#lifetime;
    const { projectId } = this.#options;
    return {
      window,
      channel: openTabChannel({ window, projectId, signal, onChange: () => this.#sync() }),
    };
  }

  #takeFromUrl(window: WindowLike): StoredTokens | null {
    const { projectId, acceptUnsolicitedTokens: acceptUnsolicited, now } = this.#options;
    return takeUrlTokens({ window, projectId, acceptUnsolicited, now: now() });
  }

  #listen(window: WindowLike): ParentWindow | undefined {
    const { signal } = this.#lifetime;
    window.addEventListener('storage', () => this.#sync(), { signal });
    // While a tab was suspended or in the back/forward cache, it received no storage events.
    for (const type of ['pageshow', 'visibilitychange', 'online']) {
      window.addEventListener(type, () => this.#onWake(), { signal });
    }
    const { projectId, allowedParentOrigins: allowedOrigins, now } = this.#options;
    return listenToParentWindow({
      window,
      projectId,
      allowedOrigins,
      now,
      signal,
      onTokens: (tokens) => this.#useParentTokens(tokens),
      onSignOut: () => this.clear(),
    });
  }

  async #start(): Promise<void> {
    await this.#sourcesRead;
    this.#isStarted = true;
    this.#shownJson ??= JSON.stringify(this.#store.read());
    // A sign-in or sign-out has already set the state.
    if (!this.#state.isLoading || this.#lifetime.signal.aborted) return;
    if (this.#store.read()) await this.#loadUser();
    else this.#setState(anonymousState);
  }

  /** Loads the user of the stored tokens. Without a response it shows the stored user, and signs nobody out. */
  async #loadUser(): Promise<void> {
    const generation = this.#generation;
    const loading = this.me().catch((error: unknown) => {
      if (generation !== this.#generation) return;
      if (error instanceof AuthError) this.clear();
      else this.#isUnconfirmed = true;
    });
    await withTimeout(() => loading, {
      ms: ME_TIMEOUT_MS,
      signal: this.#lifetime.signal,
      error: () => new AuthError('AUTH_TIMEOUT'),
    }).catch(() => {
      // A later response is still shown by `me`.
    });
    if (generation !== this.#generation || !this.#state.isLoading) return;
    const stored = this.#store.read();
    this.#setState(stored?.user ? authenticatedState(stored.user, stored.tokens) : anonymousState);
  }

  async #refresh(old: string): Promise<StoredTokens> {
    const { send, now } = this.#options;
    // Tokens in memory came from the parent window, which may have newer ones by now.
    if (this.#store !== this.#shared) await this.#parent?.requestTokens();
    const stored = this.#sync();
    const generation = this.#generation;
    if (!stored) throw new AuthError('TOKEN_EXPIRED');
    // Another tab may have refreshed while this one waited for the lock or was suspended.
    if (this.#isFresh(stored, old)) return this.#showRefreshed(stored);
    const tokens = isRefreshExpired(stored.tokens, now())
      ? null
      : await refreshTokens(send, stored.tokens.refresh_token, now);
    const latest = this.#sync();
    // Another user has signed in meanwhile, or this one has signed out: the call must not be sent with other tokens.
    if (!latest || generation !== this.#generation) throw new AuthError('TOKEN_EXPIRED');
    // Another tab has refreshed meanwhile: its tokens are used, whatever the response to this refresh was.
    if (latest.tokens.refresh_token !== stored.tokens.refresh_token) return this.#refresh(old);
    if (!tokens) {
      this.clear();
      throw new AuthError('TOKEN_EXPIRED', { status: 401 });
    }
    const renewed = { tokens, user: latest.user };
    this.#write(renewed);
    return this.#showRefreshed(renewed);
  }

  #isFresh({ tokens }: StoredSession, old: string): boolean {
    return tokens.access_token !== old && !isAccessExpired(tokens, this.#options.now());
  }

  #showRefreshed({ tokens, user }: StoredSession): StoredTokens {
    const current = this.#state;
    if (current.status === 'authenticated' && current.tokens.access_token !== tokens.access_token) {
      this.#setState(authenticatedState(user ?? current.user, tokens));
    }
    return tokens;
  }

  #onWake(): void {
    this.#sync();
    if (this.#isUnconfirmed) void this.#loadUser();
  }

  /** Returns the stored session, and updates the state if another tab has changed it. */
  #sync(): StoredSession | null {
    const stored = this.#store.read();
    const json = JSON.stringify(stored);
    if (json === this.#shownJson || !this.#isStarted) return stored;
    this.#shownJson = json;
    // Pending calls for the same user stay valid when only the tokens are new.
    if (stored?.user?.id !== this.#state.user?.id) this.#startGeneration();
    if (!stored) this.#setState(anonymousState);
    else if (stored.user) this.#setState(authenticatedState(stored.user, stored.tokens));
    else void this.#loadUser();
    return stored;
  }

  /** Uses the parent window's tokens, in memory only: the browser's other tabs must not get them. */
  #useParentTokens(tokens: StoredTokens): void {
    if (this.#store.read()?.tokens.access_token === tokens.access_token) return;
    this.#replace({ tokens, user: null }, createTokenStore(this.#key));
    if (this.#isStarted) void this.#loadUser();
  }

  #replace(session: StoredSession, store: TokenStore): void {
    this.#startGeneration();
    this.#store = store;
    this.#write(session);
  }

  #write(session: StoredSession): void {
    this.#shownJson = JSON.stringify(session);
    this.#store.write(session);
  }

  #startGeneration(): void {
    this.#generation++;
    this.#refreshing = undefined;
    this.#isUnconfirmed = false;
  }

  #setState(state: AuthState): void {
    if (state === this.#state || this.#lifetime.signal.aborted) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
