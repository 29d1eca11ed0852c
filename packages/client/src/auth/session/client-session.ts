import type { User } from '@fabrica/contract';
import { openStorage, type StorageLike, type WindowLike } from '../../browser/window.ts';
import { AuthError, NetworkError } from '../../http/errors.ts';
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
import { isAccessExpired, isRefreshExpired, parseUser } from './tokens.ts';
import { takeUrlTokens } from './url-tokens.ts';

/** Milliseconds that `loading` lasts at most while the server is asked who this is (docs/spec/product.md section 9). */
const ME_WAIT_MS = 5_000;

export interface ClientSessionOptions {
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
 * Who is signed in: loading, then authenticated or anonymous (docs/spec/product.md section 4). Tokens come from
 * the address, else the parent window, else storage; what storage holds is the truth that all tabs share.
 */
export class ClientSession implements BearerSource {
  /** Calls in the name of who is signed in. */
  readonly http: HttpClient;
  readonly #options: ClientSessionOptions;
  readonly #key: string;
  readonly #shared: TokenStore;
  /** The shared store, or one in memory for tokens that are this tab's alone. */
  #store: TokenStore;
  /** What the state was made of, as JSON; the store holds something else when another tab has written. */
  #seen: string | undefined;
  #state: AuthState = loadingState;
  readonly #listeners = new Set<(state: AuthState) => void>();
  readonly #life = new AbortController();
  /** Counts sign-ins and sign-outs: what was asked under an earlier number is no longer wanted. */
  #generation = 0;
  #refreshing: Promise<StoredTokens> | undefined;
  /** The server could not be asked who this is; it is asked again when the network is back. */
  #unconfirmed = false;
  readonly #tabs: OtherTabs | undefined;
  readonly #parent: ParentWindow | undefined;
  /** Resolves when it is known which tokens there are. */
  readonly #sources: Promise<void>;
  #started = false;

  constructor(options: ClientSessionOptions) {
    const { projectId, window } = options;
    this.#options = options;
    this.http = createHttpClient(options.send, this);
    this.#key = tokenStorageKey(projectId);
    this.#tabs = window && this.#joinTabs(window);
    this.#shared = createTokenStore(
      this.#key,
      options.tokenStorage ?? openStorage(() => window?.localStorage),
      () => this.#tabs?.channel.tell('changed'),
    );
    this.#store = this.#shared;
    const fromAddress = window && this.#takeFromAddress(window);
    if (fromAddress) this.#keep({ tokens: fromAddress, user: null }, this.#shared);
    this.#parent = window && this.#listen(window);
    this.#sources = fromAddress ? Promise.resolve() : Promise.resolve(this.#parent?.ask());
    void this.#start();
  }

  /** Aborted by `destroy`. */
  get signal(): AbortSignal {
    return this.#life.signal;
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
    return this.#look();
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
    const name = `fabrica_refresh_${this.#options.projectId}`;
    if (this.#refreshing) return this.#refreshing;
    const running = runExclusively(this.#tabs, name, () => this.#refresh(spent)).finally(() => {
      if (this.#refreshing === running) this.#refreshing = undefined;
    });
    this.#refreshing = running;
    return running;
  }

  /** A sign-in of this tab: kept for all tabs. */
  signIn(tokens: StoredTokens, user: User): void {
    this.#keep({ tokens, user }, this.#shared);
    this.#show(authenticatedState(user, tokens));
  }

  /** A sign-in with tokens that are kept nowhere: for this tab, and until it is left. */
  signInHere(tokens: StoredTokens, user: User): void {
    this.#keep({ tokens, user }, createTokenStore(this.#key));
    this.#show(authenticatedState(user, tokens));
  }

  /** Forgets the tokens, here and in other tabs. */
  clear(): void {
    this.#beginAnew();
    this.#seen = JSON.stringify(null);
    this.#store.clear();
    this.#show(anonymousState);
  }

  /** Asks the server who this is; throws what the call throws. */
  me(): Promise<User> {
    return this.askUser({ method: 'GET' });
  }

  /** A call to `me`; the user of its answer is shown, unless somebody else is signed in by then. */
  async askUser(call: { method: 'GET' | 'PATCH'; json?: unknown }): Promise<User> {
    const generation = this.#generation;
    const answer = await this.http.request({ service: 'auth', path: '/api/auth/me', ...call });
    const user = parseUser((answer.body as { user?: unknown } | null)?.user);
    if (!user) throw new NetworkError({ status: answer.status });
    const held = this.#look();
    if (generation === this.#generation && held) {
      this.#unconfirmed = false;
      this.#write({ tokens: held.tokens, user });
      this.#show(authenticatedState(user, held.tokens));
    }
    return user;
  }

  /** Removes every handler and timer; the state stays as it is. */
  destroy(): void {
    this.#life.abort();
    this.#listeners.clear();
  }

  #joinTabs(window: WindowLike): OtherTabs {
    const { signal } = this.#life;
    const { projectId } = this.#options;
    return {
      window,
      channel: openTabChannel({ window, projectId, signal, onChange: () => this.#look() }),
    };
  }

  #takeFromAddress(window: WindowLike): StoredTokens | null {
    const { projectId, acceptUnsolicitedTokens: acceptUnsolicited, now } = this.#options;
    return takeUrlTokens({ window, projectId, acceptUnsolicited, now: now() });
  }

  #listen(window: WindowLike): ParentWindow | undefined {
    const { signal } = this.#life;
    window.addEventListener('storage', () => this.#look(), { signal });
    // What other tabs did while this one slept or lay in the back/forward cache came with no event of the storage.
    for (const type of ['pageshow', 'visibilitychange', 'online']) {
      window.addEventListener(type, () => this.#wake(), { signal });
    }
    const { projectId, allowedParentOrigins: allowedOrigins, now } = this.#options;
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
    this.#seen ??= JSON.stringify(this.#store.read());
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
    await withTimeout(() => asking, {
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
    const held = this.#look();
    const generation = this.#generation;
    if (!held) throw new AuthError('TOKEN_EXPIRED');
    // Another tab may have refreshed while this one waited for its turn, or slept.
    if (this.#isFresh(held, spent)) return this.#showRefreshed(held);
    const tokens = isRefreshExpired(held.tokens, now())
      ? null
      : await refreshTokens(send, held.tokens.refresh_token, now);
    const latest = this.#look();
    // Somebody else is signed in meanwhile, or nobody: what was asked in this one's name is not sent in theirs.
    if (!latest || generation !== this.#generation) throw new AuthError('TOKEN_EXPIRED');
    // Refreshed by another tab meanwhile: its tokens stand, whatever the answer to ours was.
    if (latest.tokens.refresh_token !== held.tokens.refresh_token) return this.#refresh(spent);
    if (!tokens) {
      this.clear();
      throw new AuthError('TOKEN_EXPIRED', { status: 401 });
    }
    const renewed = { tokens, user: latest.user };
    this.#write(renewed);
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

  #wake(): void {
    this.#look();
    if (this.#unconfirmed) void this.#identify();
  }

  /** What is kept. Every look brings the state up to what another tab may have done, however we come to know of it. */
  #look(): StoredSession | null {
    const held = this.#store.read();
    const text = JSON.stringify(held);
    if (text === this.#seen || !this.#started) return held;
    this.#seen = text;
    // What was asked about this user is still wanted when only the tokens are new.
    if (held?.user?.id !== this.#state.user?.id) this.#beginAnew();
    if (!held) this.#show(anonymousState);
    else if (held.user) this.#show(authenticatedState(held.user, held.tokens));
    else void this.#identify();
    return held;
  }

  /** Tokens that the parent window lends live in memory: they are not for this browser's other tabs. */
  #borrow(tokens: StoredTokens): void {
    if (this.#store.read()?.tokens.access_token === tokens.access_token) return;
    this.#keep({ tokens, user: null }, createTokenStore(this.#key));
    if (this.#started) void this.#identify();
  }

  #keep(session: StoredSession, store: TokenStore): void {
    this.#beginAnew();
    this.#store = store;
    this.#write(session);
  }

  #write(session: StoredSession): void {
    this.#seen = JSON.stringify(session);
    this.#store.write(session);
  }

  #beginAnew(): void {
    this.#generation++;
    this.#refreshing = undefined;
    this.#unconfirmed = false;
  }

  #show(state: AuthState): void {
    if (state === this.#state || this.#life.signal.aborted) return;
    this.#state = state;
    for (const listener of [...this.#listeners]) listener(state);
  }
}
