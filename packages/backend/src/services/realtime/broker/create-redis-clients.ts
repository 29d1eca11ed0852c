import type { createClient } from '@redis/client';
import type { RedisHost, RedisLocation } from './redis-location.ts';

/** A client of one server, of the one that sentinels name, or of a cluster: all have what is used of this type. */
export type RedisClient = ReturnType<typeof createClient>;

export interface RedisClients {
  /** Runs commands on the server that takes the writes. */
  commands: RedisClient;
  /** Creates a client for pub/sub on the same server. */
  createSubscriber(): RedisClient | Promise<RedisClient>;
}

/** Creates clients that do not connect again by themselves. Calls `onLost` when that for commands has lost its server, or when another server takes the writes. */
export type CreateRedisClients = (onLost: (reason: unknown) => void) => RedisClients;

export interface RedisClientOptions {
  location: RedisLocation;
  /** Milliseconds in which a connection must be there. */
  timeoutMs: number;
  /** The beginning of all keys; in a cluster, all of them are on one server. */
  keyPrefix: string;
}

const PING_MS = 5_000;

/** The package is loaded here, so that nodes without Redis do not load it. */
export async function loadRedisClients(options: RedisClientOptions): Promise<CreateRedisClients> {
  const redis = await import('@redis/client');
  const { location, timeoutMs, keyPrefix } = options;
  const { username, password, sentinelPassword, database, name } = location;
  const hosts = [...location.hosts];
  const socket = {
    connectTimeout: timeoutMs,
    socketTimeout: PING_MS * 3,
    reconnectStrategy: false,
    ...(location.tls && ({ tls: true } as const)),
  } as const;
  const common = { disableOfflineQueue: true, pingInterval: PING_MS, socket };
  const login = { ...(username !== undefined && { username }), ...(password !== undefined && { password }) };
  const node = { ...common, ...login, database };
  const createServerClient = (host: RedisHost | undefined) =>
    redis.createClient({ ...node, socket: { ...socket, ...host } }) as RedisClient;

  function createServer(onLost: (reason: unknown) => void): RedisClients {
    const commands = createServerClient(hosts[0]).on('error', onLost);
    return { commands, createSubscriber: () => commands.duplicate() };
  }

  function createSentinel(onLost: (reason: unknown) => void): RedisClients {
    let server: RedisHost | undefined;
    // One that hangs is not asked first again.
    hosts.push(...hosts.splice(0, 1));
    const commands = redis.createSentinel({
      name,
      sentinelRootNodes: hosts,
      nodeClientOptions: node,
      sentinelClientOptions: {
        ...common,
        ...(sentinelPassword !== undefined && { password: sentinelPassword }),
      },
      maxCommandRediscovers: 0,
      // Else commands that are given together are sent in another order.
      reserveClient: true,
    });
    commands.on('topology-change', (change) => {
      if (change.type === 'MASTER_CHANGE') server = change.node;
    });
    commands.on('reconnecting', () => onLost(new Error('Another server takes the writes.')));
    // Another sentinel is asked when one of them is lost.
    commands.on('client-error', ({ type, error }) => type === 'MASTER' && onLost(error));
    return {
      commands: commands as unknown as RedisClient,
      createSubscriber: () => createServerClient(server),
    };
  }

  function createCluster(onLost: (reason: unknown) => void): RedisClients {
    const [first] = hosts;
    const commands = redis.createCluster({
      rootNodes: hosts.map((host) => ({ socket: host })),
      defaults: node,
      minimizeConnections: true,
      // A server that does not know its own name means the one that was asked.
      nodeAddressMap: (address) =>
        first && /^(null)?:/.test(address) ? { ...first, port: Number(address.split(':')[1]) } : undefined,
    });
    commands.on('node-error', onLost);
    return {
      commands: commands as unknown as RedisClient,
      async createSubscriber() {
        const slot = await commands.sendCommand(keyPrefix, true, ['CLUSTER', 'KEYSLOT', keyPrefix]);
        const shard = commands.slots[Number(slot)];
        if (!shard) throw new Error('No server of the cluster has the slot of the messages.');
        return (await commands.nodeClient(shard.master)).duplicate() as unknown as RedisClient;
      },
    };
  }

  const create = { server: createServer, sentinel: createSentinel, cluster: createCluster }[location.kind];
  return (onLost) => {
    const { commands, createSubscriber } = create(onLost);
    return {
      commands: withoutThrowing(commands),
      createSubscriber: async () => withoutThrowing(await createSubscriber()),
    };
  };
}

/** What is wrong is thrown by the command, or by `connect`. */
function withoutThrowing(client: RedisClient): RedisClient {
  return client.on('error', () => undefined);
}
