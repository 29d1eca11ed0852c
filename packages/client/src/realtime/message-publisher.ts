import { type ClientMessage, type MessageId, REALTIME_TIMEOUT_MS } from '@fabrica/contract';
import { NetworkError } from '../http/errors.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import type { SocketRequest } from './realtime-socket.ts';
import { serializeMessage } from './serialize-message.ts';

type Publish = Extract<ClientMessage, { type: 'publish' }>;

/** What is to be said, in its order: each message once, or not at all. */
export class MessagePublisher {
  readonly #connection: RealtimeConnection;
  readonly #clock: RealtimeClock;
  /** Those that no socket has taken yet. */
  readonly #waiting = new Set<SocketRequest>();
  /** Those that a socket has taken and not sent yet: it is paced. */
  readonly #taken = new Set<SocketRequest>();
  readonly #ending = new Set<(error: Error) => void>();

  constructor(connection: RealtimeConnection, clock: RealtimeClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  get isBusy(): boolean {
    return this.#ending.size > 0;
  }

  /** Throws a NetworkError when no answer came within 10 s; the message may have arrived, unless there was no socket. */
  async publish(message: Publish): Promise<MessageId> {
    const text = serializeMessage(message);
    const { promise, resolve, reject } = Promise.withResolvers<MessageId>();
    const { channel } = message.payload;
    const end = (settle: () => void) => {
      if (!this.#ending.delete(fail)) return;
      cancel();
      this.#waiting.delete(ask);
      this.#taken.delete(ask);
      settle();
      this.#connection.want();
    };
    const fail = (error: Error) => end(() => reject(error));
    const cancel = this.#clock.after(REALTIME_TIMEOUT_MS, () => fail(new NetworkError()));
    const ask: SocketRequest = {
      message,
      text,
      channel,
      answer: 'published',
      isWanted: () => this.#taken.delete(ask),
      done: (answer) => {
        if (answer.type === 'published') end(() => resolve(answer.payload.messageId));
      },
      refused: fail,
    };
    this.#ending.add(fail);
    this.#waiting.add(ask);
    this.#connection.want();
    this.ready();
    return promise;
  }

  ready(): void {
    if (!this.#connection.isReady) return;
    for (const ask of this.#waiting) {
      this.#waiting.delete(ask);
      this.#taken.add(ask);
      this.#connection.ask(ask);
    }
  }

  /** The socket is gone: what it has not sent, the next one may. */
  lost(): void {
    for (const ask of this.#taken) this.#waiting.add(ask);
    this.#taken.clear();
  }

  close(): void {
    for (const fail of [...this.#ending]) fail(new NetworkError());
  }
}
