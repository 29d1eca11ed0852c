import type { MessageId, PresentUser } from '@fabrica/contract';

/** Names a channel of a project: `<project id>:<channel>`. */
export type ChannelKey = string;

export function channelKey(projectId: string, channel: string): ChannelKey {
  return `${projectId}:${channel}`;
}

/** A message as it is stored. */
export interface StoredMessage {
  id: MessageId;
  /** Everything but its channel and its id, as the JSON text of an object that is never empty (`{"type":…}`). */
  body: string;
}

/** Bytes of messages that one read returns: clients may read slowly, and many may ask at once. */
export const MAX_READ_BYTES = 1024 * 1024;

/** Returns the first messages that fit into `MAX_READ_BYTES`, and at least one if there is any. */
export function firstThatFit(messages: StoredMessage[]): StoredMessage[] {
  let bytes = 0;
  const end = messages.findIndex(({ body }, index) => {
    bytes += body.length;
    return index > 0 && bytes > MAX_READ_BYTES;
  });
  return end < 0 ? messages : messages.slice(0, end);
}

export interface HistoryRange {
  /** Ids, both included; undefined is the end of what is stored. */
  start?: MessageId | undefined;
  end?: MessageId | undefined;
  limit: number;
}

export interface MissedMessages {
  /** Oldest first. */
  messages: StoredMessage[];
  /** False when some of the missed messages are no longer stored, or are too much; `messages` is empty then. */
  complete: boolean;
  /** The position of the channel after these messages. */
  last: MessageId;
}

/** One socket's presence in a channel. */
export interface Member extends PresentUser {
  socketId: string;
}

/** Receives the events of a channel that a node listens to. None of the callbacks may throw. */
export interface ChannelListener {
  /** Is called once for each message after the position where listening began, in order. */
  message(message: StoredMessage): void;
  /** Is called when some messages before `last` are lost for good; the messages after it follow. */
  lost(last: MessageId): void;
  /** Is called when a member joins, leaves or changes its metadata. */
  presence(): void;
}

/** Names an attempt to publish: when it is repeated, with nothing of this sender in between, the message is stored once. */
export interface Attempt {
  sender: string;
  number: number;
}

export interface BrokerState {
  ready: boolean;
  /** A sentence for the operator. */
  reason?: string;
}

/**
 * Carries messages and presence between the nodes of a service, and stores the last messages: 1,000 of each channel,
 * for 24 hours. A call that cannot be carried out throws REALTIME_UNAVAILABLE.
 */
export interface Broker {
  /** Whether several nodes share the channels, so that they outlive a node. */
  isShared: boolean;
  /** Resolves once the message is stored, with an id that is greater than all ids before it. */
  publish(key: ChannelKey, body: string, attempt?: Attempt): Promise<MessageId>;
  /** Has all clients of a project's channels fetch anew what they show, also those that come back later: some messages may never be published. */
  resync(projectId: string): Promise<void>;
  /** Returns the newest messages, or the first ones from `start` on; oldest first, `MAX_READ_BYTES` at most. */
  history(key: ChannelKey, range: HistoryRange): Promise<StoredMessage[]>;
  /** Returns all messages after this id, unless they are too much. Without an id, returns only the channel's position. */
  since(key: ChannelKey, after: MessageId | undefined): Promise<MissedMessages>;
  /** Listens until `unsubscribe`; returns the id after which the listener gets messages. A channel has one listener. */
  subscribe(key: ChannelKey, listener: ChannelListener): Promise<MessageId>;
  unsubscribe(key: ChannelKey): void;
  /** Adds or replaces a member. The broker reads `lastSeen` from the same object later on. */
  join(key: ChannelKey, member: Member): Promise<void>;
  leave(key: ChannelKey, socketId: string): Promise<void>;
  /** Returns the members on all living nodes, in the order in which they joined. */
  present(key: ChannelKey): Promise<Member[]>;
  state(): BrokerState;
  /** Returns how the server makes room when it is full, as Redis names it; undefined when it does not say so. */
  evictionPolicy?(): Promise<string | undefined>;
  /** Calls the listener each time that the broker becomes ready again. */
  onReady(listener: () => void): void;
  close(): Promise<void>;
}
