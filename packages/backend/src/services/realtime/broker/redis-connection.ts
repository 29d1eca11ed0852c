import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import { backOffMs } from '../../../runtime/retry.ts';
import { withinTime } from '../../../runtime/within-time.ts';
import {
  type CreateRedisClients,
  loadRedisClients,
  type RedisClient,
  type RedisClientOptions,
  type RedisClients,
} from './create-redis-clients.ts';

interface RedisConnectionOptions extends RedisClientOptions {
  log: Logger;
}

interface RedisConnectionListeners {
  /** Is called when both connections are ready, for the first time or again. */
  onConnected(): void;
  onLost(): void;
}

type TopicListener = (text: string) => void;

/** A connection for pub/sub, which can do nothing else. */
interface Session {
  subscriber: RedisClient;
  /** Resolves with the reason once this connection is lost, or the one for commands. */
  lost: Promise<unknown>;
  end(reason: unknown): void;
}

const BACK_OFF = { firstMs: 25, longestMs: 1_000 };
const TOO_LONG = 'Redis took too long.';
/** Errors of a server that hangs, or no longer takes the writes: another one does, or soon will. */
const IS_ELSEWHERE = new RegExp(`READONLY|${TOO_LONG}`);

export async function createRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  return new RedisConnection(options, await loadRedisClients(options));
}

/** Keeps two connections to the server that takes writes, and opens them anew when it is lost or replaced by another one. */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #createClients: CreateRedisClients;
  /** The topics that are listened to, also while the server is away. */
  readonly #topics = new Map<string, Set<TopicListener>>();
  /** SHA-1 of each script, by its text: the name under which Redis caches it. */
  readonly #scriptHashes = new Map<string, string>();
  /** Their client for commands goes on while the one for pub/sub connects again: its replies are not lost. */
  #clients: RedisClients | undefined;
  #session: Session | undefined;
  #isAwayLogged = false;
  #isClosed = false;

  constructor(options: RedisConnectionOptions, createClients: CreateRedisClients) {
    this.#options = options;
    this.#createClients = createClients;
  }

  /** Connects in the background, and again each time that the server was away. */
  connect(listeners: RedisConnectionListeners): void {
    void this.#keepConnected(listeners);
  }

  isConnected(): boolean {
    return this.#session !== undefined;
  }

  /** Whether the server may be replaced by another one, which may lack the last writes. */
  get isElected(): boolean {
    return this.#options.location.kind !== 'server';
  }

  /** Runs commands. Throws REALTIME_UNAVAILABLE when the server is away, reports an error or takes too long. */
  async run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    return this.#attempt(() => {
      if (!this.#clients) throw new Error('Redis is away.');
      return command(this.#clients.commands);
    });
  }

  /** Listens to a topic, also after a reconnect. Throws as `run` does, and does not listen then. */
  async subscribe(topic: string, listener: TopicListener): Promise<void> {
    const listeners = this.#topics.get(topic) ?? new Set();
    this.#topics.set(topic, listeners.add(listener));
    try {
      await this.#attempt(() => {
        if (!this.#session) throw new Error('Redis is away.');
        return this.#session.subscriber.subscribe(topic, listener);
      });
    } catch (error) {
      this.unsubscribe(topic, listener);
      throw error;
    }
  }

  unsubscribe(topic: string, listener: TopicListener): void {
    const listeners = this.#topics.get(topic);
    listeners?.delete(listener);
    if (listeners?.size === 0) this.#topics.delete(topic);
    this.#session?.subscriber.unsubscribe(topic, listener).catch(() => undefined);
  }

  /** Runs a Lua script by its hash, and sends its text only when the server does not know it. */
  runScript(text: string, keys: string[], values: string[]): Promise<unknown> {
    return this.run(async (client) => {
      const options = { keys, arguments: values };
      try {
        return await client.evalSha(this.#hashOf(text), options);
      } catch (error) {
        if (!String(error).includes('NOSCRIPT')) throw error;
        return client.eval(text, options);
      }
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endCommands(new Error('The connection is closed.'));
  }

  async #attempt<T>(act: () => Promise<T>): Promise<T> {
    try {
      return await this.#withinTime(act);
    } catch (cause) {
      if (this.isElected && IS_ELSEWHERE.test(String(cause))) this.#endCommands(cause);
      throw new AppError(
        'REALTIME_UNAVAILABLE',
        'Messages cannot be delivered at the moment. Please try again.',
        { cause, retryAfter: 1 },
      );
    }
  }

  /** Throws when the server takes longer. The action goes on then, and its result is ignored. */
  #withinTime<T>(act: () => Promise<T>): Promise<T> {
    return withinTime(this.#options.timeoutMs, act(), TOO_LONG);
  }

  async #keepConnected({ onConnected, onLost }: RedisConnectionListeners): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt += 1) {
      try {
        const session = await this.#openSession();
        this.#session = session;
        this.#isAwayLogged = false;
        attempt = 0;
        onConnected();
        const reason = await session.lost;
        this.#session = undefined;
        if (this.#isClosed) return;
        this.#logAway(reason);
        onLost();
      } catch (error) {
        if (this.#isClosed) return;
        this.#logAway(error);
      }
      await wait(backOffMs(attempt + 1, BACK_OFF), undefined, { ref: false });
    }
  }

  async #openSession(): Promise<Session> {
    const clients = await this.#connectCommands();
    const { promise: lost, resolve } = Promise.withResolvers<unknown>();
    const subscriber = await this.#withinTime(async () => clients.createSubscriber());
    const end = (reason: unknown) => {
      subscriber.destroy();
      resolve(reason);
    };
    subscriber.on('error', end);
    try {
      await this.#withinTime(async () => {
        await subscriber.connect();
        await this.#listenAgain(subscriber);
      });
      if (this.#clients !== clients) throw new Error('Redis is away.');
      return { subscriber, lost, end };
    } catch (error) {
      end(error);
      throw error;
    }
  }

  async #connectCommands(): Promise<RedisClients> {
    if (this.#clients) return this.#clients;
    const clients = this.#createClients((reason) => {
      if (this.#clients === clients) this.#endCommands(reason);
    });
    try {
      await this.#withinTime(async () => {
        await clients.commands.connect();
        // A client of a cluster connects to the server of a key with its first command.
        await clients.commands.exists(this.#options.keyPrefix);
      });
      if (this.#isClosed) throw new Error('The connection is closed.');
    } catch (error) {
      clients.commands.destroy();
      throw error;
    }
    this.#clients = clients;
    return clients;
  }

  #endCommands(reason: unknown): void {
    this.#clients?.commands.destroy();
    this.#clients = undefined;
    this.#session?.end(reason);
  }

  async #listenAgain(subscriber: RedisClient): Promise<void> {
    const subscribing = [...this.#topics].flatMap(([topic, listeners]) =>
      [...listeners].map((listener) => subscriber.subscribe(topic, listener)),
    );
    await Promise.all(subscribing);
  }

  #logAway(error: unknown): void {
    if (!this.#isAwayLogged) this.#options.log.warn({ err: error }, 'Redis is away');
    this.#isAwayLogged = true;
  }

  #hashOf(text: string): string {
    const hash = this.#scriptHashes.get(text) ?? createHash('sha1').update(text).digest('hex');
    this.#scriptHashes.set(text, hash);
    return hash;
  }
}
