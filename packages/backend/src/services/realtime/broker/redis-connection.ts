import { createHash } from 'node:crypto';
import type { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';
import { backOffMs } from '../../../runtime/retry.ts';

export type RedisClient = ReturnType<typeof createClient>;

export interface RedisConnectionOptions {
  url: string;
  log: Logger;
  /** Milliseconds that a command may take. */
  timeoutMs: number;
}

export interface RedisConnectionListeners {
  /** Is called when both connections are ready, for the first time or again. */
  onConnected(): void;
  onLost(): void;
}

const LONGEST_RETRY_MS = 1_000;
const PING_MS = 5_000;

/** Creates the clients of a Redis server. The package is loaded here, so that nodes without Redis do not load it. */
export async function createRedisConnection(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url: options.url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: options.timeoutMs,
      socketTimeout: PING_MS * 3,
      reconnectStrategy: (retries) => backOffMs(retries + 1, { firstMs: 25, longestMs: LONGEST_RETRY_MS }),
    },
  }) as RedisClient;
  return new RedisConnection(client, options);
}

export class RedisConnection {
  /** The client for pub/sub: a connection that listens can do nothing else. */
  readonly subscriber: RedisClient;
  readonly #client: RedisClient;
  readonly #log: Logger;
  readonly #timeoutMs: number;
  /** Undefined before the first attempt. */
  #connected: boolean | undefined;
  /** SHA-1 of each script, by its text: the name under which Redis caches it. */
  readonly #scriptHashes = new Map<string, string>();

  constructor(client: RedisClient, { log, timeoutMs }: RedisConnectionOptions) {
    this.#client = client;
    this.subscriber = client.duplicate() as RedisClient;
    this.#log = log;
    this.#timeoutMs = timeoutMs;
  }

  /** Connects in the background, and again each time that the server was away. */
  connect({ onConnected, onLost }: RedisConnectionListeners): void {
    for (const one of [this.#client, this.subscriber]) {
      one.on('ready', () => {
        if (this.#connected || !this.#client.isReady || !this.subscriber.isReady) return;
        this.#connected = true;
        onConnected();
      });
      one.on('error', (error: Error) => {
        if (this.#connected === false) return;
        this.#connected = false;
        this.#log.warn({ err: error }, 'Redis is away');
        onLost();
      });
      one.connect().catch((error: Error) => this.#log.warn({ err: error }, 'Redis could not be reached'));
    }
  }

  isConnected(): boolean {
    return this.#connected === true;
  }

  /** Runs commands. Throws REALTIME_UNAVAILABLE when the server is away, reports an error or takes too long. */
  async run<T>(command: (client: RedisClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await Promise.race([
        command(this.#client),
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('Redis took too long.')), this.#timeoutMs).unref();
        }),
      ]);
    } catch (cause) {
      throw new AppError(
        'REALTIME_UNAVAILABLE',
        'Messages cannot be delivered at the moment. Please try again.',
        { cause, retryAfter: 1 },
      );
    } finally {
      clearTimeout(timer);
    }
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
    for (const one of [this.#client, this.subscriber]) one.destroy();
  }

  #hashOf(text: string): string {
    const hash = this.#scriptHashes.get(text) ?? createHash('sha1').update(text).digest('hex');
    this.#scriptHashes.set(text, hash);
    return hash;
  }
}
