import type { MessageId } from '@fabrica/contract';
import type { Broker, ChannelListener, Missed, Place } from './broker/broker.ts';
import { type Frame, frameMessage, frameStored } from './broker/frame.ts';
import { compareMessageIds } from './broker/message-id.ts';
import { createPresenceTeller } from './presence/presence-announcer.ts';
import { presentUsers } from './presence/present-users.ts';

/** Whoever gets what is said in a channel: one of this node's sockets. */
export interface Subscriber {
  /** Whole frames, one or more; must not throw. */
  send(frames: Frame): void;
}

export interface Hub {
  /**
   * From here on the subscriber gets all that is said: first `subscribed`, then what came after `after`, or `resync`.
   * Throws REALTIME_UNAVAILABLE. Nothing comes any more once `unsubscribe` was called, also while this is under way.
   */
  subscribe(place: Place, subscriber: Subscriber, after?: MessageId): Promise<void>;
  unsubscribe(place: Place, subscriber: Subscriber): void;
  /** Tells this one who is here; nothing where there is nobody. */
  tellPresence(place: Place, subscriber: Subscriber): Promise<void>;
  close(): void;
}

export interface HubOptions {
  broker: Broker;
  /** Milliseconds between two lists of who is in a channel, at least. */
  presenceMs?: number;
  /** Told of presence that could not be fetched. */
  onError(error: unknown): void;
}

/** What was said while a subscriber was still being told what it missed. */
type Held = { id: MessageId; frame: Frame }[];

interface LocalChannel {
  name: string;
  /** Done once the broker has said where this node stands. */
  opening: Promise<void>;
  /** All up to here was handed to the subscribers, or waits for them in `pending`. */
  last: MessageId;
  subscribers: Set<Subscriber>;
  joining: Map<Subscriber, Held>;
  /** What was said since the last turn of the event loop: each socket is written to once for all of it. */
  pending: Frame[];
  /** Who is here, for all who come within a moment; undefined for nobody. */
  presence: Promise<Frame | undefined> | undefined;
}

const PRESENCE_MS = 100;

/** The node's own sockets by channel: it listens to each channel once, and writes what is said in it once. */
export function createHub({ broker, presenceMs = PRESENCE_MS, onError }: HubOptions): Hub {
  const channels = new Map<Place, LocalChannel>();
  const teller = createPresenceTeller({
    broker,
    presenceMs,
    onError,
    tell(place, users) {
      const channel = channels.get(place);
      if (!channel) return 0;
      const frame = frameMessage({ type: 'presence', payload: { channel: channel.name, data: { users } } });
      flush(channel);
      for (const subscriber of channel.subscribers) subscriber.send(frame);
      return frame.length * channel.subscribers.size;
    },
  });

  function open(place: Place): LocalChannel {
    const known = channels.get(place);
    if (known) return known;
    const channel: LocalChannel = {
      name: place.slice(place.indexOf(':') + 1),
      opening: Promise.resolve(),
      last: '0-0',
      subscribers: new Set(),
      joining: new Map(),
      pending: [],
      presence: undefined,
    };
    channels.set(place, channel);
    channel.opening = broker.subscribe(place, listenerOf(place, channel)).then((last) => {
      if (compareMessageIds(last, channel.last) > 0) channel.last = last;
    });
    return channel;
  }

  function listenerOf(place: Place, channel: LocalChannel): ChannelListener {
    const say = (id: MessageId, frame: Frame) => {
      channel.last = id;
      for (const held of channel.joining.values()) held.push({ id, frame });
      if (channel.subscribers.size > 0 && channel.pending.push(frame) === 1) setImmediate(flush, channel);
    };
    return {
      message: (message) => say(message.id, frameStored(channel.name, message)),
      lost: (last) => say(last, frameMessage({ type: 'resync', payload: { channel: channel.name, last } })),
      presence: () => teller.changed(place),
    };
  }

  function leave(place: Place, channel: LocalChannel, subscriber: Subscriber): void {
    channel.subscribers.delete(subscriber);
    channel.joining.delete(subscriber);
    if (channel.subscribers.size > 0 || channel.joining.size > 0 || channels.get(place) !== channel) return;
    channels.delete(place);
    broker.unsubscribe(place);
  }

  async function framePresence(place: Place, { name }: LocalChannel): Promise<Frame | undefined> {
    const users = presentUsers(await broker.present(place));
    if (users.length === 0) return undefined;
    return frameMessage({ type: 'presence', payload: { channel: name, data: { users } } });
  }

  return {
    async subscribe(place, subscriber, after) {
      const channel = open(place);
      const held: Held = [];
      channel.joining.set(subscriber, held);
      try {
        await channel.opening;
        const missed = after === undefined ? undefined : await broker.since(place, after);
        if (channel.joining.get(subscriber) !== held) return;
        // What waits for the others is in `held` or before what this one asked for.
        flush(channel);
        channel.joining.delete(subscriber);
        channel.subscribers.add(subscriber);
        subscriber.send(Buffer.concat(firstFrames(channel, { after, missed, held })));
      } catch (error) {
        leave(place, channel, subscriber);
        throw error;
      }
    },
    unsubscribe(place, subscriber) {
      const channel = channels.get(place);
      if (channel) leave(place, channel, subscriber);
    },
    async tellPresence(place, subscriber) {
      const channel = channels.get(place);
      if (!channel) return;
      if (!channel.presence) {
        channel.presence = framePresence(place, channel);
        setTimeout(() => {
          channel.presence = undefined;
        }, presenceMs).unref();
      }
      const frame = await channel.presence;
      if (frame && channel.subscribers.has(subscriber)) subscriber.send(frame);
    },
    close() {
      teller.close();
      for (const place of channels.keys()) broker.unsubscribe(place);
      channels.clear();
    },
  };
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
  missed: Missed | undefined;
  held: Held;
}

/** What a subscriber is told first; everything after `last` comes to it from then on. */
function firstFrames({ name, last }: LocalChannel, { after, missed, held }: Joining): Frame[] {
  const subscribed = (at: MessageId) =>
    frameMessage({ type: 'subscribed', payload: { channel: name, last: at } });
  if (after === undefined || !missed) return [subscribed(last)];
  if (!missed.complete) {
    return [subscribed(after), frameMessage({ type: 'resync', payload: { channel: name, last } })];
  }
  // The broker may know of messages that are on their way to this node, and this node of some that it was told of since.
  const known = missed.messages.filter(({ id }) => compareMessageIds(id, last) <= 0);
  const since = held.filter(({ id }) => compareMessageIds(id, missed.last) > 0);
  return [
    subscribed(after),
    ...known.map((message) => frameStored(name, message)),
    ...since.map(({ frame }) => frame),
  ];
}
