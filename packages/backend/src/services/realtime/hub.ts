import { compareMessageIds, type MessageId, type PresentUser } from '@fabrica/contract';
import type { Broker, ChannelKey, ChannelListener, MissedMessages } from './broker/broker.ts';
import { type Frame, frameMessage, frameStored } from './broker/frame.ts';
import { createPresenceAnnouncer, type PresenceAnnouncer } from './presence/presence-announcer.ts';
import { presentUsers } from './presence/present-users.ts';

/** Receives the messages of a channel: one of this node's sockets. */
export interface Subscriber {
  /** Takes one or more complete frames. Must not throw. */
  send(frames: Frame): void;
}

interface HubOptions {
  broker: Broker;
  /** Shortest time between two presence lists of a channel, in milliseconds. */
  presenceMs?: number;
  /** Is called when presence could not be read. */
  onError(error: unknown): void;
}

/** The messages that arrived while a subscriber's missed messages were still being read. */
type BufferedMessages = { id: MessageId; frame: Frame }[];

interface LocalChannel {
  name: string;
  /** Resolves once the broker has reported this node's position. */
  opening: Promise<void>;
  /** All messages up to this one were sent to the subscribers, or are in `pending`. */
  last: MessageId;
  subscribers: Set<Subscriber>;
  joining: Map<Subscriber, BufferedMessages>;
  /** Frames since the last iteration of the event loop: each socket gets all of them in one write. */
  pending: Frame[];
  /** The presence list, shared by all subscribers that join within a moment; undefined when nobody is present. */
  presence: Promise<Frame | undefined> | undefined;
}

const PRESENCE_MS = 100;

/** Distributes channels to this node's sockets: it listens to each channel once and frames each message once. */
export class Hub {
  readonly #broker: Broker;
  readonly #presenceMs: number;
  readonly #announcer: PresenceAnnouncer;
  readonly #channels = new Map<ChannelKey, LocalChannel>();

  constructor({ broker, presenceMs = PRESENCE_MS, onError }: HubOptions) {
    this.#broker = broker;
    this.#presenceMs = presenceMs;
    this.#announcer = createPresenceAnnouncer({
      broker,
      presenceMs,
      onError,
      announce: (key, users) => this.#announcePresence(key, users),
    });
  }

  /**
   * Sends the subscriber `subscribed`, then the messages after `after` or a `resync`, then all that follow. Throws
   * REALTIME_UNAVAILABLE. Nothing is sent any more once `unsubscribe` was called, also while this call is running.
   */
  async subscribe(key: ChannelKey, subscriber: Subscriber, after?: MessageId): Promise<void> {
    const channel = this.#open(key);
    const buffered: BufferedMessages = [];
    channel.joining.set(subscriber, buffered);
    try {
      await channel.opening;
      const missed = after === undefined ? undefined : await this.#broker.since(key, after);
      if (channel.joining.get(subscriber) !== buffered) return;
      // This subscriber has the pending messages in `buffered`, or asked only for messages after them.
      flush(channel);
      channel.joining.delete(subscriber);
      channel.subscribers.add(subscriber);
      subscriber.send(Buffer.concat(firstFrames(channel, { after, missed, buffered })));
    } catch (error) {
      this.#leave(key, channel, subscriber);
      throw error;
    }
  }

  unsubscribe(key: ChannelKey, subscriber: Subscriber): void {
    const channel = this.#channels.get(key);
    if (channel) this.#leave(key, channel, subscriber);
  }

  /** Sends this subscriber the presence list, or nothing when nobody is present. */
  async sendPresence(key: ChannelKey, subscriber: Subscriber): Promise<void> {
    const channel = this.#channels.get(key);
    if (!channel) return;
    if (!channel.presence) {
      channel.presence = this.#framePresence(key, channel);
      setTimeout(() => {
        channel.presence = undefined;
      }, this.#presenceMs).unref();
    }
    const frame = await channel.presence;
    if (frame && channel.subscribers.has(subscriber)) subscriber.send(frame);
  }

  close(): void {
    this.#announcer.close();
    for (const key of this.#channels.keys()) this.#broker.unsubscribe(key);
    this.#channels.clear();
  }

  #open(key: ChannelKey): LocalChannel {
    const known = this.#channels.get(key);
    if (known) return known;
    const channel: LocalChannel = {
      name: key.slice(key.indexOf(':') + 1),
      opening: Promise.resolve(),
      last: '0-0',
      subscribers: new Set(),
      joining: new Map(),
      pending: [],
      presence: undefined,
    };
    this.#channels.set(key, channel);
    channel.opening = this.#broker.subscribe(key, this.#listenerOf(key, channel)).then((last) => {
      if (compareMessageIds(last, channel.last) > 0) channel.last = last;
    });
    return channel;
  }

  #listenerOf(key: ChannelKey, channel: LocalChannel): ChannelListener {
    const deliver = (id: MessageId, frame: Frame) => {
      channel.last = id;
      for (const buffered of channel.joining.values()) buffered.push({ id, frame });
      if (channel.subscribers.size > 0 && channel.pending.push(frame) === 1) setImmediate(flush, channel);
    };
    return {
      message: (message) => deliver(message.id, frameStored(channel.name, message)),
      lost: (last) =>
        deliver(last, frameMessage({ type: 'resync', payload: { channel: channel.name, last } })),
      presence: () => this.#announcer.changed(key),
    };
  }

  #leave(key: ChannelKey, channel: LocalChannel, subscriber: Subscriber): void {
    channel.subscribers.delete(subscriber);
    channel.joining.delete(subscriber);
    if (channel.subscribers.size > 0 || channel.joining.size > 0) return;
    if (this.#channels.get(key) !== channel) return;
    this.#channels.delete(key);
    this.#broker.unsubscribe(key);
  }

  #announcePresence(key: ChannelKey, users: PresentUser[]): number {
    const channel = this.#channels.get(key);
    if (!channel) return 0;
    const frame = framePresence(channel, users);
    flush(channel);
    for (const subscriber of channel.subscribers) subscriber.send(frame);
    return frame.length * channel.subscribers.size;
  }

  async #framePresence(key: ChannelKey, channel: LocalChannel): Promise<Frame | undefined> {
    const users = presentUsers(await this.#broker.present(key));
    return users.length === 0 ? undefined : framePresence(channel, users);
  }
}

function framePresence({ name }: LocalChannel, users: PresentUser[]): Frame {
  return frameMessage({ type: 'presence', payload: { channel: name, data: { users } } });
}

function flush(channel: LocalChannel): void {
  const { pending, subscribers } = channel;
  if (pending.length === 0) return;
  channel.pending = [];
  const frames = pending.length === 1 && pending[0] ? pending[0] : Buffer.concat(pending);
  for (const subscriber of subscribers) subscriber.send(frames);
}

interface Joining {
  after: MessageId | undefined;
  missed: MissedMessages | undefined;
  buffered: BufferedMessages;
}

/** Returns the first frames of a subscriber; it gets everything after `last` as it arrives. */
function firstFrames({ name, last }: LocalChannel, { after, missed, buffered }: Joining): Frame[] {
  const subscribed = (position: MessageId) =>
    frameMessage({ type: 'subscribed', payload: { channel: name, last: position } });
  if (after === undefined || !missed) return [subscribed(last)];
  if (!missed.complete) {
    return [subscribed(after), frameMessage({ type: 'resync', payload: { channel: name, last } })];
  }
  // The broker may know messages that have not reached this node yet, and this node may have got newer ones since.
  const known = missed.messages.filter(({ id }) => compareMessageIds(id, last) <= 0);
  const newer = buffered.filter(({ id }) => compareMessageIds(id, missed.last) > 0);
  return [
    subscribed(after),
    ...known.map((message) => frameStored(name, message)),
    ...newer.map(({ frame }) => frame),
  ];
}
