import { EXPIRY_MARGIN_MS, SOCKET_CLOSE } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { FabricaError } from '../http/errors.ts';
import { JITTER_MS, type RealtimeClock, reconnectDelay } from './realtime-clock.ts';
import {
  type CloseReason,
  RealtimeSocket,
  type RealtimeSocketOptions,
  type SocketRequest,
  type WebSocketClass,
} from './realtime-socket.ts';
import type { SocketCredentials } from './socket-credentials.ts';

type ConnectionStatus = 'disconnected' | 'connecting' | 'connected';

interface RealtimeConnectionOptions extends Pick<RealtimeSocketOptions, 'onEvent' | 'onRemoved' | 'onError'> {
  url: string;
  WebSocket: WebSocketClass;
  clock: RealtimeClock;
  /** Returns a number from 0 to 1. */
  random: () => number;
  credentials: SocketCredentials;
  window: WindowLike | undefined;
  /** Returns whether a socket is needed. */
  isWanted(): boolean;
  /** Is called when the status has changed. */
  onStatus(): void;
  /** Is called when requests are possible, with the current `token`. */
  onReady(): void;
  onDisconnect(): void;
}

/** Milliseconds before a socket is closed that is no longer needed. */
const UNUSED_CLOSE_MS = 5_000;
/** Milliseconds after a reply that a socket must stay open, so that the next failure counts as the first one. */
const STABLE_MS = 10_000;
/** Milliseconds before the token is checked again that is about to expire or could not be renewed. */
const TOKEN_RETRY_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** The reasons after which a new socket is opened at once: the server was gone, or the token was the problem. */
const RECONNECT_AT_ONCE: readonly CloseReason[] = [
  'timeout',
  SOCKET_CLOSE.idle,
  SOCKET_CLOSE.unauthenticated,
  SOCKET_CLOSE.forbidden,
];

/** Keeps a socket open while one is needed, and authenticates it as the signed-in user. */
export class RealtimeConnection {
  readonly #options: RealtimeConnectionOptions;
  #socket: RealtimeSocket | undefined;
  #status: ConnectionStatus = 'disconnected';
  #isReady = false;
  /** The token that the socket was authenticated with; undefined for an anonymous socket. */
  #token: string | undefined;
  /** The server has reported that the token expired, and no other one was sent yet. */
  #hasTokenExpired = false;
  /** The number of authentications without a reply. */
  #pendingAuthentications = 0;
  /** Tells when the token expires, by the server's clock; null for a token without an end or an anonymous socket. */
  #expiresAt: number | null = null;
  /** The error for which the last token was rejected, until another one is accepted. */
  #tokenError: FabricaError | undefined;
  /** Counts the calls of `syncToken`: a token that was requested before the last one is outdated. */
  #tokenVersion = 0;
  /** Failures since the last stable connection. */
  #attempts = 0;
  /** A hidden page keeps no socket: it would keep the page out of the back/forward cache. */
  #isPageHidden = false;
  #cancelReconnect: (() => void) | undefined;
  #cancelStable: (() => void) | undefined;
  #cancelRenewal = () => {};
  #cancelUnusedClose = () => {};
  readonly #lifetime = new AbortController();

  constructor(options: RealtimeConnectionOptions) {
    this.#options = options;
    const { window } = options;
    const { signal } = this.#lifetime;
    for (const type of ['visibilitychange', 'online', 'pageshow']) {
      window?.addEventListener(type, ({ target }) => isHidden(target) || this.#onWake(), { signal });
    }
    window?.addEventListener('offline', () => this.#socket?.check(), { signal });
    window?.addEventListener('pagehide', () => this.#onPageHide(), { signal });
  }

  get status(): ConnectionStatus {
    return this.#status;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get token(): string | undefined {
    return this.#token;
  }

  /** Whether the token is being replaced. Errors about permissions may be outdated then. */
  get isReauthenticating(): boolean {
    return this.#hasTokenExpired || this.#pendingAuthentications > 0;
  }

  /** Sends a request. Requires `isReady`. */
  request(request: SocketRequest): void {
    this.#socket?.request({
      ...request,
      onReply: (reply) => {
        request.onReply(reply);
        this.#cancelStable ??= this.#options.clock.after(STABLE_MS, () => {
          this.#attempts = 0;
        });
      },
    });
  }

  /** Opens or closes the socket. Must be called when `isWanted` may have changed. */
  update(): void {
    this.#cancelUnusedClose();
    if (this.#options.isWanted()) {
      if (!this.#socket && !this.#cancelReconnect) this.#connect();
    } else if (this.#socket) {
      this.#cancelUnusedClose = this.#options.clock.after(UNUSED_CLOSE_MS, () => this.#socket?.close(1000));
    } else this.#stopReconnect();
  }

  /** Authenticates the socket again if the token has changed. Must be called when another user may have signed in. */
  async syncToken(): Promise<void> {
    this.#tokenVersion += 1;
    const socket = this.#socket;
    if (!socket || !this.#isReady) return;
    const version = this.#tokenVersion;
    let token: string | undefined;
    try {
      token = await this.#options.credentials.token();
    } catch {
      if (socket === this.#socket) this.#renewIn(TOKEN_RETRY_MS);
      return;
    }
    if (version !== this.#tokenVersion || socket !== this.#socket) return;
    if (token === this.#token) this.#scheduleRenewal();
    else this.#authenticate(token);
  }

  close(): void {
    this.#lifetime.abort();
    this.#cancelUnusedClose();
    this.#stopReconnect();
    this.#socket?.close(1000);
  }

  /** Checks the socket at once: the machine has woken up, the network is back, or the page is visible. */
  #onWake(): void {
    this.#isPageHidden = false;
    if (this.#socket) this.#socket.check();
    else {
      this.#stopReconnect();
      this.update();
    }
  }

  #onPageHide(): void {
    this.#isPageHidden = true;
    this.#stopReconnect();
    this.#socket?.close(1000);
  }

  #connect(): void {
    if (this.#isPageHidden || this.#lifetime.signal.aborted) return;
    const { url, WebSocket, clock, onEvent, onRemoved, onError } = this.#options;
    try {
      this.#socket = new RealtimeSocket({
        url,
        WebSocket,
        clock,
        onEvent,
        onRemoved,
        onError,
        onOpen: () => void this.#onOpen(),
        onTokenExpired: () => this.#onTokenExpired(),
        onClose: (reason) => this.#onClose(reason),
      });
    } catch {
      // The URL or the page's policy allows no socket; that may change before the next attempt.
      this.#scheduleReconnect(1006);
    }
    if (this.#socket) this.#setStatus('connecting');
  }

  /** Authenticates before anything else is sent. */
  async #onOpen(): Promise<void> {
    const socket = this.#socket;
    this.#setStatus('connected');
    let token: string | undefined;
    let version: number;
    do {
      version = this.#tokenVersion;
      try {
        token = await this.#options.credentials.token();
      } catch {
        if (socket === this.#socket) socket?.close(1006);
        return;
      }
      if (socket !== this.#socket) return;
    } while (version !== this.#tokenVersion);
    this.#isReady = true;
    if (token === undefined && this.#tokenError) {
      this.#options.onError(this.#tokenError);
      this.#tokenError = undefined;
    }
    this.#authenticate(token);
  }

  /** Sends the token if it has changed. The server handles messages in order, so requests may follow at once. */
  #authenticate(token: string | undefined): void {
    this.#hasTokenExpired = false;
    this.#cancelRenewal();
    if (token !== this.#token) {
      this.#token = token;
      this.#expiresAt = null;
      this.#pendingAuthentications += 1;
      this.#socket?.request({
        message: { type: 'auth', payload: { token: token ?? null } },
        replyType: 'authenticated',
        onReply: (reply) => {
          if (reply.type !== 'authenticated') return;
          this.#tokenError = undefined;
          this.#pendingAuthentications -= 1;
          this.#expiresAt = reply.payload.expiresAt;
          this.#scheduleRenewal();
          this.#options.onReady();
        },
        onError: (error) => this.#onAuthenticationError(token, error),
      });
    }
    this.#options.onReady();
  }

  #onAuthenticationError(token: string | undefined, error: FabricaError): void {
    if (error.status === null) return;
    if (token !== undefined && (error.status === 401 || error.status === 403)) {
      this.#options.credentials.reject(token);
      this.#tokenError = error;
    } else this.#socket?.close(1006);
  }

  #onTokenExpired(): void {
    if (this.#token !== undefined) this.#options.credentials.reject(this.#token);
    this.#hasTokenExpired = true;
    void this.syncToken();
  }

  /**
   * Asks for the token again before it expires: the session then renews it. Its clock and the server's may differ.
   */
  #scheduleRenewal(): void {
    if (this.#expiresAt === null) return;
    this.#renewIn(this.#expiresAt - this.#options.clock.now() - EXPIRY_MARGIN_MS);
  }

  #renewIn(ms: number): void {
    this.#cancelRenewal();
    const delay = Math.min(DAY_MS, Math.max(TOKEN_RETRY_MS, ms));
    this.#cancelRenewal = this.#options.clock.after(delay, () => void this.syncToken());
  }

  #onClose(reason: CloseReason): void {
    this.#socket = undefined;
    this.#isReady = false;
    this.#token = undefined;
    this.#hasTokenExpired = false;
    this.#pendingAuthentications = 0;
    this.#expiresAt = null;
    this.#cancelRenewal();
    this.#cancelUnusedClose();
    this.#cancelStable?.();
    this.#cancelStable = undefined;
    this.#options.onDisconnect();
    const isNeeded = this.#options.isWanted() && !this.#isPageHidden && !this.#lifetime.signal.aborted;
    if (isNeeded) this.#scheduleReconnect(reason);
    else this.#setStatus('disconnected');
  }

  #scheduleReconnect(reason: CloseReason): void {
    const ms = this.#nextDelay(reason);
    if (ms === 0) {
      this.#connect();
      return;
    }
    this.#cancelReconnect = this.#options.clock.after(ms, () => {
      this.#cancelReconnect = undefined;
      this.#connect();
    });
    this.#setStatus('disconnected');
  }

  /**
   * Returns the delay of docs/spec/product.md section 9, or a shorter one for the first attempt after some reasons.
   */
  #nextDelay(reason: CloseReason): number {
    const attempt = this.#attempts;
    this.#attempts += 1;
    const random = this.#options.random();
    // The browser usually reports when it is online again, so the longest delay is enough.
    if (this.#options.window?.navigator.onLine === false)
      return reconnectDelay(Number.POSITIVE_INFINITY, random);
    if (attempt === 0 && RECONNECT_AT_ONCE.includes(reason)) return 0;
    if (attempt === 0 && reason === SOCKET_CLOSE.goingAway) return random * JITTER_MS;
    return reconnectDelay(attempt, random);
  }

  #stopReconnect(): void {
    this.#cancelReconnect?.();
    this.#cancelReconnect = undefined;
  }

  #setStatus(status: ConnectionStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.onStatus();
  }
}

/** Returns whether the event reports that the page was hidden. */
function isHidden(target: EventTarget | null): boolean {
  return (target as Partial<Document> | null)?.visibilityState === 'hidden';
}
