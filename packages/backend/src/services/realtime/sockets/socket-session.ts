import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import { REALTIME_TIMEOUT_MS, type ServerMessage, SOCKET_CLOSE } from '@fabrica/contract';
import { clientMessage, type ParsedClientMessage } from '@fabrica/contract/schemas';
import type { WebSocket } from 'ws';
import { anonymous, type Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { parseWith } from '../../../http/body.ts';
import { createTokenBucket, type TokenBucket } from '../../../runtime/token-bucket.ts';
import { channelKey } from '../broker/broker.ts';
import { type Frame, frameMessage } from '../broker/frame.ts';
import { authorizeChannel, type FindChannelRule } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import { serializeBody } from '../message-body.ts';
import { senderId, tokenExpiry } from './identity.ts';
import { Memberships } from './memberships.ts';

interface SocketSessionOptions {
  project: Project;
  ruleOf: FindChannelRule;
  ws: WebSocket;
  /** The stream under `ws`. */
  socket: Duplex;
  /** The token in the query of the URL. */
  token: string | undefined;
  /** False for pages of origins that the project does not name: they can only be anonymous. */
  mayAuthenticate: boolean;
  onClosed(): void;
}

/** Invalid messages that get an error before the socket is closed. */
const INVALID_MESSAGES = { capacity: 5, perSecond: 0.1 };
/** Messages above the rate limit that get an error before the socket is closed. */
const EXCESS_MESSAGES = { capacity: 500, perSecond: 10 };
/** Bytes of a message, besides its text, while it waits for the one before it. */
const WAITING_BYTES = 4 * 1024;

/** Holds one open socket: its caller, its channels, and its messages, which are handled one after the other. */
export class SocketSession {
  readonly #context: RealtimeContext;
  readonly #options: SocketSessionOptions;
  readonly #messages: TokenBucket;
  readonly #invalid: TokenBucket;
  readonly #excess: TokenBucket;
  readonly #memberships: Memberships;
  #caller: Caller = anonymous;
  #authorization: string | undefined;
  #expiresAt: number | null = null;
  #authenticatedAt: number;
  #lastMessageAt: number;
  #ended = false;
  /** Bytes of messages that wait for the one before them. */
  #waitingBytes = 0;
  /** Resolves when all messages so far have been handled. */
  #queue = Promise.resolve();

  constructor(context: RealtimeContext, options: SocketSessionOptions) {
    const { limits, now } = context;
    const socketId = randomUUID();
    this.#context = context;
    this.#options = options;
    const perSecond = limits.messagesPerSecond;
    this.#messages = createTokenBucket({ capacity: perSecond, perSecond, now });
    this.#invalid = createTokenBucket({ ...INVALID_MESSAGES, now });
    this.#excess = createTokenBucket({ ...EXCESS_MESSAGES, now });
    this.#authenticatedAt = now();
    this.#lastMessageAt = now();
    this.#memberships = new Memberships(context, {
      socketId,
      definition: options.project.definition,
      ruleOf: options.ruleOf,
      subscriber: { send: (frames) => this.#write(frames) },
      send: (message) => this.#send(message),
      sendError: (error, channel) => this.#sendError(error, channel),
    });
    this.#listen();
    this.#enqueue(() => this.#start(socketId));
  }

  /** Closes the socket if it was silent for too long, and withdraws the caller's rights once its token is invalid. */
  tick(now: number): void {
    const { limits } = this.#context;
    if (this.#ended) return;
    if (now - this.#lastMessageAt >= limits.silenceMs) {
      this.close(SOCKET_CLOSE.idle, 'Nothing was heard');
      return;
    }
    const authorization = this.#authorization;
    if (authorization === undefined) return;
    const isExpired = this.#expiresAt !== null && now >= this.#expiresAt;
    if (!isExpired && now - this.#authenticatedAt < limits.reauthenticateMs) return;
    this.#authenticatedAt = now;
    this.#enqueue(async () => {
      // The client may have sent a new token since.
      if (this.#authorization !== authorization) return;
      if (isExpired) this.#expireToken();
      else await this.#reauthenticate();
    });
  }

  close(code: number, reason: string): void {
    this.#end();
    this.#options.ws.close(code, reason);
  }

  #listen(): void {
    const { ws } = this.#options;
    ws.on('message', (data, isBinary) => this.#receive(data as Buffer, isBinary));
    ws.on('ping', () => {
      this.#lastMessageAt = this.#context.now();
    });
    // The library responds to an invalid frame and closes the socket by itself.
    ws.on('error', () => undefined);
    ws.on('close', () => this.#end());
  }

  async #start(socketId: string): Promise<void> {
    const { token } = this.#options;
    if (token !== undefined) {
      await this.#authenticate(token).catch((error) => {
        this.#sendError(error);
        this.close(SOCKET_CLOSE.failed, 'The token could not be checked');
      });
    }
    if (!this.#ended) this.#send({ type: 'connected', payload: { socketId } });
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#memberships.leaveAll();
    this.#options.onClosed();
  }

  #write(frames: Frame): void {
    const { ws, socket } = this.#options;
    if (ws.readyState !== ws.OPEN) return;
    // A client that does not read is disconnected; it can reconnect and get what it missed.
    if (ws.bufferedAmount > this.#context.limits.bufferedBytes) ws.terminate();
    else socket.write(frames);
  }

  #send(message: ServerMessage): void {
    this.#write(frameMessage(message));
  }

  #sendError(error: unknown, channel?: string): void {
    if (!(error instanceof AppError)) {
      const project = this.#options.project.definition.id;
      this.#context.log.error({ project, err: error }, 'A realtime message failed');
    }
    const { message, code } =
      error instanceof AppError
        ? error
        : new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
    const payload = { ...(channel !== undefined && { channel }), error: message, code };
    this.#send({ type: 'error', payload });
  }

  #receive(data: Buffer, isBinary: boolean): void {
    const { limits, now } = this.#context;
    this.#lastMessageAt = now();
    if (this.#ended) return;
    if (!this.#messages.take() || this.#waitingBytes >= limits.bufferedBytes) {
      const sentence = `A socket may send ${limits.messagesPerSecond} messages a second.`;
      this.#sendError(new AppError('RATE_LIMITED', sentence));
      if (!this.#excess.take()) this.close(SOCKET_CLOSE.tooMany, 'Too many messages');
      return;
    }
    let value: unknown;
    try {
      value = parseJson(data, isBinary);
      const message = parseWith(clientMessage, value);
      const bytes = data.length + WAITING_BYTES;
      this.#enqueue(() => this.#handle(message), { channel: channelOf(message), bytes });
    } catch (error) {
      this.#sendError(error, channelOf(value));
      if (!this.#invalid.take()) this.close(SOCKET_CLOSE.malformed, 'Not a message');
    }
  }

  #enqueue(
    act: () => Promise<void>,
    { channel, bytes = 0 }: { channel?: string | undefined; bytes?: number } = {},
  ): void {
    this.#waitingBytes += bytes;
    this.#queue = this.#queue.then(async () => {
      this.#waitingBytes -= bytes;
      if (this.#ended) return;
      await act().catch((error) => this.#sendError(error, channel));
    });
  }

  async #handle(message: ParsedClientMessage): Promise<void> {
    const { project, ruleOf } = this.#options;
    switch (message.type) {
      case 'ping':
        this.#memberships.seen(this.#lastMessageAt);
        return this.#send({ type: 'pong', payload: {} });
      case 'auth':
        return this.#authenticate(message.payload.token);
      case 'subscribe':
        await this.#drained();
        return this.#memberships.join(message.payload, await this.#currentCaller());
      case 'unsubscribe':
        this.#memberships.leave(message.payload.channel);
        return this.#send({ type: 'unsubscribed', payload: { channel: message.payload.channel } });
      case 'publish': {
        const { channel, userId, ...rest } = message.payload;
        const caller = await this.#currentCaller();
        authorizeChannel(caller, ruleOf(channel).publish, project.definition);
        const body = serializeBody({ ...rest, userId: senderId(caller, userId) });
        const messageId = await this.#context.broker.publish(
          channelKey(project.definition.id, channel),
          body,
        );
        return this.#send({ type: 'published', payload: { channel, messageId } });
      }
    }
  }

  /** Waits until the client has read what was sent before: a channel may add a lot of missed messages to it. */
  async #drained(): Promise<void> {
    const { socket } = this.#options;
    if (!socket.writableNeedDrain) return;
    await once(socket, 'drain', { signal: AbortSignal.timeout(REALTIME_TIMEOUT_MS) }).catch((cause) => {
      throw new AppError('REALTIME_UNAVAILABLE', 'What was sent before has not been read.', { cause });
    });
  }

  async #authenticate(token: string | null): Promise<void> {
    const { mayAuthenticate, project } = this.#options;
    if (token !== null && !mayAuthenticate) {
      this.#sendError(new AppError('FORBIDDEN', 'Pages of this origin may not sign in here.'));
      return this.close(SOCKET_CLOSE.forbidden, 'Forbidden');
    }
    try {
      const authorization = token === null ? undefined : `Bearer ${token}`;
      this.#caller = await this.#context.authenticate(authorization, project);
      this.#authorization = authorization;
      this.#expiresAt = token === null ? null : tokenExpiry(token);
    } catch (error) {
      if (!isAboutToken(error)) throw error;
      this.#sendError(new AppError('UNAUTHENTICATED', error.message));
      return this.close(SOCKET_CLOSE.unauthenticated, 'Unauthenticated');
    }
    if (this.#ended) return;
    this.#memberships.reauthorize(this.#caller);
    const userId = this.#caller.kind === 'user' ? this.#caller.id : null;
    this.#send({ type: 'authenticated', payload: { userId, expiresAt: this.#expiresAt } });
  }

  /** Authenticates the token again, so that a sign-out, another role or a disabled account takes effect at once. */
  async #currentCaller(): Promise<Caller> {
    if (this.#authorization === undefined) return anonymous;
    try {
      this.#authenticatedAt = this.#context.now();
      this.#caller = await this.#context.authenticate(this.#authorization, this.#options.project);
      return this.#caller;
    } catch (error) {
      if (isAboutToken(error)) this.#expireToken();
      throw error;
    }
  }

  /** Checks the token of a socket that sends nothing: otherwise a sign-out would go unnoticed. */
  async #reauthenticate(): Promise<void> {
    try {
      this.#memberships.reauthorize(await this.#currentCaller());
    } catch (error) {
      // An invalid token was reported to the client already; any other error is tried again.
      if (isAboutToken(error)) return;
      const project = this.#options.project.definition.id;
      this.#context.log.warn({ project, err: error }, 'A token could not be checked');
    }
  }

  /** Makes the caller anonymous and tells the client. */
  #expireToken(): void {
    this.#authorization = undefined;
    this.#expiresAt = null;
    this.#caller = anonymous;
    this.#sendError(new AppError('TOKEN_EXPIRED', 'Your sign-in has ended. Please sign in again.'));
    this.#memberships.reauthorize(this.#caller);
  }
}

function isAboutToken(error: unknown): error is AppError {
  return error instanceof AppError && error.status === 401;
}

/** Returns the channel that a message names, even if the message is not valid. */
function channelOf(value: unknown): string | undefined {
  const channel = (value as { payload?: { channel?: unknown } } | null | undefined)?.payload?.channel;
  return typeof channel === 'string' ? channel : undefined;
}

/** Throws VALIDATION_FAILED or INVALID_JSON. */
function parseJson(data: Buffer, isBinary: boolean): unknown {
  if (isBinary) throw new AppError('VALIDATION_FAILED', 'Messages are JSON as text, not binary.');
  try {
    return JSON.parse(String(data));
  } catch (cause) {
    throw new AppError('INVALID_JSON', 'The message is not valid JSON.', { cause });
  }
}
