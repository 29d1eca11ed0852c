import {
  CHANNEL_HISTORY_LENGTH,
  CHANNEL_HISTORY_MS,
  compareMessageIds,
  type MessageId,
} from '@fabrica/contract';
import type { Logger } from 'pino';
import { settledWithin } from '../../../runtime/within-time.ts';
import {
  type Attempt,
  type Broker,
  type BrokerState,
  type ChannelKey,
  type ChannelListener,
  type HistoryRange,
  MAX_READ_BYTES,
  type Member,
  type MissedMessages,
  type StoredMessage,
} from './broker.ts';
import { createRedisConnection, type RedisConnection } from './redis-connection.ts';
import { parseRedisUrl } from './redis-location.ts';
import { PRESENCE_CHANGED, RedisPresence } from './redis-presence.ts';
import { BEGIN_ERA, HISTORY, MEMORY, PUBLISH, RESYNC, SINCE } from './redis-scripts.ts';

export interface RedisBrokerOptions {
  /** The URL of a Redis, as `parseRedisUrl` takes it. */
  url: string;
  log: Logger;
  /** Messages that are stored for each channel. */
  maxMessages?: number;
  /** Milliseconds that messages are stored. */
  maxAgeMs?: number;
  /** Milliseconds between two heartbeats of a node; a node that misses three in a row counts as dead. */
  heartbeatMs?: number;
  /** Milliseconds that the server may take for a command. */
  timeoutMs?: number;
}

/** A channel that this node listens to. */
interface Subscription {
  listener: ChannelListener;
  /** The last message that the listener got; undefined until it is known where listening begins. */
  position: MessageId | undefined;
  /** Resolves when the missed messages have been read; only one read runs at a time. */
  catchingUp: Promise<void> | undefined;
  /** Is true when messages arrived that the listener did not get. */
  behind: boolean;
  /** Takes a pub/sub message. */
  onTopic(text: string): void;
}

const HEARTBEAT_MS = 10_000;
const TIMEOUT_MS = 3_000;

/** Channels that are read at a time when all of them have to catch up. */
const CATCH_UP_CONCURRENCY = 20;

/** Connects to Redis. Waits for a server that responds in time, but starts without one that does not. */
export async function createRedisBroker(options: RedisBrokerOptions): Promise<Broker> {
  const { url, log, timeoutMs = TIMEOUT_MS } = options;
  const location = parseRedisUrl(url);
  if (!location) throw new Error('This is not the address of a Redis.');
  // In a cluster, the braces have all keys on one server: scripts work on several, and so does a transaction.
  const keyPrefix = location.kind === 'cluster' ? '{fabrica}' : 'fabrica';
  const connection = { location, log, timeoutMs, keyPrefix };
  const broker = new RedisBroker(await createRedisConnection(connection), {
    ...options,
    keyPrefix,
    database: location.database,
  });
  const firstReady = new Promise<void>((resolve) => broker.onReady(resolve));
  broker.connect();
  await settledWithin(timeoutMs, firstReady);
  return broker;
}

/**
 * Stores messages in one Redis stream for each channel and tells the nodes by pub/sub. Each pub/sub message carries the
 * id of the message before it, so that a node notices a gap and reads it from the stream: pub/sub may lose messages.
 */
class RedisBroker implements Broker {
  readonly isShared = true;
  readonly #redis: RedisConnection;
  readonly #log: Logger;
  readonly #maxMessages: number;
  readonly #maxAgeMs: number;
  /** Begins with the number of the database, because all databases of a server share pub/sub. */
  readonly #topicPrefix: string;
  readonly #keyPrefix: string;
  readonly #resyncTopic: string;
  readonly #presence: RedisPresence;
  readonly #subscriptions = new Map<ChannelKey, Subscription>();
  readonly #readyListeners = new Set<() => void>();
  #ready = false;
  #receivesResyncs = false;

  constructor(redis: RedisConnection, options: RedisBrokerOptions & { keyPrefix: string; database: number }) {
    const { log, maxMessages = CHANNEL_HISTORY_LENGTH, maxAgeMs = CHANNEL_HISTORY_MS } = options;
    const { keyPrefix, database } = options;
    this.#redis = redis;
    this.#log = log;
    this.#maxMessages = maxMessages;
    this.#maxAgeMs = maxAgeMs;
    this.#keyPrefix = `${keyPrefix}:realtime`;
    this.#topicPrefix = `fabrica:realtime:said:${database}`;
    this.#resyncTopic = `fabrica:realtime:resync:${database}`;
    this.#presence = new RedisPresence({
      redis,
      keyPrefix: this.#keyPrefix,
      topicOf: (key) => this.#topicOf(key),
      heartbeatMs: options.heartbeatMs ?? HEARTBEAT_MS,
      onHeartbeat: () => !this.#ready && void this.#synchronize(),
      onHeartbeatFailed: (error) => this.#setUnready(error),
    });
  }

  connect(): void {
    this.#redis.connect({
      onConnected: () => void this.#synchronize(),
      onLost: () => {
        this.#ready = false;
      },
    });
  }

  async publish(key: ChannelKey, body: string, attempt?: Attempt): Promise<MessageId> {
    const keys = [this.#streamOf(key), `${this.#keyPrefix}:published:${attempt?.sender ?? ''}`];
    const values = [body, String(this.#maxMessages), String(this.#maxAgeMs), this.#topicOf(key)];
    return String(await this.#redis.runScript(PUBLISH, keys, [...values, String(attempt?.number ?? '')]));
  }

  async resync(projectId: string): Promise<void> {
    await this.#redis.runScript(RESYNC, [this.#era], [projectId, this.#resyncTopic]);
  }

  async history(key: ChannelKey, { start, end = '+', limit }: HistoryRange): Promise<StoredMessage[]> {
    const oldest = `${Date.now() - this.#maxAgeMs}-0`;
    const from = start !== undefined && compareMessageIds(start, oldest) > 0 ? start : oldest;
    const range = start === undefined ? ['XREVRANGE', end, from] : ['XRANGE', from, end];
    const values = [...range, String(limit), String(MAX_READ_BYTES)];
    const entries = (await this.#redis.runScript(HISTORY, [this.#streamOf(key)], values)) as StreamEntry[];
    const messages = entries.map(toMessage);
    return start === undefined ? messages.reverse() : messages;
  }

  async since(key: ChannelKey, after: MessageId | undefined): Promise<MissedMessages> {
    const subscription = this.#subscriptions.get(key);
    // Everything that the listener gets from now on must come after the messages that are returned here.
    if (after !== undefined && subscription?.position !== undefined) await this.#catchUp(key, subscription);
    return this.#readSince(key, after);
  }

  async subscribe(key: ChannelKey, listener: ChannelListener): Promise<MessageId> {
    const subscription: Subscription = {
      listener,
      position: undefined,
      catchingUp: undefined,
      behind: false,
      onTopic: (text) => this.#onTopic(key, subscription, text),
    };
    this.#subscriptions.set(key, subscription);
    const topic = this.#topicOf(key);
    await this.#redis.subscribe(topic, subscription.onTopic);
    const { last } = await this.#readSince(key, undefined);
    subscription.position = last;
    if (subscription.behind) this.#catchUpInBackground(key, subscription);
    return last;
  }

  unsubscribe(key: ChannelKey): void {
    const subscription = this.#subscriptions.get(key);
    if (!subscription) return;
    this.#subscriptions.delete(key);
    this.#redis.unsubscribe(this.#topicOf(key), subscription.onTopic);
  }

  join(key: ChannelKey, member: Member): Promise<void> {
    return this.#presence.join(key, member);
  }

  leave(key: ChannelKey, socketId: string): Promise<void> {
    return this.#presence.leave(key, socketId);
  }

  present(key: ChannelKey): Promise<Member[]> {
    return this.#presence.present(key);
  }

  state(): BrokerState {
    return this.#ready ? { ready: true } : { ready: false, reason: 'Redis is away.' };
  }

  async evictionPolicy(): Promise<string | undefined> {
    const info = await this.#redis.runScript(MEMORY, [this.#era], []).catch(() => '');
    return /maxmemory_policy:(\S+)/.exec(String(info))?.[1];
  }

  onReady(listener: () => void): void {
    this.#readyListeners.add(listener);
  }

  async close(): Promise<void> {
    await this.#presence.close();
    await this.#redis.close();
  }

  #streamOf(key: ChannelKey): string {
    return `${this.#keyPrefix}:messages:${key}`;
  }

  get #era(): string {
    return `${this.#keyPrefix}:era`;
  }

  #topicOf(key: ChannelKey): string {
    return `${this.#topicPrefix}:${key}`;
  }

  /** The broker stays unready until `#synchronize` succeeds: with the next heartbeat at the latest. */
  #setUnready(error: unknown): void {
    if (this.#ready) this.#log.warn({ err: error }, 'Redis does not respond');
    this.#ready = false;
  }

  /** Delivers everything that was missed, then makes the broker ready. */
  async #synchronize(): Promise<void> {
    try {
      if (!this.#receivesResyncs) await this.#redis.subscribe(this.#resyncTopic, this.#onResync);
      this.#receivesResyncs = true;
      await this.#redis.runScript(BEGIN_ERA, [this.#era], [this.#redis.isElected ? '1' : '']);
      await this.#presence.rejoin();
      await this.#catchUpAll([...this.#subscriptions]);
      if (!this.#redis.isConnected() || this.#ready) return;
      this.#ready = true;
      this.#log.info('Redis is ready');
      for (const listener of this.#readyListeners) listener();
    } catch (error) {
      this.#log.warn({ err: error }, 'Redis is connected, but does not respond');
    }
  }

  readonly #onResync = (projectId: string): void => {
    const ofProject = [...this.#subscriptions].filter(([key]) => projectOf(key) === projectId);
    this.#catchUpAll(ofProject).catch((error) => this.#setUnready(error));
  };

  async #catchUpAll(waiting: [ChannelKey, Subscription][]): Promise<void> {
    const catchUp = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) await this.#catchUp(...next);
    };
    await Promise.all(Array.from({ length: CATCH_UP_CONCURRENCY }, catchUp));
  }

  async #readSince(
    key: ChannelKey,
    after: MessageId | undefined,
    maxBytes = MAX_READ_BYTES,
  ): Promise<MissedMessages> {
    const values = [after ?? '', String(this.#maxAgeMs), String(maxBytes), projectOf(key)];
    const reply = await this.#redis.runScript(SINCE, [this.#streamOf(key), this.#era], values);
    const [complete, last, entries] = reply as [number, MessageId, StreamEntry[]];
    return { complete: complete === 1, last, messages: entries.map(toMessage) };
  }

  #catchUp(key: ChannelKey, subscription: Subscription): Promise<void> {
    subscription.behind = true;
    subscription.catchingUp ??= this.#readMissed(key, subscription).finally(() => {
      subscription.catchingUp = undefined;
    });
    return subscription.catchingUp;
  }

  #catchUpInBackground(key: ChannelKey, subscription: Subscription): void {
    this.#catchUp(key, subscription).catch((error) => this.#setUnready(error));
  }

  async #readMissed(key: ChannelKey, subscription: Subscription): Promise<void> {
    const { listener } = subscription;
    while (subscription.behind && subscription.position !== undefined) {
      subscription.behind = false;
      const missed = await this.#readSince(key, subscription.position, Number.MAX_SAFE_INTEGER);
      if (this.#subscriptions.get(key) !== subscription) return;
      for (const message of missed.messages) {
        subscription.position = message.id;
        listener.message(message);
      }
      if (missed.complete) continue;
      subscription.position = missed.last;
      listener.lost(missed.last);
    }
  }

  #onTopic(key: ChannelKey, subscription: Subscription, text: string): void {
    // The last messages may arrive after the end.
    if (this.#subscriptions.get(key) !== subscription) return;
    if (text === PRESENCE_CHANGED) {
      subscription.listener.presence();
      return;
    }
    const { before, message } = parseTopicMessage(text);
    const { position } = subscription;
    if (position === undefined || subscription.catchingUp) {
      subscription.behind = true;
      return;
    }
    if (compareMessageIds(message.id, position) <= 0) return;
    if (before !== '' && compareMessageIds(before, position) > 0) {
      this.#catchUpInBackground(key, subscription);
      return;
    }
    subscription.position = message.id;
    subscription.listener.message(message);
  }
}

function projectOf(key: ChannelKey): string {
  return key.slice(0, key.indexOf(':'));
}

type StreamEntry = [id: MessageId, fields: string[]];

function toMessage([id, [, body = '{}']]: StreamEntry): StoredMessage {
  return { id, body };
}

/** Parses a message of the PUBLISH script: `m <id before> <id> <text>`. */
function parseTopicMessage(text: string): { before: string; message: StoredMessage } {
  const beforeEnds = text.indexOf(' ', 2);
  const idEnds = text.indexOf(' ', beforeEnds + 1);
  const id = text.slice(beforeEnds + 1, idEnds);
  return { before: text.slice(2, beforeEnds), message: { id, body: text.slice(idEnds + 1) } };
}
