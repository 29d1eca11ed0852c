import { compareMessageIds, type MessageId } from '@fabrica/contract';
import type { ChannelKey, ChannelListener, Member, StoredMessage } from './broker.ts';
import { millisecondsOf } from './frame.ts';

interface StoredChannel {
  messages: StoredMessage[];
  /** The newest id that was given out, to a message or as a position. */
  last: MessageId;
  /** The newest message that was deleted, or the position before all messages. */
  deleted: MessageId;
  members: Map<string, Member>;
  listener: ChannelListener | undefined;
}

export interface MessageStoreOptions {
  now: () => number;
  /** Messages that are stored for each channel. */
  maxMessages: number;
  /** Milliseconds that messages are stored. */
  maxAgeMs: number;
  /** Bytes of all messages, roughly; the channels that were quiet for longest lose theirs first. */
  maxBytes: number;
}

/** Bytes of a message besides its text. */
const MESSAGE_BYTES = 200;
/** Channels that are checked for old messages with each new message. */
const SWEPT_PER_MESSAGE = 2;

/** Holds the channels of one process and their messages in memory, within bounds. */
export class MessageStore {
  readonly #options: MessageStoreOptions;
  /** Sorted by the time of the last message. */
  readonly #channels = new Map<ChannelKey, StoredChannel>();
  #bytes = 0;
  /** Messages before this position belonged to another process, or were deleted to make room: none are known here. */
  #began: MessageId;

  constructor(options: MessageStoreOptions) {
    this.#options = options;
    this.#began = `${options.now()}-0`;
  }

  find(key: ChannelKey): StoredChannel | undefined {
    return this.#channels.get(key);
  }

  open(key: ChannelKey): StoredChannel {
    const known = this.#channels.get(key);
    if (known) return known;
    const { now, maxAgeMs } = this.#options;
    const channel: StoredChannel = {
      messages: [],
      last: later(this.#began, `${now() - 1}-0`),
      // A channel is dropped as a whole only when it had no message for as long as messages are stored.
      deleted: later(this.#began, `${now() - maxAgeMs}-0`),
      members: new Map(),
      listener: undefined,
    };
    this.#channels.set(key, channel);
    return channel;
  }

  append(key: ChannelKey, body: string): { channel: StoredChannel; message: StoredMessage } {
    const channel = this.open(key);
    const message = { id: nextMessageId(channel.last, this.#options.now()), body };
    channel.last = message.id;
    channel.messages.push(message);
    this.#bytes += body.length + MESSAGE_BYTES;
    this.#channels.delete(key);
    this.#channels.set(key, channel);
    this.tidy(key, channel);
    this.#sweep();
    this.#makeRoom(channel);
    return { channel, message };
  }

  /** Deletes messages that are too many or too old, and the channel itself when nothing is left of it. */
  tidy(key: ChannelKey, channel: StoredChannel): void {
    const { messages } = channel;
    const { now, maxAgeMs, maxMessages } = this.#options;
    const oldest = now() - maxAgeMs;
    let count = Math.max(0, messages.length - maxMessages);
    while (count < messages.length && millisecondsOf(messages[count]?.id ?? '') < oldest) count += 1;
    if (count > 0) this.#delete(channel, count);
    // Its messages were older than anything that is stored, so a channel that is opened anew knows as much.
    if (messages.length === 0 && channel.members.size === 0 && !channel.listener) this.#channels.delete(key);
  }

  /** Forgets what was published in channels that nothing is stored of, and returns the other channels of a project. */
  beginAnew(projectId: string): ChannelKey[] {
    this.#began = `${this.#options.now()}-0`;
    return [...this.#channels.keys()].filter((key) => key.startsWith(`${projectId}:`));
  }

  clear(): void {
    this.#channels.clear();
  }

  #delete(channel: StoredChannel, count: number): void {
    const deleted = channel.messages.splice(0, count);
    for (const { body } of deleted) this.#bytes -= body.length + MESSAGE_BYTES;
    channel.deleted = deleted.at(-1)?.id ?? channel.deleted;
  }

  /** Tidies the channels that were quiet for longest: a few with each message, so that no message pays for all. */
  #sweep(): void {
    for (let count = 0; count < SWEPT_PER_MESSAGE; count += 1) {
      const [key, channel] = this.#channels.entries().next().value ?? [];
      if (key === undefined || !channel) return;
      this.tidy(key, channel);
      if (channel.messages.length > 0) return;
      if (this.#channels.delete(key)) this.#channels.set(key, channel);
    }
  }

  #makeRoom(current: StoredChannel): void {
    for (const [key, channel] of this.#channels) {
      if (this.#bytes <= this.#options.maxBytes) return;
      const isCurrent = channel === current;
      this.#delete(channel, isCurrent ? Math.ceil(channel.messages.length / 2) : channel.messages.length);
      if (isCurrent) continue;
      this.#began = later(this.#began, channel.deleted);
      this.tidy(key, channel);
    }
  }
}

/** Returns an id that is greater than `last`, also when the clock was set back. */
function nextMessageId(last: MessageId, now: number): MessageId {
  const [ms = 0, seq = 0] = last.split('-').map(Number);
  return now > ms ? `${now}-0` : `${ms}-${seq + 1}`;
}

function later(a: MessageId, b: MessageId): MessageId {
  return compareMessageIds(a, b) > 0 ? a : b;
}
