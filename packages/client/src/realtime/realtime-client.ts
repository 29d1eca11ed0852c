import type { MessageId, PresentUser, RealtimeMessage, SubscribePayload } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import { type FabricaError, NetworkError } from '../http/errors.ts';
import type { BearerSource, HttpClient } from '../http/http.ts';
import { callListener } from './call-listener.ts';
import { createRealtimeClock, type RealtimeClock } from './realtime-clock.ts';
import type { WebSocketClass } from './realtime-socket.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import type { RunningRealtime } from './start-realtime.ts';

/**
 * `connected` is a socket that is open, in a channel that the server has not confirmed yet. A channel that was refused is
 * `disconnected` while others are not (docs/spec/product.md section 4).
 */
export type ChannelState = 'disconnected' | 'connecting' | 'connected' | 'subscribed';

export interface RealtimeState {
  /** Of the socket. */
  readonly status: 'disconnected' | 'connecting' | 'connected';
  /** Of the channels that somebody listens to. */
  readonly channels: Readonly<Record<string, ChannelState>>;
}

/** Called in the order in which things happen. What one of them throws goes to `reportError`, and stops no other. */
export interface SubscriptionListener {
  /** Each once and in order, those too that were said while there was no connection. */
  message?(message: RealtimeMessage): void;
  /** More was missed than is kept: what the channel is about has to be fetched anew. */
  resync?(): void;
  /** Who is here, when that has changed. */
  presence?(users: PresentUser[]): void;
  /** First what it is, then what it becomes. */
  state?(state: ChannelState): void;
  /** Why the channel, or the socket, is not to be had. Whatever may pass is tried again regardless. */
  error?(error: FabricaError): void;
}

/** Whoever says who they are, or anything of themselves, is seen by others where the channel's rule allows it. */
export type SubscribeOptions = Pick<SubscribePayload, 'userId' | 'metadata'>;

export interface MessagesOptions {
  /** Up to 1,000; 100 when left out. Without a `start`, the newest. */
  limit?: number | undefined;
  start?: MessageId | undefined;
  end?: MessageId | undefined;
}

/** One socket for all channels, open while anybody listens or says something. */
export interface RealtimeClient {
  /** Answers what ends it. Several listeners of one channel share one subscription. */
  subscribe(channel: string, listener: SubscriptionListener, options?: SubscribeOptions): () => void;
  /**
   * Resolves once the message is kept. Throws a ValidationError for what is no message, FORBIDDEN, RATE_LIMITED, …; a
   * NetworkError without a status when no answer came within 10 s: then it may have arrived, and is not said again.
   */
  publish(
    channel: string,
    type: string,
    data: unknown,
    metadata?: Record<string, unknown>,
  ): Promise<MessageId>;
  /** Who is in the channel now. */
  presence(channel: string): Promise<PresentUser[]>;
  /** What was said in it, oldest first; 1,000 messages are kept for 24 hours. */
  messages(channel: string, options?: MessagesOptions): Promise<RealtimeMessage[]>;
  /** The same object until it changes. */
  getState(): RealtimeState;
  /** Calls at each change; answers what ends that. */
  onState(listener: () => void): () => void;
  /** Ends all subscriptions and the socket. */
  close(): void;
}

export interface RealtimeSettings {
  /** The global one by default. */
  WebSocket?: WebSocketClass | undefined;
  clock?: RealtimeClock | undefined;
  /** From 0 to 1, as Math.random. */
  random?: (() => number) | undefined;
}

export interface RealtimeClientOptions {
  projectId: string;
  /** Base address of the backend; empty for the page's own origin. */
  origin: string;
  http: HttpClient;
  bearer: BearerSource;
  /** Tells when somebody else may be signed in, and ends with the client. */
  session: { subscribe(listener: () => void): () => void; readonly signal: AbortSignal };
  window: WindowLike | undefined;
  now: () => number;
  settings: RealtimeSettings;
}

const CLOSED: RealtimeState = { status: 'disconnected', channels: {} };

/** Light: the socket and all that belongs to it is loaded with the first thing that is wanted of it. */
export function createRealtimeClient(options: RealtimeClientOptions): RealtimeClient {
  const { projectId, http, session, now, settings } = options;
  const { clock = createRealtimeClock(now), random = Math.random } = settings;
  const base = `/api/realtime/${encodeURIComponent(projectId)}`;
  const listeners = new Set<() => void>();
  let state = CLOSED;
  let open: Promise<RunningRealtime> | undefined;
  /** Until it is closed. */
  let life = new AbortController();

  function show(next: RealtimeState): void {
    if (next === state) return;
    state = next;
    for (const listener of [...listeners]) callListener(listener);
  }

  function load(): Promise<RunningRealtime> {
    if (session.signal.aborted) return Promise.reject(new NetworkError());
    if (open) return open;
    const loading = import('./start-realtime.ts').then(
      ({ startRealtime }) =>
        startRealtime(options, (next) => {
          if (open === loading) show(next);
        }),
      (cause) => {
        // Asked for again with whatever is wanted next.
        if (open === loading) open = undefined;
        throw new NetworkError({ cause });
      },
    );
    open = loading;
    return loading;
  }

  function close(): void {
    life.abort();
    if (!session.signal.aborted) life = new AbortController();
    open?.then(
      (realtime) => realtime.close(),
      () => undefined,
    );
    open = undefined;
    show(CLOSED);
  }
  session.signal.addEventListener('abort', close, { once: true });

  async function read<T>(path: string, query: Record<string, string>, field: string): Promise<T[]> {
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
    subscribe(channel, listener, shown = {}) {
      const { signal } = life;
      let isOver = false;
      let stop = () => {};
      let attempts = 0;
      const end = () => {
        isOver = true;
        stop();
      };
      const begin = () => {
        load().then(
          (realtime) => {
            if (!isOver) stop = realtime.subscribe(channel, listener, shown);
          },
          (error: FabricaError) => {
            if (isOver) return;
            if (attempts === 0) callListener(() => listener.error?.(error));
            if (isOver || signal.aborted) return;
            if (attempts === 0) signal.addEventListener('abort', end, { once: true });
            stop = clock.after(reconnectDelay(attempts, random()), begin);
            attempts += 1;
          },
        );
      };
      begin();
      return end;
    },
    async publish(channel, type, data, metadata) {
      const realtime = await load();
      const payload = { channel, type, data, ...(metadata && { metadata }) };
      return realtime.publish({ type: 'publish', payload });
    },
    presence: (channel) => read('presence', { channel }, 'users'),
    messages(channel, { limit, start, end } = {}) {
      const query = {
        channel,
        ...(limit !== undefined && { limit: String(limit) }),
        ...(start !== undefined && { start }),
        ...(end !== undefined && { end }),
      };
      return read('messages', query, 'messages');
    },
    getState: () => state,
    onState(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    close,
  };
}
