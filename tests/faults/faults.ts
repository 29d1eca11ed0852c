import { setTimeout as wait } from 'node:timers/promises';
import { runFabrica } from '@fabrica/test-peers/run-fabrica.ts';
import { freePort, runServerToEnd } from '@fabrica/test-peers/start-server.ts';
import { Client } from 'pg';
import { type Cluster, type Node, nodeOf, type RedisKind, type Site } from './cluster.ts';
import type { Load } from './load.ts';
import { restoreElsewhere } from './offsite.ts';

/** A fault that is made while clients work, and mended again. */
export interface Fault<Of extends Site = Cluster> {
  name: string;
  /** Makes the fault, waits, and mends it. `seconds` is how long it lasts, where that is chosen. */
  happen(site: Of, seconds: number, load: Load): Promise<void>;
  /** Names what is special about the site: the older version that its nodes run at first, or the servers of Redis. */
  on?: 'older' | RedisKind;
  /** Clients use the proxy that sends nothing again. */
  isPlain?: boolean;
  /** Nothing is expected to fail: no write and no read. */
  unnoticed?: boolean;
  /** Whether a whole run ends with it, because the cluster is not as it was. */
  isLast?: boolean;
}

const during = async (seconds: number, begin: () => unknown, end: () => unknown) => {
  await begin();
  await wait(seconds * 1_000);
  await end();
};
const standbyOf = ({ standby }: Cluster) => {
  if (!standby) throw new Error('There is no standby.');
  return standby;
};
const storeWireOf = ({ wires: { store } }: Cluster) => {
  if (!store) throw new Error('There is no store.');
  return store;
};

/** The faults by what people would call them, in the order in which a whole run makes them. */
export const faults: readonly Fault[] = [
  {
    name: 'nothing',
    unnoticed: true,
    happen: (_, seconds) => wait(seconds * 1_000),
  },
  {
    name: 'a node is killed',
    happen: (cluster, seconds) =>
      during(
        seconds,
        () => nodeOf(cluster, 1).stop('SIGKILL'),
        () => nodeOf(cluster, 1).start(),
      ),
  },
  {
    name: 'all nodes are killed',
    async happen({ nodes }) {
      await Promise.all(nodes.map((node) => node.stop('SIGKILL')));
      await Promise.all(nodes.map((node) => node.start()));
    },
  },
  {
    name: 'a node is frozen',
    happen: (cluster, seconds) =>
      during(
        seconds,
        () => nodeOf(cluster, 1).signal('SIGSTOP'),
        () => nodeOf(cluster, 1).signal('SIGCONT'),
      ),
  },
  {
    name: 'rolling restart',
    unnoticed: true,
    happen: ({ nodes }) => replaceAll(nodes),
  },
  {
    name: 'rolling restart behind a proxy without retries',
    unnoticed: true,
    isPlain: true,
    happen: ({ nodes }) => replaceAll(nodes),
  },
  {
    name: 'Redis is killed',
    unnoticed: true,
    happen: ({ redis }, seconds) => during(seconds, redis.kill, redis.start),
  },
  {
    name: 'Redis is killed and comes back empty',
    unnoticed: true,
    happen: ({ redis }, seconds) => during(seconds, redis.kill, redis.startEmpty),
  },
  {
    name: 'Redis is frozen',
    unnoticed: true,
    happen: ({ redis }, seconds) => during(seconds, redis.pause, redis.resume),
  },
  {
    name: 'Redis is away, and a node stops meanwhile',
    happen: (cluster, seconds) =>
      during(
        seconds,
        async () => {
          await cluster.redis.kill();
          await nodeOf(cluster, 0).stop();
        },
        async () => {
          await cluster.redis.start();
          await nodeOf(cluster, 0).start();
        },
      ),
  },
  {
    name: 'the store is away',
    happen: (cluster, seconds) =>
      during(
        seconds,
        () => storeWireOf(cluster).interfere(() => 'cut'),
        () => storeWireOf(cluster).interfere(() => 'pass'),
      ),
  },
  {
    name: 'the store is frozen',
    happen: (cluster, seconds) =>
      during(
        seconds,
        () => storeWireOf(cluster).interfere(() => 'silence'),
        () => storeWireOf(cluster).interfere(() => 'pass'),
      ),
  },
  {
    name: 'the primary is stopped and started',
    happen: ({ primary }, seconds) => during(seconds, () => primary.stop(), primary.start),
  },
  {
    name: 'the primary crashes and comes back',
    happen: ({ primary }, seconds) => during(seconds, () => primary.stop('immediate'), primary.start),
  },
  {
    name: 'the primary is frozen',
    happen: ({ primary }, seconds) => during(seconds, primary.pause, primary.resume),
  },
  {
    name: 'the database answers 200 ms late',
    unnoticed: true,
    happen: ({ wires: { database } }, seconds) =>
      during(
        seconds,
        () => database.delay(200),
        () => database.delay(0),
      ),
  },
  {
    name: 'the replica is away',
    unnoticed: true,
    happen: (cluster, seconds) =>
      during(seconds, () => standbyOf(cluster).stop('immediate'), standbyOf(cluster).start),
  },
  {
    name: 'the replica is frozen',
    happen: (cluster, seconds) => during(seconds, standbyOf(cluster).pause, standbyOf(cluster).resume),
  },
  {
    name: 'connections of notices are cut',
    unnoticed: true,
    happen: ({ wires: { database } }, seconds) =>
      during(
        seconds,
        () => database.interfere((sent) => (/pg_notify|NOTIFY|LISTEN/i.test(sent) ? 'cut' : 'pass')),
        () => database.interfere(() => 'pass'),
      ),
  },
  {
    name: 'answers of the database are lost',
    happen: ({ wires: { database } }, seconds) =>
      during(
        seconds,
        () => database.interfere((sent) => (/COMMIT/.test(sent) ? 'cut after it' : 'pass')),
        () => database.interfere(() => 'pass'),
      ),
  },
  {
    name: 'the network to the database is cut',
    happen: ({ wires: { database } }, seconds) =>
      during(
        seconds,
        () => database.interfere(() => 'silence'),
        () => database.interfere(() => 'pass'),
      ),
  },
  {
    name: 'the keys are rotated',
    unnoticed: true,
    async happen(cluster, seconds) {
      for (let at = 0; at < 3; at += 1) {
        await rotateKeys(cluster);
        await wait((seconds * 1_000) / 3);
      }
    },
  },
  {
    name: 'a node with other keys starts',
    unnoticed: true,
    async happen({ settings }) {
      const others = { ...settings, MASTER_KEY: 'another one than that of the others' };
      const { exitCode } = await runServerToEnd({ ...others, PORT: String(await freePort()) });
      if (exitCode !== 78) throw new Error(`A node with other keys ended with ${exitCode}.`);
    },
  },
  {
    name: 'a transaction holds a table for long',
    unnoticed: true,
    async happen({ primary }, seconds) {
      const url = new URL(primary.url);
      url.pathname = '/fabrica';
      const client = new Client(url.href);
      await client.connect();
      const { rows } = await client.query(
        `SELECT quote_ident(nspname) AS schema FROM pg_class JOIN pg_namespace n ON n.oid = relnamespace WHERE relname = 'journal_posts'`,
      );
      await client.query(`BEGIN; SELECT count(*) FROM ${rows[0].schema}.journal_posts`);
      await wait(seconds * 1_000);
      await client.end();
    },
  },
  {
    name: 'an off-site backup is made and restored elsewhere',
    unnoticed: true,
    happen: (site, _, load) => restoreElsewhere(site, load),
  },
  {
    name: 'the primary crashes and the standby is promoted',
    isLast: true,
    async happen(cluster, seconds) {
      // What was acknowledged is on the standby only if it waits for it.
      await cluster.primary.stop('immediate');
      await wait(seconds * 500);
      const client = new Client(standbyOf(cluster).url);
      await client.connect();
      await client.query('SELECT pg_promote()');
      await client.end();
    },
  },
  {
    name: 'rolling upgrade',
    on: 'older',
    unnoticed: true,
    isLast: true,
    isPlain: true,
    happen: ({ nodes }) => replaceAll(nodes),
  },
  {
    name: 'rolling upgrade and back',
    on: 'older',
    unnoticed: true,
    isPlain: true,
    happen: upgradeAndBack,
  },
  ...(['sentinels', 'cluster'] as const).map(
    (on): Fault => ({
      name: `the master of Redis is killed, and ${on === 'cluster' ? 'its cluster elects' : 'sentinels name'} another one`,
      on,
      unnoticed: true,
      happen: ({ redis, nodes }, seconds) =>
        during(seconds, redis.kill, async () => {
          await requireRedis(nodes);
          await redis.start();
        }),
    }),
  ),
];

/** The faults of one node on SQLite, without a proxy: while it is away, clients get no answer. */
export const faultsOnSqlite: readonly Fault<Site>[] = [
  {
    name: 'a server on SQLite is killed three times',
    async happen(site, seconds) {
      const node = nodeOf(site, 0);
      for (let at = 0; at < 3; at += 1) {
        await node.stop('SIGKILL');
        await node.start();
        await wait((seconds * 1_000) / 3);
      }
    },
  },
  {
    name: 'an off-site backup of SQLite is made and restored elsewhere',
    unnoticed: true,
    happen: (site, _, load) => restoreElsewhere(site, load),
  },
  {
    name: 'upgrade and back of a server on SQLite',
    on: 'older',
    happen: upgradeAndBack,
  },
];

/** Replaces the release and goes back. The migrations between the two have to be compatible, as `upgrade --check` says. */
async function upgradeAndBack({ nodes, older }: Site): Promise<void> {
  await replaceAll(nodes);
  await replaceAll(nodes, older);
}

/** Milliseconds in which the proxy finds a node that has started. */
const FOUND_MS = 3_000;

/** Stops each node and starts it again, one after the other, from another checkout if one is given. */
async function replaceAll(nodes: readonly Node[], checkout?: string): Promise<void> {
  for (const node of nodes) {
    await node.stop();
    await node.start({}, checkout);
    await wait(FOUND_MS);
  }
}

/** Nodes ask the sentinels anew after pauses of up to five seconds. */
const NEW_MASTER_MS = 15_000;

/** Waits until all nodes have a server of Redis that takes messages, and throws after a while. */
async function requireRedis(nodes: readonly Node[]): Promise<void> {
  const end = performance.now() + NEW_MASTER_MS;
  for (const { url } of nodes) {
    let realtime = '';
    while (realtime !== 'ok') {
      const response = await fetch(`${url}/readyz`);
      ({ realtime } = ((await response.json()) as { parts: { realtime: string } }).parts);
      if (performance.now() > end) throw new Error(`${url} says of its realtime: ${realtime}`);
      await wait(100);
    }
  }
}

async function rotateKeys(cluster: Cluster): Promise<void> {
  const { dataDir: DATA_DIR } = nodeOf(cluster, 0);
  const { exitCode, stderr } = await runFabrica(['key', 'rotate'], { ...cluster.settings, DATA_DIR });
  if (exitCode !== 0) throw new Error(`The keys were not rotated: ${stderr}`);
}
