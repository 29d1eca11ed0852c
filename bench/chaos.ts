import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startRedisServer } from '@fabrica/test-peers/redis-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { type Fault, startFaultyProxy } from './chaos-proxy.ts';
import type { Figures } from './figures.ts';

/** A client of ours, and where it finds the service. */
interface Listener {
  origin: string;
  channels: string[];
}

export interface ClientsCommand {
  listeners?: Listener[];
}

export interface ClientsAnswer {
  /** Each client to all of its channels. */
  isSubscribed: boolean;
  logs: ChannelLog[];
}

/** What one client heard in one channel; messages are numbered from 1 on. */
export interface ChannelLog {
  client: number;
  channel: string;
  /** Messages without a gap between them, and how many `resync` came right before the first of them. */
  runs: { from: number; to: number; resyncs: number }[];
  /** Messages that came twice, or after a later one. */
  disorder: number;
  /** `resync` after which nothing has come yet. */
  resyncs: number;
}

export interface ChaosOptions {
  /** Of messages and faults. */
  seconds?: number | undefined;
  /** Two nodes on a Redis, instead of one without any. */
  redis?: boolean | undefined;
}

const CLIENTS = 500;
/** Messages a second of each channel: 50 in all. What the first keeps is half a minute. */
const PACES = { 'public:busy': 35, 'public:even': 10, 'public:calm': 5 } as const;
const CHANNELS = Object.keys(PACES) as (keyof typeof PACES)[];
/** Longer than a client waits before it tries again, and before it notices that nothing comes through any more. */
const CATCH_UP_MS = 90_000;

/** Five hundred of our clients whose connections break all the time: what each of them heard, against what was said. */
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
    // Each listens to two of the channels.
    await clients.listen(
      proxies.map(({ url }, at) => ({
        origin: url,
        channels: CHANNELS.filter((_, channel) => channel !== at % CHANNELS.length),
      })),
    );
    await until('All clients are subscribed', async () => (await clients.ask()).isSubscribed);

    const said = Object.fromEntries(CHANNELS.map((channel) => [channel, 0])) as Record<string, number>;
    const ends = Date.now() + seconds * 1_000;
    await Promise.all(CHANNELS.map((channel) => speak(servers, { channel, said, ends })));
    for (const proxy of proxies) proxy.calm();
    await until('All clients are back', async () => (await clients.ask()).isSubscribed);
    for (const channel of CHANNELS) await publish(servers, channel, said);
    const isCaughtUp = ({ channel, runs }: ChannelLog) => runs.at(-1)?.to === said[channel];
    await until('All clients have heard the last message', async () =>
      (await clients.ask()).logs.every(isCaughtUp),
    ).catch(() => undefined);
    tell(figures, (await clients.ask()).logs, { said, faults, seconds, redis });
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

interface Course extends Required<ChaosOptions> {
  said: Readonly<Record<string, number>>;
  faults: Readonly<Record<Fault, number>>;
}

function tell(figures: Figures, logs: readonly ChannelLog[], { said, faults, seconds, redis }: Course): void {
  const verdicts = logs.map((log) => judge(log, said[log.channel] ?? 0));
  const wrong = new Set(logs.filter((_, at) => verdicts[at]?.faults.length).map(({ client }) => client));
  for (const text of verdicts.flatMap(({ faults }) => faults).slice(0, 20)) console.log(`     ${text}`);
  const where = redis ? 'two nodes on a Redis' : 'one node';
  const messages = Object.values(said).reduce((sum, count) => sum + count, 0);
  const broken = faults.drop + faults.silence + faults.outage;
  const resyncs = verdicts.reduce((sum, { resyncs }) => sum + resyncs, 0);
  const extra = ` (${messages} messages in ${seconds} s, ${broken} broken connections, of which ${faults.silence} silently and ${faults.outage} for long; ${resyncs} resyncs)`;
  const row = `clients of ${CLIENTS} that heard anything else than was said, ${where}`;
  figures.note(row, wrong.size, { value: 0, better: 'atMost', unit: '' }, extra);
}

/** What is wrong with a log: nothing, where each gap has its one `resync` and there is none elsewhere. */
function judge({ client, channel, runs, disorder, resyncs }: ChannelLog, said: number) {
  const faults: string[] = [];
  const note = (text: string) => faults.push(`client ${client}, ${channel}: ${text}`);
  if (disorder > 0) note(`${disorder} messages came twice or too late`);
  let told = 0;
  let next = 1;
  for (const { from, to, resyncs } of runs) {
    const wanted = from === next ? 0 : 1;
    if (resyncs !== wanted) note(`${resyncs} resyncs between ${next - 1} and ${from}`);
    told += resyncs;
    next = to + 1;
  }
  if (next !== said + 1 || resyncs > 0) note(`ends at ${next - 1} of ${said}, with ${resyncs} resyncs`);
  return { faults, resyncs: told };
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
    // Of their databases nothing is asked here: each has its own.
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

interface Speech {
  channel: keyof typeof PACES;
  said: Record<string, number>;
  ends: number;
}

/** One message after the other, at the channel's pace. */
async function speak(servers: readonly RunningServer[], { channel, said, ends }: Speech): Promise<void> {
  const started = Date.now();
  while (Date.now() < ends) {
    const due = ((Date.now() - started) / 1_000) * PACES[channel];
    if ((said[channel] ?? 0) < due) await publish(servers, channel, said);
    else await wait(5);
  }
}

/** By one node or the other. */
async function publish(
  servers: readonly RunningServer[],
  channel: string,
  said: Record<string, number>,
): Promise<void> {
  const n = (said[channel] ?? 0) + 1;
  const server = servers[n % servers.length];
  if (!server) throw new Error('There is no server.');
  const answer = await fetch(`${server.url}/api/realtime/journal/publish`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ channel, type: 'note', data: { n } }),
  });
  if (!answer.ok) throw new Error(`A publish was answered ${answer.status}: ${await answer.text()}`);
  await answer.arrayBuffer();
  said[channel] = n;
}

function startClients() {
  const child = fork(fileURLToPath(new URL('chaos-clients.ts', import.meta.url)));
  async function ask(command: ClientsCommand = {}): Promise<ClientsAnswer> {
    const answered = once(child, 'message');
    child.send(command);
    const [answer] = await answered;
    return answer as ClientsAnswer;
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
