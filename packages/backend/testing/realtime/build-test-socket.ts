import type { ClientMessage, ServerMessage } from '@fabrica/contract';
import { expect } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';

export type Told<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>['payload'];

export interface TestSocket {
  ws: WebSocket;
  /** All that the server sent, oldest first. */
  told: ServerMessage[];
  /** What it sent of this type. */
  of<T extends ServerMessage['type']>(type: T): Told<T>[];
  send<T extends ClientMessage['type']>(
    type: T,
    payload: Extract<ClientMessage, { type: T }>['payload'],
  ): void;
  /** The next message of this type, after those that were waited for before. */
  next<T extends ServerMessage['type']>(type: T): Promise<Told<T>>;
  /** What messages of this channel said, oldest first. */
  heard(channel: string): unknown[];
  /** The code that it was closed with. */
  closed: Promise<number>;
  close(): Promise<void>;
}

/** A socket as any client would open it; it has been told that it is connected. */
export async function openTestSocket(address: string, options: ClientOptions = {}): Promise<TestSocket> {
  const socket = buildTestSocket(address, options);
  await socket.next('connected');
  return socket;
}

export function buildTestSocket(address: string, options: ClientOptions = {}): TestSocket {
  const ws = new WebSocket(address, options);
  const told: ServerMessage[] = [];
  const taken = new Map<string, number>();
  let ended = false;
  const closed = new Promise<number>((resolve) => ws.once('close', (code) => resolve(code)));
  closed.then(() => {
    ended = true;
  });
  ws.on('error', () => undefined);
  ws.on('message', (data) => told.push(JSON.parse(String(data))));

  const of = <T extends ServerMessage['type']>(type: T) =>
    told.filter((message) => message.type === type).map(({ payload }) => payload as Told<T>);
  return {
    ws,
    told,
    of,
    send: (type, payload) => ws.send(JSON.stringify({ type, payload })),
    async next(type) {
      const at = taken.get(type) ?? 0;
      taken.set(type, at + 1);
      await expect.poll(() => of(type).length > at || ended, { interval: 2, timeout: 5_000 }).toBe(true);
      const payload = of(type)[at];
      if (payload === undefined)
        throw new Error(`It was closed before another "${type}": ${JSON.stringify(told)}`);
      return payload;
    },
    heard: (channel) =>
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
