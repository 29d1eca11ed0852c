import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { type Fault, startFaultyProxy } from './chaos-proxy.ts';
import type { Figures } from './figures.ts';

/** A client of ours with the origin of its service. */
interface Listener {
  origin: string;
  channels: string[];
}

export interface ClientsCommand {
  listeners?: Listener[];
}

export interface ClientsReply {
  /** Whether each client is subscribed to all of its channels. */
  isSubscribed: boolean;
  logs: ChannelLog[];
}

/** The messages that one client has received in one channel. Messages are numbered from 1 on. */
export interface ChannelLog {
  client: number;
  channel: string;
  /** Messages without a gap between them, and the number of `resync` right before the first of them. */
  runs: { from: number; to: number; resyncs: number }[];
  /** The number of messages that came twice or out of order. */
  disorder: number;
  /** The number of `resync` after the last message. */
  resyncs: number;
}

export interface ChaosOptions {
  /** The duration of messages and faults in seconds. */
  seconds?: number | undefined;
  /** Whether there are two nodes with Redis, instead of one node without. */
  redis?: boolean | undefined;
}

const CLIENTS = 500;
/** Messages a second of each channel, 50 in total. The first channel stores half a minute of messages. */
const PACES = { 'public:busy': 35, 'public:even': 10, 'public:calm': 5 } as const;
const CHANNELS = Object.keys(PACES) as (keyof typeof PACES)[];
/** Longer than a client's time between two attempts, and than its time to notice a silent connection. */
const CATCH_UP_MS = 90_000;

/** Compares what five hundred of our clients receive over breaking connections with what was published. */
export async function benchChaos(
  figures: Figures,
  { seconds = 600, redis = false }: ChaosOptions = {},
): Promise<void> {
  const closing: (() => unknown)[] = [];
  try {
    const servers = await startNodes(redis, closing);
    const faults = { drop: 0, silence: 0, outage: 0 };
    const proxies = await startProxies(servers, faults);
    closing.push(() => {
      for (const proxy of proxies) proxy.close();
    });
    const clients = startClients();
    closing.push(clients.stop);
    // Each client subscribes to two of the channels.
    await clients.listen(
      proxies.map(({ url }, at) => ({
        origin: url,
        channels: CHANNELS.filter((_, channel) => channel !== at % CHANNELS.length),
      })),
    );
    await until('All clients are subscribed', async () => (await clients.ask()).isSubscribed);

    const published = Object.fromEntries(CHANNELS.map((channel) => [channel, 0])) as Record<string, number>;
    const ends = Date.now() + seconds * 1_000;
    await Promise.all(CHANNELS.map((channel) => publishAll(servers, { channel, published, ends })));
    for (const proxy of proxies) proxy.calm();
    await until('All clients are back', async () => (await clients.ask()).isSubscribed);
    for (const channel of CHANNELS) await publish(servers, channel, published);
    const isCaughtUp = ({ channel, runs }: ChannelLog) => runs.at(-1)?.to === published[channel];
    await until('All clients have received the last message', async () =>
      (await clients.ask()).logs.every(isCaughtUp),
    ).catch(() => undefined);
    report(figures, (await clients.ask()).logs, { published, faults, seconds, redis });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface ChaosRun extends Required<ChaosOptions> {
  published: Readonly<Record<string, number>>;
  faults: Readonly<Record<Fault, number>>;
}

function report(
  figures: Figures,
  logs: readonly ChannelLog[],
  { published, faults, seconds, redis }: ChaosRun,
): void {
  const results = logs.map((log) => findFaults(log, published[log.channel] ?? 0));
  const wrong = new Set(logs.filter((_, at) => results[at]?.faults.length).map(({ client }) => client));
  for (const text of results.flatMap(({ faults }) => faults).slice(0, 20)) console.log(`     ${text}`);
  const where = redis ? 'two nodes on a Redis' : 'one node';
  const messages = Object.values(published).reduce((sum, count) => sum + count, 0);
  const broken = faults.drop + faults.silence + faults.outage;
  const resyncs = results.reduce((sum, { resyncs }) => sum + resyncs, 0);
  const extra = ` (${messages} messages in ${seconds} s, ${broken} broken connections, of which ${faults.silence} silently and ${faults.outage} for long; ${resyncs} resyncs)`;
  const row = `clients of ${CLIENTS} that received anything else than was published, ${where}`;
  figures.note(row, wrong.size, { value: 0, better: 'atMost', unit: '' }, extra);
}

/** Returns the faults of a log. A correct log has one `resync` at each gap and none elsewhere. */
function findFaults({ client, channel, runs, disorder, resyncs }: ChannelLog, published: number) {
  const faults: string[] = [];
  const note = (text: string) => faults.push(`client ${client}, ${channel}: ${text}`);
  if (disorder > 0) note(`${disorder} messages came twice or too late`);
  let total = 0;
  let next = 1;
  for (const { from, to, resyncs } of runs) {
    const wanted = from === next ? 0 : 1;
    if (resyncs !== wanted) note(`${resyncs} resyncs between ${next - 1} and ${from}`);
    total += resyncs;
    next = to + 1;
  }
  if (next !== published + 1 || resyncs > 0)
    note(`ends at ${next - 1} of ${published}, with ${resyncs} resyncs`);
  return { faults, resyncs: total };
}

async function startNodes(redis: boolean, closing: (() => unknown)[]): Promise<RunningServer[]> {
  const settings = { DEMO: 'off', RATE_LIMIT: 'off' };
  if (!redis) {
    const server = await startServer(settings);
    closing.push(server.close);
    return [server];
  }
  const { url, close } = await startRedisServer();
  closing.push(close);
  const servers: RunningServer[] = [];
  for (let node = 0; node < 2; node += 1) {
    // The databases are not used here, so each node has its own.
    const server = await startServer({ ...settings, REDIS_URL: url });
    servers.push(server);
    closing.push(server.close);
  }
  return servers;
}

function startProxies(servers: readonly RunningServer[], faults: Record<Fault, number>) {
  const ports = servers.map(({ url }) => Number(new URL(url).port));
  const count = (fault: Fault) => {
    faults[fault] += 1;
  };
  return Promise.all(Array.from({ length: CLIENTS }, () => startFaultyProxy(ports, count)));
}

interface Publishing {
  channel: keyof typeof PACES;
  published: Record<string, number>;
  ends: number;
}

/** Publishes messages at the channel's rate. */
async function publishAll(
  servers: readonly RunningServer[],
  { channel, published, ends }: Publishing,
): Promise<void> {
  const started = Date.now();
  while (Date.now() < ends) {
    const due = ((Date.now() - started) / 1_000) * PACES[channel];
    if ((published[channel] ?? 0) < due) await publish(servers, channel, published);
    else await wait(5);
  }
}

/** Publishes the next message on one of the nodes. */
async function publish(
  servers: readonly RunningServer[],
  channel: string,
  published: Record<string, number>,
): Promise<void> {
  const n = (published[channel] ?? 0) + 1;
  const server = servers[n % servers.length];
  if (!server) throw new Error('There is no server.');
  const response = await fetch(`${server.url}/api/realtime/journal/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel, type: 'note', data: { n } }),
  });
  if (!response.ok) throw new Error(`A publish returned ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
  published[channel] = n;
}

function startClients() {
  const child = fork(fileURLToPath(new URL('chaos-clients.ts', import.meta.url)));
  async function ask(command: ClientsCommand = {}): Promise<ClientsReply> {
    const replied = once(child, 'message');
    child.send(command);
    const [response] = await replied;
    return response as ClientsReply;
  }
  return {
    ask,
    listen: (listeners: Listener[]) => ask({ listeners }),
    stop: () => child.disconnect(),
  };
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = Date.now() + CATCH_UP_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`${what}: not after ${CATCH_UP_MS / 1_000} s.`);
    await wait(200);
  }
}
