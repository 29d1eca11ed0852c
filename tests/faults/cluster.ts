import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startTestProxy, type TestProxy } from '@fabrica/backend/testing/database/build-test-proxy.ts';
import {
  buildTestCluster,
  buildTestSentinels,
  type TestRedisGroup,
} from '@fabrica/backend/testing/realtime/build-test-redis.ts';
import { type PostgresServer, startPostgres } from '@fabrica/test-peers/postgres-server.ts';
import { type RedisServer, startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { type S3Server, startS3Server } from '@fabrica/test-peers/s3-server.ts';
import { freePort, type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { Client } from 'pg';
import { type Haproxy, startHaproxy } from './haproxy.ts';

/** The delay must be longer than HAProxy needs to notice: two checks, one a second. */
const SETTINGS = {
  DEMO: 'off',
  RATE_LIMIT: 'off',
  LOG_LEVEL: 'error',
  TRUST_PROXY: '1',
  MASTER_KEY: 'the-same-on-all-nodes-of-the-faults',
  DRAIN_DELAY_SECONDS: '4',
};

/** One of the servers, which may be stopped and started again on its port. */
export interface Node {
  port: number;
  /** `http://127.0.0.1:<port>`. */
  url: string;
  dataDir: string;
  /** Starts it, with other settings or from another checkout than the first time, and waits until it serves. */
  start(over?: Readonly<Record<string, string>>, checkout?: string): Promise<void>;
  /** Sends the signal and waits for its end; returns the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Sends a signal that does not end it. */
  signal(name: NodeJS.Signals): void;
}

/** Nodes that serve together, or one alone. */
export interface Site {
  nodes: readonly Node[];
  /** The address that clients use: that of the proxy, or of the first node. */
  url: string;
  settings: Readonly<Record<string, string>>;
  /** The checkout of the older version that the nodes run at first, where one was given. */
  older: string | undefined;
  close(): Promise<void>;
}

export interface Cluster extends Site {
  /** The address of a second proxy, which sends nothing again. */
  plainUrl: string;
  primary: PostgresServer;
  standby: PostgresServer | undefined;
  /** The server of Redis that takes the writes at first. */
  redis: RedisServer;
  store: S3Server | undefined;
  /** The connections between the nodes and their parts. */
  wires: { database: TestProxy; store: TestProxy | undefined };
}

export type RedisKind = 'sentinels' | 'cluster';

export interface ClusterOptions {
  nodes: number;
  /** The path of HAProxy; without it, clients use the nodes' own addresses. */
  haproxy?: string | undefined;
  /** Whether there are a standby and an S3 store. */
  whole: boolean;
  /** The servers of Redis: one, unless they are to replace one that fails. */
  redis?: RedisKind | undefined;
  /** Settings beside those of every cluster. */
  settings?: Readonly<Record<string, string>>;
  /** A built checkout of an older version, which the nodes run at first. */
  older?: string | undefined;
}

/** Starts nodes on PostgreSQL and Redis, all at once on an empty database. */
export async function startCluster({
  nodes: count,
  haproxy,
  whole,
  settings: own = {},
  redis: redisKind,
  older,
}: ClusterOptions): Promise<Cluster> {
  const closing: (() => Promise<unknown>)[] = [];
  const opened = <T extends { close(): Promise<unknown> }>(one: T): T => {
    closing.push(() => one.close());
    return one;
  };
  const close = async () => {
    for (const one of closing.reverse()) await one();
  };
  try {
    const primary = opened(await startPostgres());
    const standby = whole ? opened(await primary.startStandby()) : undefined;
    const database = opened(await startTestProxy(primary.port));
    const { url: redisUrl, master: redis } = opened(await startRedis(redisKind));
    const store = whole ? opened(await startS3Server()) : undefined;
    const storeWire = store && opened(await startTestProxy(Number(new URL(store.endpoint).port)));
    await createDatabase(primary.url);
    const ports = await Promise.all(Array.from({ length: count }, freePort));
    const proxy: Haproxy | undefined = haproxy ? opened(await startHaproxy(haproxy, ports)) : undefined;
    const plainProxy = haproxy ? opened(await startHaproxy(haproxy, ports, { retries: false })) : undefined;
    const url = proxy?.url ?? `http://127.0.0.1:${ports[0]}`;
    const settings = {
      ...SETTINGS,
      ...store?.environment,
      ...(storeWire && { S3_ENDPOINT: `http://127.0.0.1:${storeWire.port}` }),
      ...databaseSettings({ primary, standby, wire: database }),
      REDIS_URL: redisUrl,
      PUBLIC_URL: url,
      ...own,
    };
    const nodes = await Promise.all(
      ports.map(async (port) => {
        const dataDir = await mkdtemp(join(tmpdir(), 'fabrica-node-'));
        closing.push(() => rm(dataDir, { recursive: true, force: true }));
        return opened(createNode({ port, dataDir, settings }));
      }),
    );
    await Promise.all(nodes.map((node) => node.start({}, older)));
    return {
      nodes,
      url,
      plainUrl: plainProxy?.url ?? url,
      older,
      settings,
      primary,
      standby,
      redis,
      store,
      wires: { database, store: storeWire },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Starts one node on SQLite, which needs no other part. A folder of data that is given stays. */
export async function startOnSqlite({ dataDir: kept, older }: SqliteOptions = {}): Promise<Site> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const dataDir = kept ?? (await mkdtemp(join(tmpdir(), 'fabrica-node-')));
  const settings = { ...SETTINGS, PUBLIC_URL: url };
  const node = createNode({ port, dataDir, settings });
  const close = async () => {
    await node.close();
    if (kept === undefined) await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await node.start({}, older);
  } catch (error) {
    await close();
    throw error;
  }
  return { nodes: [node], url, settings, older, close };
}

/** Returns one of the nodes of a site. */
export function nodeOf({ nodes }: Site, at: number): Node {
  const node = nodes[at];
  if (!node) throw new Error(`There is no node ${at}.`);
  return node;
}

interface SqliteOptions {
  dataDir?: string;
  /** A built checkout of an older version, which the node runs at first. */
  older?: string | undefined;
}

interface NodeOptions {
  port: number;
  dataDir: string;
  settings: Readonly<Record<string, string>>;
}

function createNode({ port, dataDir, settings }: NodeOptions): Node & { close(): Promise<void> } {
  let running: RunningServer | undefined;
  const stop: Node['stop'] = async (signal = 'SIGTERM') => {
    const exitCode = await running?.stop(signal);
    running = undefined;
    return exitCode ?? null;
  };
  return {
    port,
    url: `http://127.0.0.1:${port}`,
    dataDir,
    async start(over = {}, checkout) {
      running = await startServer({ ...settings, ...over, PORT: String(port) }, dataDir, { checkout });
    },
    stop,
    signal: (name) => void running?.process.kill(name),
    async close() {
      await stop('SIGKILL');
    },
  };
}

async function startRedis(kind: RedisKind | undefined): Promise<TestRedisGroup> {
  if (kind === 'sentinels') return buildTestSentinels();
  if (kind === 'cluster') return buildTestCluster();
  const master = await startRedisServer({ persist: true });
  return { url: master.url, master, close: master.close };
}

async function createDatabase(url: string): Promise<void> {
  const client = new Client(url);
  await client.connect();
  await client.query('CREATE DATABASE fabrica');
  await client.end();
}

/** Names both hosts, so that a standby that is promoted is found. */
function databaseSettings({
  primary,
  standby,
  wire,
}: {
  primary: PostgresServer;
  standby: PostgresServer | undefined;
  wire: TestProxy;
}): Record<string, string> {
  const { username, password } = new URL(primary.url);
  const on = (hosts: string) => `postgres://${username}:${password}@${hosts}/fabrica`;
  const direct = `127.0.0.1:${wire.port}`;
  if (!standby) return { DATABASE_URL: on(direct) };
  const other = `127.0.0.1:${standby.port}`;
  return { DATABASE_URL: on(`${direct},${other}`), DATABASE_REPLICA_URL: on(other) };
}
