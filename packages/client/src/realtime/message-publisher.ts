import { type ClientMessage, type MessageId, REALTIME_TIMEOUT_MS } from '@fabrica/contract';
import { NetworkError } from '../http/errors.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import type { SocketRequest } from './realtime-socket.ts';
import { serializeMessage } from './serialize-message.ts';

type PublishMessage = Extract<ClientMessage, { type: 'publish' }>;

/** Publishes messages in order, each of them once or not at all. */
export class MessagePublisher {
  readonly #connection: RealtimeConnection;
  readonly #clock: RealtimeClock;
  /** Requests that wait for a socket. */
  readonly #waiting = new Set<SocketRequest>();
  /** Requests in the queue of a socket, which limits its rate. They are not sent yet. */
  readonly #queued = new Set<SocketRequest>();
  /** The functions that reject the pending calls. */
  readonly #pending = new Set<(error: Error) => void>();

  constructor(connection: RealtimeConnection, clock: RealtimeClock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  get isBusy(): boolean {
    return this.#pending.size > 0;
  }

  /**
   * Throws a NetworkError without a reply within 10 s. The message may have been published, unless there was no
   * socket.
   */
  async publish(message: PublishMessage): Promise<MessageId> {
    const json = serializeMessage(message);
    const { promise, resolve, reject } = Promise.withResolvers<MessageId>();
    const { channel } = message.payload;
    const settle = (result: () => void) => {
      if (!this.#pending.delete(fail)) return;
      cancelTimeout();
      this.#waiting.delete(request);
      this.#queued.delete(request);
      result();
      this.#connection.update();
    };
    const fail = (error: Error) => settle(() => reject(error));
    const cancelTimeout = this.#clock.after(REALTIME_TIMEOUT_MS, () => fail(new NetworkError()));
    const request: SocketRequest = {
      message,
      json,
      channel,
      replyType: 'published',
      isWanted: () => this.#queued.delete(request),
      onReply: (reply) => {
        if (reply.type === 'published') settle(() => resolve(reply.payload.messageId));
      },
      onError: fail,
    };
    this.#pending.add(fail);
    this.#waiting.add(request);
    this.#connection.update();
    this.onReady();
    return promise;
  }

  onReady(): void {
    if (!this.#connection.isReady) return;
    for (const request of this.#waiting) {
      this.#waiting.delete(request);
      this.#queued.add(request);
      this.#connection.request(request);
    }
  }

  /** Must be called when a socket has closed. The next socket sends the requests that this one has not sent. */
  onDisconnect(): void {
    for (const request of this.#queued) this.#waiting.add(request);
    this.#queued.clear();
  }

  close(): void {
    for (const fail of [...this.#pending]) fail(new NetworkError());
  }
}
