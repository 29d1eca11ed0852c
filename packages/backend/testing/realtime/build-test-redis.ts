import { setTimeout as wait } from 'node:timers/promises';
import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { freePort } from '@fabrica/test-peers/start-server.ts';
import { createClient } from '@redis/client';

/** Several servers, one of which takes the writes. */
export interface TestRedisGroup {
  /** The address by which clients find that one. */
  url: string;
  /** The server that takes the writes at first. */
  master: RedisServer;
  close(): Promise<void>;
}

const NAME = 'fabrica';
const PASSWORD = 'of-the-servers';
const SENTINEL_PASSWORD = 'of-the-sentinels';
const LONGEST_MS = 30_000;

/** Starts a server with a password, a replica of it, and three sentinels that replace a server that is silent for 0.6 s. */
export async function buildTestSentinels(): Promise<TestRedisGroup> {
  const own = [`requirepass ${PASSWORD}`, `masterauth ${PASSWORD}`, 'repl-diskless-sync-delay 0'];
  const master = await startRedisServer({ settings: own });
  const replica = await startRedisServer({ settings: [...own, `replicaof 127.0.0.1 ${master.port}`] });
  const settings = [
    `requirepass ${SENTINEL_PASSWORD}`,
    `sentinel sentinel-pass ${SENTINEL_PASSWORD}`,
    `sentinel monitor ${NAME} 127.0.0.1 ${master.port} 2`,
    `sentinel auth-pass ${NAME} ${PASSWORD}`,
    `sentinel down-after-milliseconds ${NAME} 600`,
    `sentinel failover-timeout ${NAME} 3000`,
  ];
  const sentinels = await Promise.all([1, 2, 3].map(() => startRedisServer({ isSentinel: true, settings })));
  for (const { port } of sentinels) {
    await untilReply(port, ['SENTINEL', 'CKQUORUM', NAME], /^OK 3 usable/, SENTINEL_PASSWORD);
    await untilReply(port, ['SENTINEL', 'REPLICAS', NAME], /"master-link-status","ok"/, SENTINEL_PASSWORD);
  }
  const hosts = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
  return {
    url: `redis+sentinel://:${PASSWORD}@${hosts}/${NAME}?sentinel_password=${SENTINEL_PASSWORD}`,
    master,
    close: () => closeAll([...sentinels, replica, master]),
  };
}

/** Starts a cluster of three servers and a replica of the one that has the keys that begin with `{fabrica}`. */
export async function buildTestCluster(): Promise<TestRedisGroup> {
  const servers: RedisServer[] = [];
  const buses: number[] = [];
  for (let at = 0; at < 4; at += 1) {
    const bus = await freePort();
    buses.push(bus);
    servers.push(await startRedisServer({ settings: clusterSettings(bus) }));
  }
  const [first, second, third, replica] = servers;
  if (!first || !second || !third || !replica) throw new Error('There are not enough servers.');
  const slot = Number(await ask(first.port, ['CLUSTER', 'KEYSLOT', `{${NAME}}`]));
  const thirds = [
    [0, 5_460],
    [5_461, 10_922],
    [10_923, 16_383],
  ] as const;
  for (const [at, [from, to]] of thirds.entries()) {
    await ask(servers[at]?.port ?? 0, ['CLUSTER', 'ADDSLOTSRANGE', String(from), String(to)]);
  }
  for (const [at, { port }] of servers.entries()) {
    await ask(first.port, ['CLUSTER', 'MEET', '127.0.0.1', String(port), String(buses[at])]);
  }
  const master = servers[thirds.findIndex(([from, to]) => from <= slot && slot <= to)] ?? first;
  for (const { port } of servers)
    await untilReply(port, ['CLUSTER', 'INFO'], /cluster_state:ok[\s\S]*known_nodes:4/);
  const id = String(await ask(master.port, ['CLUSTER', 'MYID']));
  await untilReply(replica.port, ['CLUSTER', 'REPLICATE', id], /OK/);
  await untilReply(master.port, ['INFO', 'replication'], /state=online/);
  for (const { port } of servers) await untilReply(port, ['CLUSTER', 'NODES'], /slave/);
  return {
    url: `redis+cluster://${[first, second, third].map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    master,
    close: () => closeAll(servers),
  };
}

function clusterSettings(bus: number): string[] {
  return [
    'cluster-enabled yes',
    `cluster-port ${bus}`,
    'cluster-node-timeout 1000',
    'repl-diskless-sync-delay 0',
  ];
}

async function closeAll(servers: readonly RedisServer[]): Promise<void> {
  for (const server of servers) await server.close();
}

/** Repeats a command until its reply, as JSON, matches. */
async function untilReply(port: number, command: string[], reply: RegExp, password?: string): Promise<void> {
  let last = '';
  for (const deadline = Date.now() + LONGEST_MS; Date.now() < deadline; await wait(50)) {
    last = JSON.stringify(await ask(port, command, password).catch(String)).replace(/^"/, '');
    if (reply.test(last)) return;
  }
  throw new Error(`${command.join(' ')} replied ${last}`);
}

async function ask(port: number, command: string[], password?: string): Promise<unknown> {
  const client = createClient({
    ...(password !== undefined && { password }),
    RESP: 2,
    socket: { host: '127.0.0.1', port, reconnectStrategy: false },
  }).on('error', () => undefined);
  await client.connect();
  try {
    return await client.sendCommand(command);
  } finally {
    client.destroy();
  }
}
