import type { ClientMessage, ServerMessage } from '@fabrica/contract';
import { expect } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';

type PayloadOf<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>['payload'];

export interface TestSocket {
  ws: WebSocket;
  /** All messages from the server, oldest first. */
  received: ServerMessage[];
  /** Payloads of the messages of this type. */
  of<T extends ServerMessage['type']>(type: T): PayloadOf<T>[];
  send<T extends ClientMessage['type']>(
    type: T,
    payload: Extract<ClientMessage, { type: T }>['payload'],
  ): void;
  /** Resolves with the next message of this type; each call takes one. */
  next<T extends ServerMessage['type']>(type: T): Promise<PayloadOf<T>>;
  /** Data of the messages in this channel, oldest first. */
  dataOf(channel: string): unknown[];
  /** Resolves with the close code. */
  closed: Promise<number>;
  close(): Promise<void>;
}

/** Opens a socket as any client would; `connected` has arrived. */
export async function openTestSocket(url: string, options: ClientOptions = {}): Promise<TestSocket> {
  const socket = buildTestSocket(url, options);
  await socket.next('connected');
  return socket;
}

export function buildTestSocket(url: string, options: ClientOptions = {}): TestSocket {
  const ws = new WebSocket(url, options);
  const received: ServerMessage[] = [];
  const returned = new Map<string, number>();
  let ended = false;
  const closed = new Promise<number>((resolve) => ws.once('close', (code) => resolve(code)));
  closed.then(() => {
    ended = true;
  });
  ws.on('error', () => undefined);
  ws.on('message', (data) => received.push(JSON.parse(String(data))));

  const of = <T extends ServerMessage['type']>(type: T) =>
    received.filter((message) => message.type === type).map(({ payload }) => payload as PayloadOf<T>);
  return {
    ws,
    received,
    of,
    send: (type, payload) => ws.send(JSON.stringify({ type, payload })),
    async next(type) {
      const at = returned.get(type) ?? 0;
      returned.set(type, at + 1);
      await expect.poll(() => of(type).length > at || ended, { interval: 2, timeout: 5_000 }).toBe(true);
      const payload = of(type)[at];
      if (payload === undefined)
        throw new Error(`It was closed before another "${type}": ${JSON.stringify(received)}`);
      return payload;
    },
    dataOf: (channel) =>
      of('message')
        .filter((message) => message.channel === channel)
        .map(({ data }) => data),
    closed,
    async close() {
      ws.close();
      await closed;
    },
  };
}
