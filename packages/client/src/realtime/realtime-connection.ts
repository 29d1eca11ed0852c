import { EXPIRY_MARGIN_MS, SOCKET_CLOSE } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { FabricaError } from '../http/errors.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import {
  type CloseReason,
  RealtimeSocket,
  type RealtimeSocketOptions,
  type SocketRequest,
  type WebSocketClass,
} from './realtime-socket.ts';
import { JITTER_MS, reconnectDelay } from './reconnect-delay.ts';
import type { SocketCredentials } from './socket-credentials.ts';

export type SocketStatus = 'disconnected' | 'connecting' | 'connected';

export interface RealtimeConnectionOptions
  extends Pick<RealtimeSocketOptions, 'onTold' | 'onKicked' | 'onError'> {
  url: string;
  WebSocket: WebSocketClass;
  clock: RealtimeClock;
  /** From 0 to 1. */
  random: () => number;
  speaker: SocketCredentials;
  window: WindowLike | undefined;
  isWanted(): boolean;
  /** Its status is another one. */
  onStatus(): void;
  /** What is wanted can be asked, in the name of whoever `spoken` is. */
  onReady(): void;
  onLost(): void;
}

/** Milliseconds that a socket stays open when nothing is wanted of it any more. */
const LINGER_MS = 5_000;
/** Milliseconds that a connection has to be of use before the next failure counts as the first. */
const STEADY_MS = 10_000;
/** Milliseconds after which is looked again for a token that is about to end, or could not be renewed. */
const LOOK_AGAIN_MS = 5_000;
const DAY_MS = 24 * 60 * 60 * 1_000;

/** One socket after another for as long as anything is wanted, in the name of whoever is signed in. */
export class RealtimeConnection {
  readonly #options: RealtimeConnectionOptions;
  #link: RealtimeSocket | undefined;
  #status: SocketStatus = 'disconnected';
  #isReady = false;
  /** The token that the socket speaks with; undefined for nobody. */
  #spoken: string | undefined;
  /** The server told that the token is over, and nothing was said to that yet. */
  #hasTokenEnded = false;
  /** Who speaks was said, and not answered yet: how often. */
  #introductions = 0;
  /** When the token ends, by the server's clock; null for never, or nobody's. */
  #expiresAt: number | null = null;
  /** Why the last token was refused, until one is taken. */
  #refusal: FabricaError | undefined;
  /** Counts what may have changed who speaks: what was found out before it is old. */
  #turn = 0;
  /** Failures since a connection was of use for a while. */
  #attempts = 0;
  /** A page that is put away keeps no socket: it would not be kept for the way back. */
  #isAway = false;
  #cancelWait: (() => void) | undefined;
  #cancelSteady: (() => void) | undefined;
  #cancelRenewal = () => {};
  #cancelLinger = () => {};
  readonly #life = new AbortController();

  constructor(options: RealtimeConnectionOptions) {
    this.#options = options;
    const { window } = options;
    const { signal } = this.#life;
    for (const type of ['visibilitychange', 'online', 'pageshow']) {
      window?.addEventListener(type, ({ target }) => isHidden(target) || this.#wake(), { signal });
    }
    window?.addEventListener('offline', () => this.#link?.check(), { signal });
    window?.addEventListener('pagehide', () => this.#putAway(), { signal });
  }

  get status(): SocketStatus {
    return this.#status;
  }

  get isReady(): boolean {
    return this.#isReady;
  }

  get spoken(): string | undefined {
    return this.#spoken;
  }

  /** Is it being found out, here or there, who speaks? What the server says of rights may be old by then. */
  get isChangingSpeaker(): boolean {
    return this.#hasTokenEnded || this.#introductions > 0;
  }

  /** Only while it is ready. */
  ask(ask: SocketRequest): void {
    this.#link?.ask({
      ...ask,
      done: (answer) => {
        ask.done(answer);
        this.#cancelSteady ??= this.#options.clock.after(STEADY_MS, () => {
          this.#attempts = 0;
        });
      },
    });
  }

  /** To be called when something is wanted that was not, or is not any more. */
  want(): void {
    this.#cancelLinger();
    if (this.#options.isWanted()) {
      if (!this.#link && !this.#cancelWait) this.#connect();
    } else if (this.#link) {
      this.#cancelLinger = this.#options.clock.after(LINGER_MS, () => this.#link?.end(1000));
    } else this.#stopWaiting();
  }

  /** Somebody else may be signed in, or the same one with another token. */
  async sync(): Promise<void> {
    this.#turn += 1;
    const link = this.#link;
    if (!link || !this.#isReady) return;
    const turn = this.#turn;
    let token: string | undefined;
    try {
      token = await this.#options.speaker.token();
    } catch {
      if (link === this.#link) this.#renewIn(LOOK_AGAIN_MS);
      return;
    }
    if (turn !== this.#turn || link !== this.#link) return;
    if (token === this.#spoken) this.#planRenewal();
    else this.#introduce(token);
  }

  /** The machine slept, the network is back, the page is looked at: looks at once whether the socket still stands. */
  #wake(): void {
    this.#isAway = false;
    if (this.#link) this.#link.check();
    else {
      this.#stopWaiting();
      this.want();
    }
  }

  close(): void {
    this.#life.abort();
    this.#cancelLinger();
    this.#stopWaiting();
    this.#link?.end(1000);
  }

  #connect(): void {
    if (this.#isAway || this.#life.signal.aborted) return;
    const { url, WebSocket, clock, onTold, onKicked, onError } = this.#options;
    try {
      this.#link = new RealtimeSocket({
        url,
        WebSocket,
        clock,
        onTold,
        onKicked,
        onError,
        onOpen: () => void this.#greet(),
        onTokenEnded: () => this.#renew(),
        onEnd: (end) => this.#lost(end),
      });
    } catch {
      // An address or a policy of the page that allows no socket: it may be another one by the next try.
      this.#wait(1006);
    }
    if (this.#link) this.#show('connecting');
  }

  /** Says who speaks, when somebody does, before anything else. */
  async #greet(): Promise<void> {
    const link = this.#link;
    this.#show('connected');
    let token: string | undefined;
    let turn: number;
    do {
      turn = this.#turn;
      try {
        token = await this.#options.speaker.token();
      } catch {
        if (link === this.#link) link?.end(1006);
        return;
      }
      if (link !== this.#link) return;
    } while (turn !== this.#turn);
    this.#isReady = true;
    if (token === undefined && this.#refusal) {
      this.#options.onError(this.#refusal);
      this.#refusal = undefined;
    }
    this.#introduce(token);
  }

  /** The server takes one thing after the other: what is asked next is asked in this one's name. */
  #introduce(token: string | undefined): void {
    this.#hasTokenEnded = false;
    this.#cancelRenewal();
    if (token !== this.#spoken) {
      this.#spoken = token;
      this.#expiresAt = null;
      this.#introductions += 1;
      this.#link?.ask({
        message: { type: 'auth', payload: { token: token ?? null } },
        answer: 'authenticated',
        done: (answer) => {
          if (answer.type !== 'authenticated') return;
          this.#refusal = undefined;
          this.#introductions -= 1;
          this.#expiresAt = answer.payload.expiresAt;
          this.#planRenewal();
          this.#options.onReady();
        },
        refused: (error) => this.#refused(token, error),
      });
    }
    this.#options.onReady();
  }

  #refused(token: string | undefined, error: FabricaError): void {
    if (error.status === null) return;
    if (token !== undefined && (error.status === 401 || error.status === 403)) {
      this.#options.speaker.refuse(token);
      this.#refusal = error;
    } else this.#link?.end(1006);
  }

  #renew(): void {
    if (this.#spoken !== undefined) this.#options.speaker.refuse(this.#spoken);
    this.#hasTokenEnded = true;
    void this.sync();
  }

  /** The session refreshes what is about to end when it is asked for it, by its own clock: the server's may differ. */
  #planRenewal(): void {
    if (this.#expiresAt === null) return;
    this.#renewIn(this.#expiresAt - this.#options.clock.now() - EXPIRY_MARGIN_MS);
  }

  #renewIn(ms: number): void {
    this.#cancelRenewal();
    const wait = Math.min(DAY_MS, Math.max(LOOK_AGAIN_MS, ms));
    this.#cancelRenewal = this.#options.clock.after(wait, () => void this.sync());
  }

  #lost(end: CloseReason): void {
    this.#link = undefined;
    this.#isReady = false;
    this.#spoken = undefined;
    this.#hasTokenEnded = false;
    this.#introductions = 0;
    this.#expiresAt = null;
    this.#cancelRenewal();
    this.#cancelLinger();
    this.#cancelSteady?.();
    this.#cancelSteady = undefined;
    this.#options.onLost();
    if (this.#options.isWanted() && !this.#isAway && !this.#life.signal.aborted) this.#wait(end);
    else this.#show('disconnected');
  }

  #wait(end: CloseReason): void {
    const ms = this.#delay(end);
    if (ms === 0) {
      this.#connect();
      return;
    }
    this.#cancelWait = this.#options.clock.after(ms, () => {
      this.#cancelWait = undefined;
      this.#connect();
    });
    this.#show('disconnected');
  }

  /** Product.md section 9, but for the first time after a connection that was of use. */
  #delay(end: CloseReason): number {
    const attempt = this.#attempts;
    this.#attempts += 1;
    const random = this.#options.random();
    // The browser says when it is online again; not always.
    if (this.#options.window?.navigator.onLine === false)
      return reconnectDelay(Number.POSITIVE_INFINITY, random);
    if (attempt === 0 && AT_ONCE.includes(end)) return 0;
    if (attempt === 0 && end === SOCKET_CLOSE.goingAway) return random * JITTER_MS;
    return reconnectDelay(attempt, random);
  }

  #stopWaiting(): void {
    this.#cancelWait?.();
    this.#cancelWait = undefined;
  }

  #putAway(): void {
    this.#isAway = true;
    this.#stopWaiting();
    this.#link?.end(1000);
  }

  #show(status: SocketStatus): void {
    if (status === this.#status) return;
    this.#status = status;
    this.#options.onStatus();
  }
}

/** The page is told of being put out of sight as well. */
function isHidden(target: EventTarget | null): boolean {
  return (target as Partial<Document> | null)?.visibilityState === 'hidden';
}

/** Ends that another socket mends: nobody was there any more, or the token was the trouble. */
const AT_ONCE: readonly CloseReason[] = [
  'dead',
  SOCKET_CLOSE.idle,
  SOCKET_CLOSE.unauthenticated,
  SOCKET_CLOSE.forbidden,
];
