import type { MessageId, PresentUser, RealtimeMessage } from '@fabrica/contract';
import { type FabricaError, NetworkError } from '../http/errors.ts';
import { callListener } from './call-listener.ts';
import { createRealtimeClock, reconnectDelay } from './realtime-clock.ts';
import type {
  MessagesOptions,
  RealtimeClientOptions,
  RealtimeState,
  SubscribeOptions,
  SubscriptionListener,
} from './realtime-types.ts';
import type { RunningRealtime } from './start-realtime.ts';

/** Uses one socket for all channels. It is open while there are subscriptions or messages to publish. */
export interface RealtimeClient {
  /** Returns a function that ends the subscription. Listeners of one channel share one subscription on the server. */
  subscribe(channel: string, listener: SubscriptionListener, options?: SubscribeOptions): () => void;
  /**
   * Resolves when the server has stored the message. Throws a ValidationError for an invalid message, FORBIDDEN,
   * RATE_LIMITED, …; a NetworkError without a status if no reply came within 10 s. Then the message may have been
   * published; it is not sent again.
   */
  publish(
    channel: string,
    type: string,
    data: unknown,
    metadata?: Record<string, unknown>,
  ): Promise<MessageId>;
  /** Returns the users who are in the channel now. */
  presence(channel: string): Promise<PresentUser[]>;
  /** Returns the channel's messages, oldest first. The server stores 1,000 messages for 24 hours. */
  messages(channel: string, options?: MessagesOptions): Promise<RealtimeMessage[]>;
  /** Returns the same object until the state changes. */
  getState(): RealtimeState;
  /** Calls the listener at each change. Returns a function that removes it. */
  onState(listener: () => void): () => void;
  /** Ends all subscriptions and closes the socket. */
  close(): void;
}

const CLOSED: RealtimeState = { status: 'disconnected', channels: {} };

/** Creates the client of realtime. The code of the socket is loaded with the first subscription or message. */
export function createRealtimeClient(options: RealtimeClientOptions): RealtimeClient {
  const { projectId, http, session, now, overrides } = options;
  const { clock = createRealtimeClock(now), random = Math.random } = overrides;
  const base = `/api/realtime/${encodeURIComponent(projectId)}`;
  const listeners = new Set<() => void>();
  let state = CLOSED;
  let running: Promise<RunningRealtime> | undefined;
  /** Aborted by `close`. */
  let lifetime = new AbortController();

  function setState(next: RealtimeState): void {
    if (next === state) return;
    state = next;
    for (const listener of [...listeners]) callListener(listener);
  }

  function load(): Promise<RunningRealtime> {
    if (session.signal.aborted) return Promise.reject(new NetworkError());
    if (running) return running;
    const loading = import('./start-realtime.ts').then(
      ({ startRealtime }) =>
        startRealtime(options, (next) => {
          if (running === loading) setState(next);
        }),
      (cause) => {
        // The next call loads it again.
        if (running === loading) running = undefined;
        throw new NetworkError({ cause });
      },
    );
    running = loading;
    return loading;
  }

  function close(): void {
    // With the reason of the session, where it has one: another would get a stack, for each page that a server renders.
    lifetime.abort(session.signal.reason);
    if (!session.signal.aborted) lifetime = new AbortController();
    running?.then(
      (realtime) => realtime.close(),
      () => undefined,
    );
    running = undefined;
    setState(CLOSED);
  }
  session.signal.addEventListener('abort', close, { once: true });

  async function fetchList<T>(path: string, query: Record<string, string>, field: string): Promise<T[]> {
    const { body, status } = await http.request({
      service: 'realtime',
      method: 'GET',
      path: `${base}/${path}`,
      query: new URLSearchParams(query),
    });
    const list = (body as Record<string, unknown> | null)?.[field];
    if (!Array.isArray(list)) throw new NetworkError({ status });
    return list;
  }

  return {
    subscribe(channel, listener, presence = {}) {
      const { signal } = lifetime;
      let isEnded = false;
      let stop = () => {};
      let attempts = 0;
      const end = () => {
        isEnded = true;
        stop();
      };
      const start = () => {
        load().then(
          (realtime) => {
            if (!isEnded) stop = realtime.subscribe(channel, listener, presence);
          },
          (error: FabricaError) => {
            if (isEnded) return;
            if (attempts === 0) callListener(() => listener.error?.(error));
            if (isEnded || signal.aborted) return;
            if (attempts === 0) signal.addEventListener('abort', end, { once: true });
            stop = clock.after(reconnectDelay(attempts, random()), start);
            attempts += 1;
          },
        );
      };
      start();
      return end;
    },
    async publish(channel, type, data, metadata) {
      const realtime = await load();
      const payload = { channel, type, data, ...(metadata && { metadata }) };
      return realtime.publish({ type: 'publish', payload });
    },
    presence: (channel) => fetchList('presence', { channel }, 'users'),
    messages(channel, { limit, start, end } = {}) {
      const query = {
        channel,
        ...(limit !== undefined && { limit: String(limit) }),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
      };
      return fetchList('messages', query, 'messages');
    },
    getState: () => state,
    onState(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
  };
}
