import { setTimeout as wait } from 'node:timers/promises';
import type { MessageId, ServerMessage } from '@fabrica/contract';
import { WebSocket } from 'ws';
import type { ListenerLog, ReceivedMessage } from './ledger.ts';

const AGAIN_MS = 200;
/** A proxy may hold a handshake while it looks for a node. */
const HANDSHAKE_MS = 5_000;
/** Two of these without an answer, and the connection is given up. */
const PING_MS = 2_000;

/** A client that listens to one channel, and connects again whenever its connection ends. */
export class Listener implements ListenerLog {
  readonly received: ReceivedMessage[] = [];
  readonly resyncs: number[] = [];
  readonly #urlOf: () => string;
  readonly #channel: string;
  #socket: WebSocket | undefined;
  #last: MessageId | undefined;
  #isSubscribed = false;
  #isOver = false;

  constructor(urlOf: () => string, channel: string) {
    this.#urlOf = urlOf;
    this.#channel = channel;
  }

  get isSubscribed(): boolean {
    return this.#isSubscribed;
  }

  connect(): void {
    const url = `${this.#urlOf().replace('http', 'ws')}/api/realtime?project_id=journal`;
    const socket = new WebSocket(url, { handshakeTimeout: HANDSHAKE_MS });
    this.#socket = socket;
    let isAlive = true;
    const pings = setInterval(() => {
      if (!isAlive) return socket.terminate();
      isAlive = false;
      if (socket.readyState === WebSocket.OPEN) socket.ping();
    }, PING_MS);
    const subscribe = () => {
      const payload = { channel: this.#channel, ...(this.#last && { after: this.#last }) };
      socket.send(JSON.stringify({ type: 'subscribe', payload }));
    };
    socket.on('pong', () => {
      isAlive = true;
    });
    socket.on('open', () => {
      isAlive = true;
      subscribe();
    });
    socket.on('message', (text) => {
      isAlive = true;
      const message = JSON.parse(String(text)) as ServerMessage;
      this.#take(message);
      // Redis may be away when it subscribes.
      if (message.type === 'error' && !this.#isSubscribed) setTimeout(() => socket.terminate(), AGAIN_MS);
    });
    socket.on('error', () => undefined);
    socket.on('close', async () => {
      clearInterval(pings);
      this.#isSubscribed = false;
      await wait(AGAIN_MS);
      if (!this.#isOver) this.connect();
    });
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  #take({ type, payload }: ServerMessage): void {
    if (type === 'subscribed') this.#isSubscribed = true;
    if (type === 'subscribed' || type === 'resync') this.#last = payload.last;
    if (type === 'resync') this.resyncs.push(Date.now());
    if (type !== 'message') return;
    this.#last = payload.id;
    const { id } = payload.data as { id?: string };
    if (payload.type === 'comment.created' && id !== undefined) this.received.push({ id, at: Date.now() });
  }
}
