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
import { createTokenBucket } from '../../../runtime/token-bucket.ts';
import { type Frame, frameMessage } from '../broker/frame.ts';
import { authorizeChannel, type RuleOfChannel } from '../channel-rules.ts';
import type { RealtimeContext } from '../context.ts';
import { bodyOf } from '../message-body.ts';
import { endOfToken, speakerOf } from './identity.ts';
import { createMemberships } from './memberships.ts';

export interface SocketSession {
  /** Closes it when nothing was heard for too long, and ends what its token allowed once that has ended. */
  tick(now: number): void;
  end(code: number, reason: string): void;
}

export interface SessionOptions {
  project: Project;
  ruleOf: RuleOfChannel;
  ws: WebSocket;
  /** What `ws` reads from and writes to. */
  socket: Duplex;
  /** What the address brought along. */
  token: string | undefined;
  /** False for pages of origins that the project does not name: they may speak for nobody. */
  mayAuthenticate: boolean;
  whenClosed(): void;
}

/** Faults that are answered before the socket is closed, and how many of them are forgotten in a second. */
const GARBAGE = { capacity: 5, perSecond: 0.1 };
const EXCESS = { capacity: 500, perSecond: 10 };
/** What a message takes, beside its text, that waits for the one before it. */
const WAITING_BYTES = 4 * 1024;

/** One socket: who it speaks for, and what it says, one thing after the other. */
export function openSession(
  context: RealtimeContext,
  { project, ruleOf, ws, socket, token, mayAuthenticate, whenClosed }: SessionOptions,
): SocketSession {
  const { broker, authenticate, limits, now, log } = context;
  const { definition } = project;
  const socketId = randomUUID();
  const perSecond = limits.messagesPerSecond;
  const messages = createTokenBucket({ capacity: perSecond, perSecond, now });
  const garbage = createTokenBucket({ ...GARBAGE, now });
  const excess = createTokenBucket({ ...EXCESS, now });
  const memberships = createMemberships(context, {
    socketId,
    project,
    ruleOf,
    subscriber: { send: write },
    send,
    sendError,
  });
  let caller: Caller = anonymous;
  let authorization: string | undefined;
  let expiresAt: number | null = null;
  let askedAt = now();
  let heardAt = now();
  let ended = false;
  /** Bytes of messages that were heard, and wait for the one before them. */
  let waiting = 0;
  let turn = Promise.resolve();

  function write(frames: Frame): void {
    if (ws.readyState !== ws.OPEN) return;
    // Whoever does not read is let go, and may come back for what it missed.
    if (ws.bufferedAmount > limits.bufferedBytes) ws.terminate();
    else socket.write(frames);
  }

  function send(message: ServerMessage): void {
    write(frameMessage(message));
  }

  function sendError(error: unknown, channel?: string): void {
    if (!(error instanceof AppError)) {
      log.error({ project: definition.id, err: error }, 'A realtime message failed');
    }
    const { message, code } =
      error instanceof AppError
        ? error
        : new AppError('INTERNAL_ERROR', 'Something went wrong on our side. Please try again.');
    send({ type: 'error', payload: { ...(channel !== undefined && { channel }), error: message, code } });
  }

  function end(code: number, reason: string): void {
    leaveAll();
    ws.close(code, reason);
  }

  function leaveAll(): void {
    if (ended) return;
    ended = true;
    memberships.leaveAll();
    whenClosed();
  }

  /** Who this socket speaks for at this moment: a sign-out, another role or a disabled account counts at once. */
  async function currentCaller(): Promise<Caller> {
    if (authorization === undefined) return anonymous;
    try {
      askedAt = now();
      caller = await authenticate(authorization, project);
      return caller;
    } catch (error) {
      if (isAboutToken(error)) tokenEnded();
      throw error;
    }
  }

  /** For whoever only listens: nothing else would show that it may not any more. */
  async function askAgain(): Promise<void> {
    try {
      memberships.judgeAnew(await currentCaller());
    } catch (error) {
      // Of a token that has ended it was told; all else is tried again.
      if (!isAboutToken(error))
        log.warn({ project: definition.id, err: error }, 'A token could not be checked');
    }
  }

  /** From now on it speaks for nobody, and is told so. */
  function tokenEnded(): void {
    authorization = undefined;
    expiresAt = null;
    caller = anonymous;
    sendError(new AppError('TOKEN_EXPIRED', 'Your sign-in has ended. Please sign in again.'));
    memberships.judgeAnew(caller);
  }

  async function speakFor(next: string | null): Promise<void> {
    if (next !== null && !mayAuthenticate) {
      sendError(new AppError('FORBIDDEN', 'Pages of this origin may not sign in here.'));
      return end(SOCKET_CLOSE.forbidden, 'Forbidden');
    }
    try {
      const asked = next === null ? undefined : `Bearer ${next}`;
      caller = await authenticate(asked, project);
      authorization = asked;
      expiresAt = next === null ? null : endOfToken(next);
    } catch (error) {
      if (!isAboutToken(error)) throw error;
      sendError(new AppError('UNAUTHENTICATED', error.message));
      return end(SOCKET_CLOSE.unauthenticated, 'Unauthenticated');
    }
    if (ended) return;
    memberships.judgeAnew(caller);
    const userId = caller.kind === 'user' ? caller.id : null;
    send({ type: 'authenticated', payload: { userId, expiresAt } });
  }

  /** Much may be told of a channel that is joined: not before what was told of others has been taken. */
  async function whenTaken(): Promise<void> {
    if (!socket.writableNeedDrain) return;
    await once(socket, 'drain', { signal: AbortSignal.timeout(REALTIME_TIMEOUT_MS) }).catch((cause) => {
      throw new AppError('REALTIME_UNAVAILABLE', 'What was sent before has not been read.', { cause });
    });
  }

  async function handle(message: ParsedClientMessage): Promise<void> {
    switch (message.type) {
      case 'ping':
        memberships.seen(heardAt);
        return send({ type: 'pong', payload: {} });
      case 'auth':
        return speakFor(message.payload.token);
      case 'subscribe':
        await whenTaken();
        return memberships.join(message.payload, await currentCaller());
      case 'unsubscribe':
        memberships.leave(message.payload.channel);
        return send({ type: 'unsubscribed', payload: { channel: message.payload.channel } });
      case 'publish': {
        const { channel, userId, ...said } = message.payload;
        const speaker = await currentCaller();
        authorizeChannel(speaker, ruleOf(channel).publish, definition);
        const body = bodyOf({ ...said, userId: speakerOf(speaker, userId) });
        const messageId = await broker.publish(`${definition.id}:${channel}`, body);
        return send({ type: 'published', payload: { channel, messageId } });
      }
    }
  }

  /** One thing after the other, whatever each of them takes. */
  function inTurn(
    act: () => Promise<void>,
    { channel, bytes = 0 }: { channel?: string | undefined; bytes?: number } = {},
  ): void {
    waiting += bytes;
    turn = turn.then(async () => {
      waiting -= bytes;
      if (ended) return;
      await act().catch((error) => sendError(error, channel));
    });
  }

  function take(data: Buffer, isBinary: boolean): void {
    heardAt = now();
    if (ended) return;
    if (!messages.take() || waiting >= limits.bufferedBytes) {
      sendError(new AppError('RATE_LIMITED', `A socket may send ${perSecond} messages a second.`));
      if (!excess.take()) end(SOCKET_CLOSE.tooMany, 'Too many messages');
      return;
    }
    let value: unknown;
    try {
      value = parseJson(data, isBinary);
      const message = parseWith(clientMessage, value);
      inTurn(() => handle(message), { channel: channelOf(message), bytes: data.length + WAITING_BYTES });
    } catch (error) {
      sendError(error, channelOf(value));
      if (!garbage.take()) end(SOCKET_CLOSE.malformed, 'Not a message');
    }
  }

  ws.on('message', (data, isBinary) => take(data as Buffer, isBinary));
  ws.on('ping', () => {
    heardAt = now();
  });
  // What is wrong with a frame, the library answers by itself; then it is closed.
  ws.on('error', () => undefined);
  ws.on('close', leaveAll);
  inTurn(async () => {
    if (token !== undefined) {
      await speakFor(token).catch((error) => {
        sendError(error);
        end(SOCKET_CLOSE.failed, 'The token could not be checked');
      });
    }
    if (!ended) send({ type: 'connected', payload: { socketId } });
  });

  return {
    tick(at) {
      if (ended) return;
      if (at - heardAt >= limits.silenceMs) return end(SOCKET_CLOSE.idle, 'Nothing was heard');
      const over = authorization;
      if (over === undefined) return;
      const isOver = expiresAt !== null && at >= expiresAt;
      if (!isOver && at - askedAt < limits.askAgainMs) return;
      askedAt = at;
      inTurn(async () => {
        // It may have been renewed while this waited for its turn.
        if (authorization !== over) return;
        if (isOver) tokenEnded();
        else await askAgain();
      });
    },
    end,
  };
}

function isAboutToken(error: unknown): error is AppError {
  return error instanceof AppError && error.status === 401;
}

/** The channel that a message names, whatever else it is. */
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
