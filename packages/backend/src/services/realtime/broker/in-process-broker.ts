import { CHANNEL_HISTORY_LENGTH, CHANNEL_HISTORY_MS, type MessageId } from '@fabrica/contract';
import {
  type Broker,
  type ChannelListener,
  firstOfAnswer,
  type Member,
  type Place,
  type StoredMessage,
} from './broker.ts';
import { compareMessageIds, millisecondsOf, nextMessageId } from './message-id.ts';

interface Channel {
  messages: StoredMessage[];
  /** The newest id that was given out, to a message or as a place to stand at. */
  last: MessageId;
  /** The newest message that is no longer kept, or the place before all of them. */
  forgotten: MessageId;
  members: Map<string, Member>;
  listener: ChannelListener | undefined;
}

export interface InProcessBrokerOptions {
  now?: () => number;
  /** Messages kept of each channel. */
  kept?: number;
  /** Milliseconds that they are kept. */
  keptMs?: number;
  /** Bytes of all that is kept, about; the channels in which nothing was said for longest are forgotten first. */
  maxBytes?: number;
}

const MAX_BYTES = 64 * 1024 * 1024;
/** What a message takes beside its text. */
const MESSAGE_BYTES = 200;
/** Channels looked at for what has grown old, with each message. */
const SWEPT_PER_MESSAGE = 2;

/** All that is said, in this process's memory: for a service of one node. */
export function createInProcessBroker({
  now = Date.now,
  kept = CHANNEL_HISTORY_LENGTH,
  keptMs = CHANNEL_HISTORY_MS,
  maxBytes = MAX_BYTES,
}: InProcessBrokerOptions = {}): Broker {
  /** Those in which something was said last come last. */
  const channels = new Map<Place, Channel>();
  let bytes = 0;
  // What was said before, another process knew, or it had to make room: nothing is known of it here.
  let began: MessageId = `${now()}-0`;

  function open(place: Place): Channel {
    const known = channels.get(place);
    if (known) return known;
    const here: MessageId = later(began, `${now() - 1}-0`);
    const channel: Channel = {
      messages: [],
      last: here,
      // One that was forgotten whole had said nothing for as long as messages are kept.
      forgotten: later(began, `${now() - keptMs}-0`),
      members: new Map(),
      listener: undefined,
    };
    channels.set(place, channel);
    return channel;
  }

  function forget(channel: Channel, count: number): void {
    const forgotten = channel.messages.splice(0, count);
    for (const { body } of forgotten) bytes -= body.length + MESSAGE_BYTES;
    channel.forgotten = forgotten.at(-1)?.id ?? channel.forgotten;
  }

  function tidy(place: Place, channel: Channel): void {
    const { messages } = channel;
    const oldest = now() - keptMs;
    let count = Math.max(0, messages.length - kept);
    while (count < messages.length && millisecondsOf(messages[count]?.id ?? '') < oldest) count += 1;
    if (count > 0) forget(channel, count);
    // What was said in it is older than anything that is kept: one that is opened anew knows as much.
    if (messages.length === 0 && channel.members.size === 0 && !channel.listener) channels.delete(place);
  }

  /** Looks at the channels that were quiet for longest: a few with each message, so that none pays for all of them. */
  function sweepSome(): void {
    for (let count = 0; count < SWEPT_PER_MESSAGE; count += 1) {
      const [place, channel] = channels.entries().next().value ?? [];
      if (place === undefined || !channel) return;
      tidy(place, channel);
      if (channel.messages.length > 0) return;
      if (channels.delete(place)) channels.set(place, channel);
    }
  }

  function makeRoom(speaking: Channel): void {
    for (const [place, channel] of channels) {
      if (bytes <= maxBytes) return;
      const isSpeaking = channel === speaking;
      forget(channel, isSpeaking ? Math.ceil(channel.messages.length / 2) : channel.messages.length);
      if (isSpeaking) continue;
      began = later(began, channel.forgotten);
      tidy(place, channel);
    }
  }

  return {
    async publish(place, body) {
      const channel = open(place);
      const id = nextMessageId(channel.last, now());
      channel.last = id;
      const message = { id, body };
      channel.messages.push(message);
      bytes += body.length + MESSAGE_BYTES;
      channels.delete(place);
      channels.set(place, channel);
      tidy(place, channel);
      sweepSome();
      makeRoom(channel);
      channel.listener?.message(message);
      return id;
    },
    async history(place, { start, end, limit }) {
      const channel = channels.get(place);
      if (!channel) return [];
      tidy(place, channel);
      const found = channel.messages.filter(
        ({ id }) =>
          (start === undefined || compareMessageIds(id, start) >= 0) &&
          (end === undefined || compareMessageIds(id, end) <= 0),
      );
      if (start !== undefined) return firstOfAnswer(found.slice(0, limit));
      return firstOfAnswer(found.slice(-limit).reverse()).reverse();
    },
    async since(place, after) {
      const channel = open(place);
      tidy(place, channel);
      const { last, messages, forgotten } = channel;
      if (after === undefined) return { messages: [], complete: true, last };
      const missed = messages.filter(({ id }) => compareMessageIds(id, after) > 0);
      const isKnown = compareMessageIds(after, forgotten) >= 0 && compareMessageIds(after, last) <= 0;
      const complete = isKnown && firstOfAnswer(missed).length === missed.length;
      return { messages: complete ? missed : [], complete, last };
    },
    async subscribe(place, listener) {
      const channel = open(place);
      channel.listener = listener;
      return channel.last;
    },
    unsubscribe(place) {
      const channel = channels.get(place);
      if (!channel) return;
      channel.listener = undefined;
      tidy(place, channel);
    },
    async join(place, member) {
      const channel = open(place);
      channel.members.set(member.socketId, member);
      channel.listener?.presence();
    },
    async leave(place, socketId) {
      const channel = channels.get(place);
      if (!channel?.members.delete(socketId)) return;
      channel.listener?.presence();
      tidy(place, channel);
    },
    async present(place) {
      return [...(channels.get(place)?.members.values() ?? [])].sort((a, b) => a.joinedAt - b.joinedAt);
    },
    state: () => ({ ready: true }),
    onReady: () => undefined,
    async close() {
      channels.clear();
    },
  };
}

function later(a: MessageId, b: MessageId): MessageId {
  return compareMessageIds(a, b) > 0 ? a : b;
}
