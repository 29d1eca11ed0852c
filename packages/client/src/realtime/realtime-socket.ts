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

/** The part of a WebSocket that the client uses. */
interface WebSocketLike {
  send(data: string): void;
  close(code?: number): void;
  addEventListener(type: 'open', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { readonly data: unknown }) => void): void;
  addEventListener(type: 'close', listener: (event: { readonly code: number }) => void): void;
}

export type WebSocketClass = new (url: string) => WebSocketLike;

/** A message with which the server replies to a request. */
type SocketReply = Extract<
  ServerMessage,
  { type: 'authenticated' | 'subscribed' | 'unsubscribed' | 'published' }
>;

/** A message that the server sends to the subscribers of a channel. */
export type ChannelEvent = Extract<ServerMessage, { type: 'message' | 'resync' | 'presence' }>;

/** A message to which the server replies. */
export interface SocketRequest {
  message: ClientMessage;
  /** The JSON of the message, if it is known already. */
  json?: string;
  channel?: string;
  replyType: SocketReply['type'];
  /** Is called right before the message is sent; false discards it. */
  isWanted?(): boolean;
  onReply(reply: SocketReply): void;
  /** Is called with a NetworkError if the socket closes before the reply. */
  onError(error: FabricaError): void;
}

/** The reason why a socket closed: a close code, or a timeout because the server sent nothing. */
export type CloseReason = number | 'timeout';

export interface RealtimeSocketOptions {
  url: string;
  WebSocket: WebSocketClass;
  clock: RealtimeClock;
  /** Is called after the server's greeting: requests are possible from now on. */
  onOpen(): void;
  onEvent(event: ChannelEvent): void;
  /** Is called when the server has removed this socket from a channel. */
  onRemoved(channel: string, error: FabricaError): void;
  /** Is called when the token of the socket has expired; the socket is anonymous from now on. */
  onTokenExpired(): void;
  /** Is called with an error that belongs to no request. */
  onError(error: FabricaError): void;
  /** Is called once, as the last call, before the pending requests fail. */
  onClose(reason: CloseReason): void;
}

/** Manages one WebSocket: matches replies to requests, sends pings and closes the socket if the server is silent. */
export class RealtimeSocket {
  readonly #options: RealtimeSocketOptions;
  readonly #webSocket: WebSocketLike;
  readonly #queue: TokenBucketQueue;
  /** The requests without a reply. The server replies in order. */
  #pending: { request: SocketRequest; cancelTimeout: () => void }[] = [];
  /** Channels that the server has removed this socket from; an error with the reason follows. */
  readonly #removed = new Set<string>();
  #cancelConnectTimeout: () => void;
  #cancelPing = () => {};
  /** Set while a ping waits for any message from the server. */
  #cancelPongTimeout: (() => void) | undefined;
  #receivedAt: number;
  #isConnected = false;
  #isOpen = false;
  #isClosed = false;

  /** Throws the error of the WebSocket if the URL is not valid. */
  constructor(options: RealtimeSocketOptions) {
    const { clock, url, WebSocket } = options;
    this.#options = options;
    this.#queue = createTokenBucketQueue(clock);
    this.#receivedAt = clock.now();
    this.#webSocket = new WebSocket(url);
    this.#webSocket.addEventListener('open', () => {
      this.#isConnected = true;
      if (this.#isClosed) this.#webSocket.close(1000);
    });
    this.#webSocket.addEventListener('message', ({ data }) => this.#onMessage(data));
    this.#webSocket.addEventListener('close', ({ code }) => this.close(code));
    this.#cancelConnectTimeout = clock.after(REALTIME_TIMEOUT_MS, () => this.close('timeout'));
  }

  request(request: SocketRequest): void {
    this.#queue.run(() => {
      if (request.isWanted?.() === false) return;
      const cancelTimeout = this.#options.clock.after(REALTIME_TIMEOUT_MS, () => this.close('timeout'));
      this.#pending.push({ request, cancelTimeout });
      this.#webSocket.send(request.json ?? JSON.stringify(request.message));
    });
  }

  /**
   * Sends a ping, and closes the socket if nothing comes back within 10 s. Closes it at once if the server must have
   * closed its end already.
   */
  check(): void {
    if (!this.#isOpen || this.#isClosed) return;
    const { clock } = this.#options;
    this.#cancelPing();
    if (clock.now() - this.#receivedAt >= SOCKET_IDLE_TIMEOUT_MS) {
      this.close('timeout');
      return;
    }
    this.#cancelPing = clock.after(HEARTBEAT_MS, () => this.check());
    this.#cancelPongTimeout ??= clock.after(REALTIME_TIMEOUT_MS, () => this.close('timeout'));
    this.#webSocket.send('{"type":"ping","payload":{}}');
  }

  close(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    for (const cancel of [this.#cancelConnectTimeout, this.#cancelPing, this.#cancelPongTimeout]) cancel?.();
    this.#queue.close();
    // Browsers log an error if a socket is closed while it connects: this one is closed when it has connected.
    if (this.#isConnected || reason === 'timeout') this.#webSocket.close(1000);
    const pending = this.#pending;
    this.#pending = [];
    this.#options.onClose(reason);
    for (const { request, cancelTimeout } of pending) {
      cancelTimeout();
      request.onError(new NetworkError());
    }
  }

  #onMessage(data: unknown): void {
    if (this.#isClosed) return;
    this.#receivedAt = this.#options.clock.now();
    this.#cancelPongTimeout?.();
    this.#cancelPongTimeout = undefined;
    const message = parseMessage(data);
    switch (message?.type) {
      case 'connected':
        this.#onConnected();
        break;
      case 'message':
      case 'resync':
      case 'presence':
        this.#options.onEvent(message);
        break;
      case 'error':
        this.#onError(message.payload);
        break;
      case 'authenticated':
      case 'subscribed':
      case 'unsubscribed':
      case 'published':
        this.#onReply(message);
    }
  }

  #onConnected(): void {
    if (this.#isOpen) return;
    this.#isOpen = true;
    this.#cancelConnectTimeout();
    this.#cancelPing = this.#options.clock.after(HEARTBEAT_MS, () => this.check());
    this.#options.onOpen();
  }

  #onReply(reply: SocketReply): void {
    const channel = 'channel' in reply.payload ? reply.payload.channel : undefined;
    const request = this.#takePending(
      (pending) => pending.replyType === reply.type && pending.channel === channel,
    );
    if (request) request.onReply(reply);
    else if (reply.type === 'unsubscribed') this.#removed.add(reply.payload.channel);
  }

  #onError(payload: Extract<ServerMessage, { type: 'error' }>['payload']): void {
    const error = errorFromSocketMessage(payload);
    const { channel } = payload;
    if (channel !== undefined) {
      if (this.#removed.delete(channel)) this.#options.onRemoved(channel, error);
      else
        this.#takePending(
          (pending) => pending.channel === channel && pending.replyType !== 'unsubscribed',
        )?.onError(error);
    } else if (payload.code === 'TOKEN_EXPIRED') this.#options.onTokenExpired();
    else this.#onErrorWithoutChannel(error);
  }

  /**
   * Assigns the error to the only pending request, or to authentication. If neither fits, it is unknown which of the
   * requests has failed, and the socket closes.
   */
  #onErrorWithoutChannel(error: FabricaError): void {
    const isAboutToken = error.status === 401 || error.status === 403;
    const request = this.#takePending((pending) =>
      isAboutToken ? pending.replyType === 'authenticated' : this.#pending.length === 1,
    );
    if (request) request.onError(error);
    else {
      this.#options.onError(error);
      if (this.#pending.length > 0) this.close(1006);
    }
  }

  #takePending(matches: (request: SocketRequest) => boolean): SocketRequest | undefined {
    const index = this.#pending.findIndex(({ request }) => matches(request));
    if (index < 0) return undefined;
    const [taken] = this.#pending.splice(index, 1);
    taken?.cancelTimeout();
    return taken?.request;
  }
}

/** Returns undefined for data that is not a message: the server may be newer, or something else. */
function parseMessage(data: unknown): ServerMessage | undefined {
  try {
    const message = JSON.parse(String(data)) as Partial<ServerMessage> | null;
    return typeof message?.payload === 'object' && message.payload && isComplete(message as ServerMessage)
      ? (message as ServerMessage)
      : undefined;
  } catch {
    return undefined;
  }
}

/** Checks the messages to which no request belongs. */
function isComplete({ type, payload }: ServerMessage): boolean {
  if (type === 'message') return typeof payload.id === 'string';
  if (type === 'resync') return typeof payload.last === 'string';
  return type !== 'presence' || Array.isArray(payload.data.users);
}
