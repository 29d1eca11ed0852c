import type { ClientMessage, MessageId, PresentUser, RealtimeMessage } from '@fabrica/contract';
import type { WindowLike } from '../browser/window.ts';
import type { FabricaError } from '../http/errors.ts';
import type { BearerSource, HttpClient } from '../http/http.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import type { WebSocketClass } from './realtime-socket.ts';

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
export type SubscribeOptions = Pick<
  Extract<ClientMessage, { type: 'subscribe' }>['payload'],
  'userId' | 'metadata'
>;

export interface MessagesOptions {
  /** At most 1,000. Default: 100. Without a `start`, the newest messages are returned. */
  limit?: number | undefined;
  start?: MessageId | undefined;
  end?: MessageId | undefined;
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
