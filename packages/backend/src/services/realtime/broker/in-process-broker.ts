import { CHANNEL_HISTORY_LENGTH, CHANNEL_HISTORY_MS, compareMessageIds } from '@fabrica/contract';
import { type Broker, firstThatFit } from './broker.ts';
import { RESYNC_BODY } from './frame.ts';
import { MessageStore, type MessageStoreOptions } from './message-store.ts';

type InProcessBrokerOptions = Partial<MessageStoreOptions>;

const MAX_BYTES = 64 * 1024 * 1024;

/** Creates a broker that stores everything in this process's memory, for a service of one node. */
export function createInProcessBroker({
  now = Date.now,
  maxMessages = CHANNEL_HISTORY_LENGTH,
  maxAgeMs = CHANNEL_HISTORY_MS,
  maxBytes = MAX_BYTES,
}: InProcessBrokerOptions = {}): Broker {
  const store = new MessageStore({ now, maxMessages, maxAgeMs, maxBytes });
  const publish: Broker['publish'] = async (key, body) => {
    const { channel, message } = store.append(key, body);
    channel.listener?.message(message);
    return message.id;
  };
  return {
    isShared: false,
    publish,
    async resync(projectId) {
      for (const key of store.beginAnew(projectId)) await publish(key, RESYNC_BODY);
    },
    async history(key, { start, end, limit }) {
      const channel = store.find(key);
      if (!channel) return [];
      store.tidy(key, channel);
      const found = channel.messages.filter(
        ({ id }) =>
          (start === undefined || compareMessageIds(id, start) >= 0) &&
          (end === undefined || compareMessageIds(id, end) <= 0),
      );
      if (start !== undefined) return firstThatFit(found.slice(0, limit));
      return firstThatFit(found.slice(-limit).reverse()).reverse();
    },
    async since(key, after) {
      const channel = store.open(key);
      store.tidy(key, channel);
      const { last, messages, deleted } = channel;
      if (after === undefined) return { messages: [], complete: true, last };
      const missed = messages.filter(({ id }) => compareMessageIds(id, after) > 0);
      const isKnown = compareMessageIds(after, deleted) >= 0 && compareMessageIds(after, last) <= 0;
      const complete = isKnown && firstThatFit(missed).length === missed.length;
      return { messages: complete ? missed : [], complete, last };
    },
    async subscribe(key, listener) {
      const channel = store.open(key);
      channel.listener = listener;
      return channel.last;
    },
    unsubscribe(key) {
      const channel = store.find(key);
      if (!channel) return;
      channel.listener = undefined;
      store.tidy(key, channel);
    },
    async join(key, member) {
      const channel = store.open(key);
      channel.members.set(member.socketId, member);
      channel.listener?.presence();
    },
    async leave(key, socketId) {
      const channel = store.find(key);
      if (!channel?.members.delete(socketId)) return;
      channel.listener?.presence();
      store.tidy(key, channel);
    },
    async present(key) {
      return [...(store.find(key)?.members.values() ?? [])].sort((a, b) => a.joinedAt - b.joinedAt);
    },
    state: () => ({ ready: true }),
    onReady: () => undefined,
    async close() {
      store.clear();
    },
  };
}
