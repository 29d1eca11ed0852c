import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import { backOffMs } from '../../../runtime/retry.ts';
import {
  type CreateRedisClient,
  type FindRedisServerOptions,
  findRedisServer,
  type RedisClient,
  respondsWithin,
} from './find-redis-server.ts';
import type { RedisHost, RedisLocation } from './redis-location.ts';

interface RedisConnectionOptions {
  location: RedisLocation;
  sentinelPassword?: string | undefined;
  log: Logger;
  /** Milliseconds that a command may take. */
  timeoutMs: number;
  /** The beginning of all keys. */
  keyPrefix: string;
}

interface RedisConnectionListeners {
  /** Is called when both connections are ready, for the first time or again. */
  onConnected(): void;
  onLost(): void;
}

type TopicListener = (text: string) => void;

/** Both clients of one server. */
interface Session {
  server: RedisHost;
  client: RedisClient;
  /** The client for pub/sub: a connection that listens can do nothing else. */
  subscriber: RedisClient;
  /** Resolves with the reason once one of them has lost the server. The other one may go on. */
  lost: Promise<Error>;
  end(reason: Error): void;
}

/** The client that runs commands, and goes on while the other one connects again: its replies are not lost. */
type Commands = Pick<Session, 'server' | 'client'>;

const BACK_OFF = { firstMs: 25, longestMs: 1_000 };
const PING_MS = 5_000;
/** Errors of a server that no longer takes the writes: another one does. */
const IS_ELSEWHERE = /^(READONLY|MOVED|CLUSTERDOWN|MASTERDOWN|UNBLOCKED)/;

/** The package is loaded here, so that nodes without Redis do not load it. */
export async function createRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { createClient } = await import('@redis/client');
  const { location, timeoutMs } = options;
  return new RedisConnection(options, ({ host, port }, over) => {
    const client = createClient({
      ...(location.username !== undefined && { username: location.username }),
      ...(location.password !== undefined && { password: location.password }),
      database: location.database,
      disableOfflineQueue: true,
      pingInterval: PING_MS,
      socket: {
        host,
        port,
        connectTimeout: timeoutMs,
        socketTimeout: PING_MS * 3,
        reconnectStrategy: false,
        ...(location.tls && { tls: true }),
      },
      ...over,
    }) as RedisClient;
    // What is wrong is thrown by the command, or by `connect`.
    client.on('error', () => undefined);
    return client;
  });
}

/**
 * Keeps two connections to the server that takes writes: the one that the address names, or the one that sentinels or the
 * servers of a cluster name, who are asked again before each attempt and every few seconds.
 */
export class RedisConnection {
  readonly #options: RedisConnectionOptions;
  readonly #createClient: CreateRedisClient;
  readonly #finding: FindRedisServerOptions;
  /** The topics that are listened to, also while the server is away. */
  readonly #topics = new Map<string, Set<TopicListener>>();
  /** SHA-1 of each script, by its text: the name under which Redis caches it. */
  readonly #scriptHashes = new Map<string, string>();
  #commands: Commands | undefined;
  #session: Session | undefined;
  #isAwayLogged = false;
  #isClosed = false;

  constructor(options: RedisConnectionOptions, createClient: CreateRedisClient) {
    const { location, sentinelPassword, timeoutMs, keyPrefix: key } = options;
    this.#options = options;
    this.#createClient = createClient;
    this.#finding = { location, sentinelPassword, createClient, timeoutMs, key };
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
      if (!this.#commands) throw new Error('Redis is away.');
      return command(this.#commands.client);
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
    this.#session?.end(new Error('The connection is closed.'));
    this.#commands?.client.destroy();
  }

  async #attempt<T>(act: () => Promise<T>): Promise<T> {
    const session = this.#session;
    try {
      return await respondsWithin(this.#options.timeoutMs, async () => act());
    } catch (cause) {
      if (this.isElected && cause instanceof Error && IS_ELSEWHERE.test(cause.message)) session?.end(cause);
      throw new AppError(
        'REALTIME_UNAVAILABLE',
        'Messages cannot be delivered at the moment. Please try again.',
        { cause, retryAfter: 1 },
      );
    }
  }

  async #keepConnected({ onConnected, onLost }: RedisConnectionListeners): Promise<void> {
    for (let attempt = 1; !this.#isClosed; attempt += 1) {
      try {
        const session = await this.#openSession();
        this.#session = session;
        this.#isAwayLogged = false;
        attempt = 0;
        onConnected();
        const watch = this.isElected
          ? setInterval(() => void this.#watch(session), PING_MS).unref()
          : undefined;
        const reason = await session.lost;
        clearInterval(watch);
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

  /** Ends the session when another server takes the writes by now, though this one still responds, or does not at all. */
  async #watch(session: Session): Promise<void> {
    const server = await findRedisServer(this.#finding).catch(() => undefined);
    if (!server || isSame(server, session.server)) return;
    session.end(new Error('Another server takes the writes.'));
  }

  async #openSession(): Promise<Session> {
    const server = await findRedisServer(this.#finding);
    const client = await this.#connectCommands(server);
    const subscriber = this.#createClient(server);
    const { promise: lost, resolve } = Promise.withResolvers<Error>();
    const end = (reason: Error) => {
      client.off('error', end);
      if (this.#commands?.client === client) this.#commands = undefined;
      for (const one of [client, subscriber]) one.destroy();
      resolve(reason);
    };
    client.on('error', end);
    subscriber.on('error', (reason) => {
      client.off('error', end);
      subscriber.destroy();
      resolve(reason);
    });
    try {
      await respondsWithin(this.#options.timeoutMs, async () => {
        await subscriber.connect();
        await this.#listenAgain(subscriber);
      });
    } catch (error) {
      end(error as Error);
      throw error;
    }
    if (this.#isClosed) end(new Error('The connection is closed.'));
    return { server, client, subscriber, lost, end };
  }

  /** Returns a client that is connected: the former one, if it still is, and to this server. */
  async #connectCommands(server: RedisHost): Promise<RedisClient> {
    const former = this.#commands;
    if (former?.client.isReady && isSame(former.server, server)) return former.client;
    this.#commands = undefined;
    former?.client.destroy();
    const client = this.#createClient(server);
    try {
      await respondsWithin(this.#options.timeoutMs, async () => {
        await client.connect();
        if (this.isElected) await requireMaster(client);
      });
    } catch (error) {
      client.destroy();
      throw error;
    }
    this.#commands = { server, client };
    return client;
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

function isSame(one: RedisHost, other: RedisHost): boolean {
  return one.host === other.host && one.port === other.port;
}

/** Sentinels may name a server for a moment that is a replica already. */
async function requireMaster(client: RedisClient): Promise<void> {
  const [role] = await client.sendCommand<[string]>(['ROLE']);
  if (role !== 'master') throw new Error(`The server is a ${role}, and takes no writes.`);
}
