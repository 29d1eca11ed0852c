import { createHash } from 'node:crypto';
import type { createClient } from '@redis/client';
import type { Logger } from 'pino';
import { AppError } from '../../../core/errors.ts';

export type RedisClient = ReturnType<typeof createClient>;

export interface RedisConnection {
  /** For commands. */
  client: RedisClient;
  /** For pub/sub: a connection that listens does nothing else. */
  subscriber: RedisClient;
  /** Does something with the server; throws REALTIME_UNAVAILABLE when it is away, says no, or takes too long. */
  run<T>(act: (client: RedisClient) => Promise<T>): Promise<T>;
  script(text: string, keys: string[], values: string[]): Promise<unknown>;
  isConnected(): boolean;
  close(): Promise<void>;
}

export interface RedisConnectionOptions {
  url: string;
  log: Logger;
  /** Both connections stand, for the first time or again. */
  whenConnected(): void;
  whenLost(): void;
  /** Milliseconds that a command may take. */
  timeoutMs: number;
}

const LONGEST_RETRY_MS = 1_000;
const PING_MS = 5_000;

/** Connects in the background, and again whenever the server was away. The package is loaded here. */
export async function connectRedis(options: RedisConnectionOptions): Promise<RedisConnection> {
  const { url, log, timeoutMs } = options;
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    disableOfflineQueue: true,
    pingInterval: PING_MS,
    socket: {
      connectTimeout: timeoutMs,
      socketTimeout: PING_MS * 3,
      reconnectStrategy: (retries) => Math.min(25 * 2 ** retries, LONGEST_RETRY_MS),
    },
  }) as RedisClient;
  const subscriber = client.duplicate() as RedisClient;
  /** Undefined until it has been tried. */
  let connected: boolean | undefined;

  for (const one of [client, subscriber]) {
    one.on('ready', () => {
      if (connected || !client.isReady || !subscriber.isReady) return;
      connected = true;
      options.whenConnected();
    });
    one.on('error', (error: Error) => {
      if (connected === false) return;
      connected = false;
      log.warn({ err: error }, 'Redis is away');
      options.whenLost();
    });
    one.connect().catch((error: Error) => log.warn({ err: error }, 'Redis could not be reached'));
  }

  async function run<T>(act: (client: RedisClient) => Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    try {
      return await Promise.race([
        act(client),
        new Promise<never>((_, reject) => {
          timer = setTimeout(() => reject(new Error('Redis took too long.')), timeoutMs).unref();
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

  return {
    client,
    subscriber,
    run,
    isConnected: () => connected === true,
    script: (text, keys, values) =>
      run(async () => {
        const options = { keys, arguments: values };
        const sha = createHashOf(text);
        try {
          return await client.evalSha(sha, options);
        } catch (error) {
          if (!String(error).includes('NOSCRIPT')) throw error;
          return client.eval(text, options);
        }
      }),
    async close() {
      for (const one of [client, subscriber]) one.destroy();
    },
  };
}

const hashes = new Map<string, string>();

/** How Redis names a script that it has seen. */
function createHashOf(text: string): string {
  const known = hashes.get(text) ?? createHash('sha1').update(text).digest('hex');
  hashes.set(text, known);
  return known;
}
