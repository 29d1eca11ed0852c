import type { MessageId, PresentUser, RealtimeMessage, SubscribePayload } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { type FabricaError, NetworkError } from '../http/errors.ts';
import type { BearerSource, HttpClient } from '../http/http.ts';
import { callListener } from './call-listener.ts';
import { createRealtimeClock, type RealtimeClock, reconnectDelay } from './realtime-clock.ts';
import type { WebSocketClass } from './realtime-socket.ts';
import type { RunningRealtime } from './start-realtime.ts';

/**
 * The state of a channel. `connected` means that the socket is open and the server has not confirmed the channel yet.
 * A rejected channel is `disconnected` while others are not (docs/spec/product.md section 4).
 */
export type ChannelState = 'disconnected' | 'connecting' | 'connected' | 'subscribed';

export interface RealtimeState {
  /** The state of the socket. */
  readonly status: 'disconnected' | 'connecting' | 'connected';
  /** The state of each channel that has a subscription. */
  readonly channels: Readonly<Record<string, ChannelState>>;
}

/**
 * Receives the events of a channel, in order. An error that a method throws goes to `reportError` and stops nothing.
 */
export interface SubscriptionListener {
  /** Is called with each message once and in order, also with those that were sent while there was no connection. */
  message?(message: RealtimeMessage): void;
  /** Is called if missed messages are no longer stored: the data of the channel must be loaded again. */
  resync?(): void;
  /** Is called with the users in the channel when they have changed. */
  presence?(users: PresentUser[]): void;
  /** Is called with the current state, and then with each new one. */
  state?(state: ChannelState): void;
  /** Is called when the channel or the socket has failed. Transient failures are retried afterwards. */
  error?(error: FabricaError): void;
}

/** With a `userId` or `metadata`, the user appears in the channel's presence, if its rule allows that. */
export type SubscribeOptions = Pick<SubscribePayload, 'userId' | 'metadata'>;

export interface MessagesOptions {
  /** At most 1,000. Default: 100. Without a `start`, the newest messages are returned. */
  limit?: number | undefined;
  start?: MessageId | undefined;
  end?: MessageId | undefined;
}

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

export interface RealtimeOverrides {
  /** Default: the global WebSocket. */
  WebSocket?: WebSocketClass | undefined;
  clock?: RealtimeClock | undefined;
  /** Returns a number from 0 to 1. Default: `Math.random`. */
  random?: (() => number) | undefined;
}

export interface RealtimeClientOptions {
  projectId: string;
  /** The backend's origin; empty for the page's own. */
  origin: string;
  http: HttpClient;
  bearer: BearerSource;
  /** Calls listeners when another user may have signed in. Its signal is aborted with the client. */
  session: { subscribe(listener: () => void): () => void; readonly signal: AbortSignal };
  window: WindowLike | undefined;
  now: () => number;
  overrides: RealtimeOverrides;
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
    lifetime.abort();
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
