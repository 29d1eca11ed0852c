import {
  type ClientMessage,
  HEARTBEAT_MS,
  REALTIME_TIMEOUT_MS,
  type ServerMessage,
  SOCKET_IDLE_TIMEOUT_MS,
} from '@fabrica/contract';
import { type FabricaError, NetworkError } from '../http/errors.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import { errorFromSocketMessage } from './socket-error.ts';
import { createTokenBucketQueue, type TokenBucketQueue } from './token-bucket-queue.ts';

/** The parts of a websocket that are used. */
export interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}

export type WebSocketClass = new (url: string) => WebSocketLike;

export type SocketReply = Extract<
  ServerMessage,
  { type: 'authenticated' | 'subscribed' | 'unsubscribed' | 'published' }
>;

export type ChannelEvent = Extract<ServerMessage, { type: 'message' | 'resync' | 'presence' }>;

/** Something that the server answers. */
export interface SocketRequest {
  message: ClientMessage;
  /** The message as it is sent, where it is known already. */
  text?: string;
  channel?: string;
  answer: SocketReply['type'];
  /** Asked once more right before it is sent: is it still wanted? */
  isWanted?(): boolean;
  done(answer: SocketReply): void;
  /** Also called, with a NetworkError, when the socket ends before the answer has come. */
  refused(error: FabricaError): void;
}

/** Why a socket ended: a code of the protocol, or that it is dead: nothing came from it when something should have. */
export type CloseReason = number | 'dead';

export interface RealtimeSocketOptions {
  url: string;
  WebSocket: WebSocketClass;
  clock: RealtimeClock;
  /** The server has said hello: now it can be asked. */
  onOpen(): void;
  onTold(told: ChannelEvent): void;
  /** The server has put this socket out of a channel. */
  onKicked(channel: string, error: FabricaError): void;
  /** The token that it spoke with is over; it speaks for nobody now. */
  onTokenEnded(): void;
  /** An error that belongs to nothing that was asked. */
  onError(error: FabricaError): void;
  /** Once; nothing is heard of it afterwards. What was asked and not answered is refused after this. */
  onEnd(end: CloseReason): void;
}

/** One websocket from its opening to its end: what was asked finds its answer, and silence ends it. */
export class RealtimeSocket {
  readonly #options: RealtimeSocketOptions;
  readonly #ws: WebSocketLike;
  readonly #pace: TokenBucketQueue;
  /** What was asked and not answered yet; the server answers one after the other. */
  #asked: { ask: SocketRequest; cancel: () => void }[] = [];
  /** Channels that were left without being asked; the reason follows. */
  readonly #kicked = new Set<string>();
  #cancelConnect: () => void;
  #cancelBeat = () => {};
  /** Set while anything at all is waited for. */
  #cancelPong: (() => void) | undefined;
  #heardAt: number;
  #isUp = false;
  #isOpen = false;
  #ended = false;

  /** Throws what the WebSocket throws for an address that is none. */
  constructor(options: RealtimeSocketOptions) {
    const { clock, url, WebSocket } = options;
    this.#options = options;
    this.#pace = createTokenBucketQueue(clock);
    this.#heardAt = clock.now();
    this.#ws = new WebSocket(url);
    this.#ws.addEventListener('open', () => {
      this.#isUp = true;
      if (this.#ended) this.#ws.close(1000);
    });
    this.#ws.addEventListener('message', ({ data }) => this.#hear(data));
    this.#ws.addEventListener('close', ({ code }) => this.end(code));
    this.#cancelConnect = clock.after(REALTIME_TIMEOUT_MS, () => this.end('dead'));
  }

  ask(ask: SocketRequest): void {
    this.#pace.run(() => {
      if (ask.isWanted?.() === false) return;
      const cancel = this.#options.clock.after(REALTIME_TIMEOUT_MS, () => this.end('dead'));
      this.#asked.push({ ask, cancel });
      this.#ws.send(ask.text ?? JSON.stringify(ask.message));
    });
  }

  /** Is anybody still there? If not, it ends within 10 s; at once when the server must have let it go long since. */
  check(): void {
    if (!this.#isOpen || this.#ended) return;
    const { clock } = this.#options;
    this.#cancelBeat();
    if (clock.now() - this.#heardAt >= SOCKET_IDLE_TIMEOUT_MS) {
      this.end('dead');
      return;
    }
    this.#cancelBeat = clock.after(HEARTBEAT_MS, () => this.check());
    this.#cancelPong ??= clock.after(REALTIME_TIMEOUT_MS, () => this.end('dead'));
    this.#ws.send('{"type":"ping","payload":{}}');
  }

  end(end: CloseReason): void {
    if (this.#ended) return;
    this.#ended = true;
    for (const cancel of [this.#cancelConnect, this.#cancelBeat, this.#cancelPong]) cancel?.();
    this.#pace.close();
    // Browsers complain about sockets that are closed while they open: this one is closed once it has.
    if (this.#isUp || end === 'dead') this.#ws.close(1000);
    const asked = this.#asked;
    this.#asked = [];
    this.#options.onEnd(end);
    for (const { ask, cancel } of asked) {
      cancel();
      ask.refused(new NetworkError());
    }
  }

  #hear(data: unknown): void {
    if (this.#ended) return;
    this.#heardAt = this.#options.clock.now();
    this.#cancelPong?.();
    this.#cancelPong = undefined;
    const message = parseMessage(data);
    switch (message?.type) {
      case 'connected':
        this.#open();
        break;
      case 'message':
      case 'resync':
      case 'presence':
        this.#options.onTold(message);
        break;
      case 'error':
        this.#hearError(message.payload);
        break;
      case 'authenticated':
      case 'subscribed':
      case 'unsubscribed':
      case 'published':
        this.#hearAnswer(message);
    }
  }

  #open(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#cancelConnect();
    this.#cancelBeat = this.#options.clock.after(HEARTBEAT_MS, () => this.check());
    this.#options.onOpen();
  }

  #hearAnswer(message: SocketReply): void {
    const channel = 'channel' in message.payload ? message.payload.channel : undefined;
    const ask = this.#take((asked) => asked.answer === message.type && asked.channel === channel);
    if (ask) ask.done(message);
    else if (message.type === 'unsubscribed') this.#kicked.add(message.payload.channel);
  }

  #hearError(payload: Extract<ServerMessage, { type: 'error' }>['payload']): void {
    const error = errorFromSocketMessage(payload);
    const { channel } = payload;
    if (channel !== undefined) {
      if (this.#kicked.delete(channel)) this.#options.onKicked(channel, error);
      else
        this.#take((asked) => asked.channel === channel && asked.answer !== 'unsubscribed')?.refused(error);
    } else if (payload.code === 'TOKEN_EXPIRED') this.#options.onTokenEnded();
    else this.#hearNameless(error);
  }

  /** It is about the one thing that was asked, or about who speaks; else it cannot be told which of them fell through. */
  #hearNameless(error: FabricaError): void {
    const isAboutToken = error.status === 401 || error.status === 403;
    const about = this.#take((asked) =>
      isAboutToken ? asked.answer === 'authenticated' : this.#asked.length === 1,
    );
    if (about) about.refused(error);
    else {
      this.#options.onError(error);
      if (this.#asked.length > 0) this.end(1006);
    }
  }

  #take(fits: (ask: SocketRequest) => boolean): SocketRequest | undefined {
    const at = this.#asked.findIndex(({ ask }) => fits(ask));
    if (at < 0) return undefined;
    const [taken] = this.#asked.splice(at, 1);
    taken?.cancel();
    return taken?.ask;
  }
}

/** Undefined for what is no message: something of a later time, or of somebody else's. */
function parseMessage(data: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as Partial<ServerMessage> | null;
    return typeof message?.payload === 'object' && message.payload && isWhole(message as ServerMessage)
      ? (message as ServerMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Nobody asked for these, and nobody misses one of them that cannot be read. */
function isWhole({ type, payload }: ServerMessage): boolean {
  if (type === 'message') return typeof payload.id === 'string';
  if (type === 'resync') return typeof payload.last === 'string';
  return type !== 'presence' || Array.isArray(payload.data.users);
}
