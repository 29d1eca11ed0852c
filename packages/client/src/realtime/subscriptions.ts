import {
  type ClientMessage,
  compareMessageIds,
  MAX_SOCKET_CHANNELS,
  type MessageId,
  type PresentUser,
} from '@fabrica/contract';
import { type FabricaError, ValidationError } from '../http/errors.ts';
import { callListener, reportUncaught } from './call-listener.ts';
import { type RealtimeClock, reconnectDelay } from './realtime-clock.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import type { ChannelEvent } from './realtime-socket.ts';
import type { ChannelState, SubscribeOptions, SubscriptionListener } from './realtime-types.ts';
import { serializeMessage } from './serialize-message.ts';
import { isTransient } from './socket-error.ts';

interface Subscriber {
  listener: SubscriptionListener;
  options: SubscribeOptions;
}

interface Channel {
  name: string;
  subscribers: Set<Subscriber>;
  /** A `pending` channel is requested as soon as possible; a `rejected` one waits for another token or subscriber. */
  phase: 'pending' | 'requested' | 'subscribed' | 'rejected';
  /** The last message that the listeners received, or the position at which the subscription began. */
  lastId: MessageId | undefined;
  /** The JSON of the presence options that the server has. */
  sentOptions: string | undefined;
  /** The token with which the server rejected the channel. */
  rejectedToken: string | undefined;
  /** Consecutive transient errors. */
  attempts: number;
  cancelRetry: (() => void) | undefined;
  users: PresentUser[] | undefined;
  /** The state that the listeners know. */
  state: ChannelState;
}

interface SubscriptionsOptions {
  connection: RealtimeConnection;
  clock: RealtimeClock;
  random: () => number;
  /** Is called when the state of a channel has changed. */
  onState(): void;
}

/** Manages the channels, their listeners and the last message of each. They outlive sockets. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #channels = new Map<string, Channel>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#channels.size;
  }

  states(): Record<string, ChannelState> {
    return Object.fromEntries([...this.#channels].map(([name, { state }]) => [name, state]));
  }

  /** Returns a function that ends the subscription. */
  subscribe(name: string, listener: SubscriptionListener, options: SubscribeOptions): () => void {
    const subscriber = { listener, options };
    let channel = this.#channels.get(name);
    try {
      serializeMessage({ type: 'subscribe', payload: { channel: name, ...options } });
      if (!channel && this.#channels.size >= MAX_SOCKET_CHANNELS) {
        throw new ValidationError(`A client may be in ${MAX_SOCKET_CHANNELS} channels at a time.`, {
          code: 'QUOTA_EXCEEDED',
        });
      }
    } catch (error) {
      if (listener.error) callListener(() => listener.error?.(error as FabricaError));
      else reportUncaught(error);
      return () => {};
    }
    channel ??= this.#addChannel(name);
    channel.subscribers.add(subscriber);
    if (channel.phase === 'rejected') channel.phase = 'pending';
    const { state, users } = channel;
    callListener(() => listener.state?.(state));
    if (users) callListener(() => listener.presence?.(users));
    this.#options.connection.update();
    this.#request(channel);
    this.updateStates();
    return () => this.#remove(name, subscriber);
  }

  /** Must be called when requests are possible, and when the token has changed. */
  onReady(): void {
    const { token } = this.#options.connection;
    for (const channel of this.#channels.values()) {
      if (channel.phase === 'rejected' && channel.rejectedToken !== token) channel.phase = 'pending';
      this.#request(channel);
    }
    this.updateStates();
  }

  onDisconnect(): void {
    for (const channel of this.#channels.values()) {
      channel.cancelRetry?.();
      channel.cancelRetry = undefined;
      if (channel.phase !== 'rejected') channel.phase = 'pending';
    }
  }

  onEvent({ type, payload }: ChannelEvent): void {
    const channel = this.#channels.get(payload.channel);
    if (!channel) return;
    if (type === 'presence') {
      channel.users = payload.data.users;
      const { users } = channel;
      notify(channel, (listener) => listener.presence?.(users));
    } else if (type === 'resync') {
      channel.lastId = payload.last;
      notify(channel, (listener) => listener.resync?.());
    } else if (isAfter(payload.id, channel.lastId)) {
      channel.lastId = payload.id;
      notify(channel, (listener) => listener.message?.(payload));
    }
  }

  /** Must be called when the server has removed the socket from a channel. */
  onRemoved(name: string, error: FabricaError): void {
    const channel = this.#channels.get(name);
    if (!channel || channel.phase === 'requested') return;
    // The next token may be allowed to subscribe.
    if (this.#options.connection.isReauthenticating) channel.phase = 'pending';
    else this.#onError(channel, error, this.#options.connection.token);
    this.updateStates();
  }

  /** Passes an error without a channel to all listeners. Returns whether any listener handles errors. */
  notifyError(error: FabricaError): boolean {
    let isHandled = false;
    for (const channel of [...this.#channels.values()]) {
      for (const { listener } of [...channel.subscribers]) {
        if (!listener.error) continue;
        isHandled = true;
        callListener(() => listener.error?.(error));
      }
    }
    return isHandled;
  }

  /** Passes changed states to the listeners. */
  updateStates(): void {
    const { status } = this.#options.connection;
    let isChanged = false;
    for (const channel of [...this.#channels.values()]) {
      const state = stateOf(channel, status);
      if (state === channel.state) continue;
      channel.state = state;
      isChanged = true;
      notify(channel, (listener) => listener.state?.(state));
    }
    if (isChanged) this.#options.onState();
  }

  clear(): void {
    for (const { cancelRetry } of this.#channels.values()) cancelRetry?.();
    this.#channels.clear();
  }

  #addChannel(name: string): Channel {
    const channel: Channel = {
      name,
      subscribers: new Set(),
      phase: 'pending',
      lastId: undefined,
      sentOptions: undefined,
      rejectedToken: undefined,
      attempts: 0,
      cancelRetry: undefined,
      users: undefined,
      state: 'disconnected',
    };
    this.#channels.set(name, channel);
    this.#options.onState();
    return channel;
  }

  #remove(name: string, subscriber: Subscriber): void {
    const channel = this.#channels.get(name);
    if (!channel?.subscribers.delete(subscriber)) return;
    if (channel.subscribers.size > 0) {
      this.#request(channel);
      return;
    }
    channel.cancelRetry?.();
    this.#channels.delete(name);
    if (channel.phase === 'requested' || channel.phase === 'subscribed') this.#unsubscribe(name);
    this.#options.connection.update();
    this.#options.onState();
  }

  #unsubscribe(name: string): void {
    this.#options.connection.request({
      message: { type: 'unsubscribe', payload: { channel: name } },
      channel: name,
      replyType: 'unsubscribed',
      onReply() {},
      onError() {},
    });
  }

  /** Subscribes to the channel if necessary, or again if its presence options have changed. */
  #request(channel: Channel): void {
    const { connection } = this.#options;
    if (!connection.isReady || channel.cancelRetry || channel.phase === 'rejected') return;
    // The reply brings the position of the channel; changed options have to wait for it.
    if (channel.phase === 'requested') return;
    const options = presenceOptions(channel);
    const json = JSON.stringify(options);
    const hasNoOptions = json === '{}';
    const isNewSubscription = channel.phase === 'pending' || hasNoOptions;
    if (channel.phase === 'subscribed') {
      if (json === channel.sentOptions) return;
      // A user who is no longer shown must leave the channel, and subscribe again.
      if (hasNoOptions) this.#unsubscribe(channel.name);
    } else channel.phase = 'requested';
    channel.sentOptions = json;
    const { token } = connection;
    const { name, lastId } = channel;
    const isWanted = () => this.#channels.get(name) === channel;
    const message: ClientMessage = {
      type: 'subscribe',
      payload: { channel: name, ...options, ...(lastId !== undefined && { after: lastId }) },
    };
    connection.request({
      message,
      channel: name,
      replyType: 'subscribed',
      isWanted,
      onReply: (reply) => {
        if (reply.type !== 'subscribed' || !isWanted()) return;
        channel.phase = 'subscribed';
        channel.attempts = 0;
        channel.lastId ??= reply.payload.last;
        if (isNewSubscription) this.#clearUsers(channel);
        this.#request(channel);
        this.updateStates();
      },
      onError: (error) => {
        if (!isWanted() || !connection.isReady) return;
        this.#onError(channel, error, token);
        this.updateStates();
      },
    });
  }

  /** Empties the list of users: they may have left meanwhile, and the server sends no list for an empty channel. */
  #clearUsers(channel: Channel): void {
    if (!channel.users?.length) return;
    channel.users = [];
    notify(channel, (listener) => listener.presence?.([]));
  }

  /** Schedules a retry after a transient error, else rejects the channel until the token changes. */
  #onError(channel: Channel, error: FabricaError, token: string | undefined): void {
    const { connection, clock, random } = this.#options;
    if (!isTransient(error)) {
      const isCurrentToken = token === connection.token;
      channel.phase = isCurrentToken ? 'rejected' : 'pending';
      channel.rejectedToken = token;
      if (isCurrentToken) notify(channel, (listener) => listener.error?.(error));
      else this.#request(channel);
      return;
    }
    channel.phase = 'pending';
    channel.cancelRetry = clock.after(reconnectDelay(channel.attempts, random()), () => {
      channel.cancelRetry = undefined;
      this.#request(channel);
    });
    channel.attempts += 1;
    if (channel.attempts === 1) notify(channel, (listener) => listener.error?.(error));
  }
}

/** Returns the presence options of the newest subscriber that has any. */
function presenceOptions({ subscribers }: Channel): SubscribeOptions {
  const newest = [...subscribers].findLast(({ options }) => options.userId ?? options.metadata)?.options;
  const { userId, metadata } = newest ?? {};
  return { ...(userId !== undefined && { userId }), ...(metadata && { metadata }) };
}

/**
 * Returns false before `subscribed`, when a message belongs to an earlier subscription, and for repeated messages.
 */
function isAfter(id: MessageId, lastId: MessageId | undefined): boolean {
  return lastId !== undefined && compareMessageIds(id, lastId) > 0;
}

function stateOf({ phase }: Channel, status: RealtimeConnection['status']): ChannelState {
  if (phase === 'rejected') return 'disconnected';
  return status === 'connected' && phase === 'subscribed' ? 'subscribed' : status;
}

function notify({ subscribers }: Channel, call: (listener: SubscriptionListener) => void): void {
  for (const subscriber of [...subscribers]) {
    if (subscribers.has(subscriber)) callListener(() => call(subscriber.listener));
  }
}
