import type { createClient, RedisClientOptions } from '@redis/client';
import { withinTime } from '../../../runtime/within-time.ts';
import type { RedisHost, RedisLocation } from './redis-location.ts';

export type RedisClient = ReturnType<typeof createClient>;

/** Creates a client of one server, which is not connected yet. */
export type CreateRedisClient = (host: RedisHost, options?: Partial<RedisClientOptions>) => RedisClient;

export interface FindRedisServerOptions {
  location: RedisLocation;
  /** The password of the sentinels themselves. */
  sentinelPassword: string | undefined;
  createClient: CreateRedisClient;
  timeoutMs: number;
  /** In a cluster, the key whose server is looked for. */
  key: string;
}

/** Returns the server that takes writes now. Throws when nobody can say. */
export async function findRedisServer(options: FindRedisServerOptions): Promise<RedisHost> {
  const { location, createClient, timeoutMs } = options;
  const [only] = location.hosts;
  if (location.kind === 'server' && only) return only;
  const reasons: unknown[] = [];
  for (const host of location.hosts) {
    const client = createClient(host, isSentinel(options) ? sentinelLogin(options) : {});
    try {
      return await respondsWithin(timeoutMs, async () => {
        await client.connect();
        return isSentinel(options)
          ? askSentinel(client, location.name)
          : askCluster(client, options.key, host);
      });
    } catch (error) {
      reasons.push(error);
    } finally {
      client.destroy();
    }
  }
  throw new AggregateError(reasons, `No ${location.kind} could name the server: ${reasons.join('; ')}`);
}

function isSentinel({ location }: FindRedisServerOptions): boolean {
  return location.kind === 'sentinel';
}

/** User, password and database of the address are those of the servers. */
function sentinelLogin({ sentinelPassword }: FindRedisServerOptions): Partial<RedisClientOptions> {
  const none = { username: undefined, password: sentinelPassword, database: 0 } as unknown;
  return none as Partial<RedisClientOptions>;
}

async function askSentinel(client: RedisClient, name: string): Promise<RedisHost> {
  const found = await client.sendCommand<[string, string] | null>([
    'SENTINEL',
    'get-master-addr-by-name',
    name,
  ]);
  if (!found) throw new Error(`The sentinels do not know a server "${name}".`);
  return { host: found[0], port: Number(found[1]) };
}

type Slots = readonly [from: number, to: number, server: readonly [host: string | null, port: number]][];

async function askCluster(client: RedisClient, key: string, asked: RedisHost): Promise<RedisHost> {
  const slot = await client.sendCommand<number>(['CLUSTER', 'KEYSLOT', key]);
  const slots = await client.sendCommand<Slots>(['CLUSTER', 'SLOTS']);
  const [, , server] = slots.find(([from, to]) => from <= slot && slot <= to) ?? [];
  if (!server) throw new Error('No server of the cluster has the slot of the messages.');
  // A server that does not know its own name means the one that was asked.
  return { host: server[0] || asked.host, port: server[1] };
}

/** Throws when the server takes longer. The action goes on then, and its result is ignored. */
export function respondsWithin<T>(timeoutMs: number, act: () => Promise<T>): Promise<T> {
  return withinTime(timeoutMs, act(), 'Redis took too long.');
}
