import type { MessageId, PresentUser } from '@fabrica/contract';

/** A channel of a project, `<project id>:<channel>`: what brokers keep things under. */
export type Place = string;

/** A message as it is kept: all of it but its channel and its id, as JSON text that is never empty (`{"type":…}`). */
export interface StoredMessage {
  id: MessageId;
  body: string;
}

/** Bytes of messages that are read at once: whoever asks may be slow to take them, and many may ask. */
export const MAX_ANSWER_BYTES = 1024 * 1024;

/** As many of them as are read at once, the first in any case. */
export function firstOfAnswer(messages: StoredMessage[]): StoredMessage[] {
  let bytes = 0;
  const end = messages.findIndex(({ body }, at) => {
    bytes += body.length;
    return at > 0 && bytes > MAX_ANSWER_BYTES;
  });
  return end < 0 ? messages : messages.slice(0, end);
}

export interface HistoryRange {
  /** Ids, both included; undefined is the end of what is kept. */
  start?: MessageId | undefined;
  end?: MessageId | undefined;
  limit: number;
}

export interface Missed {
  /** Oldest first. */
  messages: StoredMessage[];
  /** False when some of what came after is no longer known, or is too much; there are no messages then. */
  complete: boolean;
  /** Where one stands after these messages. */
  last: MessageId;
}

/** One socket's presence in a channel. */
export interface Member extends PresentUser {
  socketId: string;
}

/** What a node hears of a channel that it listens to. None of it may throw. */
export interface ChannelListener {
  /** Each message that comes after the place where listening began: in order, once. */
  message(message: StoredMessage): void;
  /** Some messages before `last` were lost for good; those after it follow. */
  lost(last: MessageId): void;
  /** Somebody came, left or said something else of themselves. */
  presence(): void;
}

export interface BrokerState {
  ready: boolean;
  /** A sentence for the operator. */
  reason?: string;
}

/**
 * Carries messages and presence between the nodes of a service, and keeps what was said last: 1,000 messages a channel,
 * for 24 hours. Calls that cannot be carried out throw REALTIME_UNAVAILABLE.
 */
export interface Broker {
  /** Resolves once the message is kept, with an id that is greater than all before it. */
  publish(place: Place, body: string): Promise<MessageId>;
  /** Oldest first: the newest that there are, or the first ones from `start` on; `MAX_ANSWER_BYTES` at most. */
  history(place: Place, range: HistoryRange): Promise<StoredMessage[]>;
  /** All that came after this id, if it is not too much; after nothing in particular, only where the channel stands. */
  since(place: Place, after: MessageId | undefined): Promise<Missed>;
  /** Listens until `unsubscribe`; answers the id after which messages come to the listener. One listener a place. */
  subscribe(place: Place, listener: ChannelListener): Promise<MessageId>;
  unsubscribe(place: Place): void;
  /** Adds a member, or changes what is known of one; its `lastSeen` is read from the same object as time goes by. */
  join(place: Place, member: Member): Promise<void>;
  leave(place: Place, socketId: string): Promise<void>;
  /** Whoever is here by sockets of nodes that live, in the order in which they came. */
  present(place: Place): Promise<Member[]>;
  state(): BrokerState;
  /** Called each time that the broker becomes ready again. */
  onReady(listener: () => void): void;
  close(): Promise<void>;
}
