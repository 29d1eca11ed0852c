import {
  type ClientMessage,
  compareMessageIds,
  MAX_SOCKET_CHANNELS,
  type MessageId,
  type PresentUser,
} from '@fabrica/contract';
import { type FabricaError, ValidationError } from '../http/errors.ts';
import { callListener, reportUncaught } from './call-listener.ts';
import type { ChannelState, SubscribeOptions, SubscriptionListener } from './realtime-client.ts';
import type { RealtimeClock } from './realtime-clock.ts';
import type { RealtimeConnection } from './realtime-connection.ts';
import type { ChannelEvent } from './realtime-socket.ts';
import { reconnectDelay } from './reconnect-delay.ts';
import { serializeMessage } from './serialize-message.ts';
import { isTransient } from './socket-error.ts';

interface Part {
  listener: SubscriptionListener;
  options: SubscribeOptions;
}

interface Channel {
  name: string;
  parts: Set<Part>;
  /** `wanted` will be asked for as soon as may be; `refused` waits for another speaker or listener. */
  phase: 'wanted' | 'asked' | 'subscribed' | 'refused';
  /** The newest message that was told, or the place to go on from. */
  position: MessageId | undefined;
  /** What the server was told of who listens, as JSON. */
  shown: string | undefined;
  /** Whose token it was refused to. */
  refusedTo: string | undefined;
  /** Refusals that may pass, one after the other. */
  attempts: number;
  cancelRetry: (() => void) | undefined;
  users: PresentUser[] | undefined;
  /** What listeners were told. */
  state: ChannelState;
}

export interface SubscriptionsOptions {
  connection: RealtimeConnection;
  clock: RealtimeClock;
  random: () => number;
  /** The state of a channel is another one. */
  onState(): void;
}

/** Who listens to what, and where each channel stands: that outlives sockets. */
export class Subscriptions {
  readonly #options: SubscriptionsOptions;
  readonly #all = new Map<string, Channel>();

  constructor(options: SubscriptionsOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#all.size;
  }

  states(): Record<string, ChannelState> {
    return Object.fromEntries([...this.#all].map(([name, { state }]) => [name, state]));
  }

  /** Answers what ends it. */
  add(name: string, listener: SubscriptionListener, options: SubscribeOptions): () => void {
    const part = { listener, options };
    let channel = this.#all.get(name);
    try {
      serializeMessage({ type: 'subscribe', payload: { channel: name, ...options } });
      if (!channel && this.#all.size >= MAX_SOCKET_CHANNELS) {
        throw new ValidationError(`A client may be in ${MAX_SOCKET_CHANNELS} channels at a time.`, {
          code: 'QUOTA_EXCEEDED',
        });
      }
    } catch (error) {
      tellError(listener, error as FabricaError);
      return () => {};
    }
    channel ??= this.#open(name);
    channel.parts.add(part);
    if (channel.phase === 'refused') channel.phase = 'wanted';
    const { state, users } = channel;
    callListener(() => listener.state?.(state));
    if (users) callListener(() => listener.presence?.(users));
    this.#options.connection.want();
    this.#ask(channel);
    this.update();
    return () => this.#remove(name, part);
  }

  /** The socket can be asked, perhaps in another one's name. */
  ready(): void {
    const { spoken } = this.#options.connection;
    for (const channel of this.#all.values()) {
      if (channel.phase === 'refused' && channel.refusedTo !== spoken) channel.phase = 'wanted';
      this.#ask(channel);
    }
    this.update();
  }

  lost(): void {
    for (const channel of this.#all.values()) {
      channel.cancelRetry?.();
      channel.cancelRetry = undefined;
      if (channel.phase !== 'refused') channel.phase = 'wanted';
    }
  }

  hear({ type, payload }: ChannelEvent): void {
    const channel = this.#all.get(payload.channel);
    if (!channel) return;
    if (type === 'presence') {
      channel.users = payload.data.users;
      const { users } = channel;
      tell(channel, (listener) => listener.presence?.(users));
    } else if (type === 'resync') {
      channel.position = payload.last;
      tell(channel, (listener) => listener.resync?.());
    } else if (isAfter(payload.id, channel.position)) {
      channel.position = payload.id;
      tell(channel, (listener) => listener.message?.(payload));
    }
  }

  /** The server has put us out of it. */
  kicked(name: string, error: FabricaError): void {
    const channel = this.#all.get(name);
    if (!channel || channel.phase === 'asked') return;
    // Whoever speaks next may be allowed in.
    if (this.#options.connection.isChangingSpeaker) channel.phase = 'wanted';
    else this.#refuse(channel, error, this.#options.connection.spoken);
    this.update();
  }

  /** An error that names no channel concerns all of them; answers whether anybody was told. */
  fail(error: FabricaError): boolean {
    let isTold = false;
    for (const channel of [...this.#all.values()]) {
      for (const { listener } of [...channel.parts]) {
        if (!listener.error) continue;
        isTold = true;
        callListener(() => listener.error?.(error));
      }
    }
    return isTold;
  }

  /** Tells who listens of states that are other ones. */
  update(): void {
    const { status } = this.#options.connection;
    let isChanged = false;
    for (const channel of [...this.#all.values()]) {
      const state = stateOf(channel, status);
      if (state === channel.state) continue;
      channel.state = state;
      isChanged = true;
      tell(channel, (listener) => listener.state?.(state));
    }
    if (isChanged) this.#options.onState();
  }

  /** Nobody listens any more. */
  clear(): void {
    for (const { cancelRetry } of this.#all.values()) cancelRetry?.();
    this.#all.clear();
  }

  #open(name: string): Channel {
    const channel: Channel = {
      name,
      parts: new Set(),
      phase: 'wanted',
      position: undefined,
      shown: undefined,
      refusedTo: undefined,
      attempts: 0,
      cancelRetry: undefined,
      users: undefined,
      state: 'disconnected',
    };
    this.#all.set(name, channel);
    this.#options.onState();
    return channel;
  }

  #remove(name: string, part: Part): void {
    const channel = this.#all.get(name);
    if (!channel?.parts.delete(part)) return;
    if (channel.parts.size > 0) {
      this.#ask(channel);
      return;
    }
    channel.cancelRetry?.();
    this.#all.delete(name);
    if (channel.phase === 'asked' || channel.phase === 'subscribed') this.#leave(name);
    this.#options.connection.want();
    this.#options.onState();
  }

  #leave(name: string): void {
    this.#options.connection.ask({
      message: { type: 'unsubscribe', payload: { channel: name } },
      channel: name,
      answer: 'unsubscribed',
      done() {},
      refused() {},
    });
  }

  /** Asks for it, when that is not done; or anew, when somebody else is to be seen in it. */
  #ask(channel: Channel): void {
    const { connection } = this.#options;
    if (!connection.isReady || channel.cancelRetry || channel.phase === 'refused') return;
    const options = shownIn(channel);
    const shown = JSON.stringify(options);
    // Until it is known where it stands, who is seen has to wait.
    if (channel.phase === 'asked') return;
    const isAnew = channel.phase === 'wanted' || shown === '{}';
    if (channel.phase === 'subscribed') {
      if (shown === channel.shown) return;
      // Whoever was to be seen and is not any more leaves and comes back.
      if (shown === '{}') this.#leave(channel.name);
    } else channel.phase = 'asked';
    channel.shown = shown;
    const { spoken } = connection;
    const { name, position } = channel;
    const isWanted = () => this.#all.get(name) === channel;
    const message: ClientMessage = {
      type: 'subscribe',
      payload: { channel: name, ...options, ...(position !== undefined && { after: position }) },
    };
    connection.ask({
      message,
      channel: name,
      answer: 'subscribed',
      isWanted,
      done: (answer) => {
        if (answer.type !== 'subscribed' || !isWanted()) return;
        channel.phase = 'subscribed';
        channel.attempts = 0;
        channel.position ??= answer.payload.last;
        if (isAnew) this.#forgetUsers(channel);
        this.#ask(channel);
        this.update();
      },
      refused: (error) => {
        if (!isWanted() || !connection.isReady) return;
        this.#refuse(channel, error, spoken);
        this.update();
      },
    });
  }

  /** Who was here may have left meanwhile; the server says nothing of a channel in which nobody is. */
  #forgetUsers(channel: Channel): void {
    if (!channel.users?.length) return;
    channel.users = [];
    tell(channel, (listener) => listener.presence?.([]));
  }

  #refuse(channel: Channel, error: FabricaError, speaker: string | undefined): void {
    const { connection, clock, random } = this.#options;
    if (!isTransient(error)) {
      const isStillSpeaking = speaker === connection.spoken;
      channel.phase = isStillSpeaking ? 'refused' : 'wanted';
      channel.refusedTo = speaker;
      if (isStillSpeaking) tell(channel, (listener) => listener.error?.(error));
      else this.#ask(channel);
      return;
    }
    channel.phase = 'wanted';
    channel.cancelRetry = clock.after(reconnectDelay(channel.attempts, random()), () => {
      channel.cancelRetry = undefined;
      this.#ask(channel);
    });
    channel.attempts += 1;
    if (channel.attempts === 1) tell(channel, (listener) => listener.error?.(error));
  }
}

/** Whoever came last and says anything of themselves is who is seen. */
function shownIn({ parts }: Channel): SubscribeOptions {
  const said = [...parts].findLast(({ options }) => options.userId ?? options.metadata)?.options;
  const { userId, metadata } = said ?? {};
  return { ...(userId !== undefined && { userId }), ...(metadata && { metadata }) };
}

/** What comes before `subscribed` belongs to a subscription that was ended; what was told is not told again. */
function isAfter(id: MessageId, position: MessageId | undefined): boolean {
  return position !== undefined && compareMessageIds(id, position) > 0;
}

function stateOf({ phase }: Channel, status: RealtimeConnection['status']): ChannelState {
  if (phase === 'refused') return 'disconnected';
  return status === 'connected' && phase === 'subscribed' ? 'subscribed' : status;
}

function tell({ parts }: Channel, act: (listener: SubscriptionListener) => void): void {
  for (const part of [...parts]) if (parts.has(part)) callListener(() => act(part.listener));
}

function tellError(listener: SubscriptionListener, error: FabricaError): void {
  if (listener.error) callListener(() => listener.error?.(error));
  else reportUncaught(error);
}
