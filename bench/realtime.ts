import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import { type Crowd, clock, type Delays, startCrowd } from './crowd.ts';
import { atLeast, atMost, type Figures } from './figures.ts';
import { median } from './load.ts';
import { cpuSeconds, memoryAtRest, residentMemory } from './measures.ts';

/** Sockets of a node, each in a channel of its own. */
const SOCKETS = 5_000;
/** Sockets of one channel, each of which receives every message. */
const LISTENERS = 1_000;
const ROUNDS = 5;
const ROUND_MS = 3_000;
const PACED_MS = 20_000;
/** The maximum of concurrent publish calls. */
const IN_FLIGHT = 8;
/** Sockets that connect and disconnect together, and how often. */
const RECONNECTING = 500;
const RECONNECTS = 100;
/** The rounds until the process has allocated what it works with. */
const WARM_UP_RECONNECTS = 40;
const CHANNEL = 'public:bench';

/** Measures the memory of sockets, and the deliveries of messages to many of them. */
export async function benchRealtime(figures: Figures): Promise<void> {
  await benchMemory(figures);
  await benchFanOut(figures);
}

async function benchMemory(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  const crowd = startCrowd();
  try {
    const atRest = await memoryAtRest(server);
    const url = socketUrl(server.url);
    await crowd.open(url, names(SOCKETS));
    await wait(5_000);
    const { lost } = await crowd.count();
    if (lost > 0) throw new Error(`The server closed ${lost} of ${SOCKETS} sockets.`);
    const extra = ` (at rest before: ${atRest.toFixed(0)} MB)`;
    const row = `memory with ${SOCKETS.toLocaleString('en')} sockets, each in a channel`;
    figures.note(row, residentMemory(server.process.pid), atMost(400, 'MB'), extra);
    await crowd.close();

    const memory: number[] = [];
    for (let round = 0; round < RECONNECTS; round += 1) {
      await crowd.open(url, names(RECONNECTING));
      await crowd.close();
      memory.push(residentMemory(server.process.pid));
    }
    const [first = 0, last = 0] = [memory[WARM_UP_RECONNECTS - 1], memory.at(-1)];
    const rounds = `from the ${WARM_UP_RECONNECTS}th to the ${RECONNECTS}th time that ${RECONNECTING} sockets come and go`;
    figures.note(`memory added ${rounds}`, last - first, atMost(15, 'MB'), ` (${last.toFixed(0)} MB then)`);
  } finally {
    crowd.stop();
    await server.close();
  }
}

async function benchFanOut(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off' });
  const bare = await startBare();
  const crowds = [startCrowd(), startCrowd()] as const;
  try {
    const ours = await gather(server.process, crowds[0], {
      sockets: socketUrl(server.url),
      publish: `${server.url}/api/realtime/journal/publish`,
      secret: await secretKeyOf(server),
    });
    const theirs = await gather(bare.process, crowds[1], {
      sockets: bare.url,
      publish: bare.url,
      secret: '',
    });
    const rates = { ours: [] as number[], bare: [] as number[] };
    for (let round = 0; round <= ROUNDS; round += 1) {
      const [one, other] = [await fanOut(theirs), await fanOut(ours)];
      // The first round is a warm-up.
      if (round === 0) continue;
      rates.bare.push(one);
      rates.ours.push(other);
    }
    const yardstick = ` (a bare ws server: ${Math.round(median(rates.bare))}/s)`;
    const row = `deliveries by one core, ${LISTENERS.toLocaleString('en')} sockets of a channel`;
    figures.note(row, median(rates.ours), atLeast(100_000, '/s'), yardstick);
    const ratios = rates.ours.map((value, round) => value / (rates.bare[round] ?? Number.NaN));
    figures.note('the same against a bare ws server', median(ratios), atLeast(1, ''));

    const bareDelay = await delaysOf(theirs);
    const delay = await delaysOf(ours);
    const extra = ` (median ${delay.p50.toFixed(1)} ms; a bare ws server: ${bareDelay.p99.toFixed(1)} ms)`;
    figures.note('p99 of a delivery at 10,000 a second', delay.p99, atMost(100, 'ms'), extra);
  } finally {
    for (const crowd of crowds) crowd.stop();
    bare.process.kill();
    await server.close();
  }
}

interface Audience {
  process: ChildProcess;
  crowd: Crowd;
  publish(agent: Agent): Promise<void>;
}

interface Endpoints {
  sockets: string;
  publish: string;
  /** The project's secret key, if one is required. */
  secret: string;
}

/** Subscribes the crowd to the channel. */
async function gather(
  process: ChildProcess,
  crowd: Crowd,
  { sockets, publish, secret }: Endpoints,
): Promise<Audience> {
  await crowd.open(
    sockets,
    Array.from({ length: LISTENERS }, () => CHANNEL),
  );
  const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
  return {
    process,
    crowd,
    publish: (agent) =>
      new Promise((resolve, reject) => {
        const body = JSON.stringify({ channel: CHANNEL, type: 'note', data: { at: clock(), n: 1 } });
        request(publish, { method: 'POST', agent, headers }, (response) => {
          if (response.statusCode !== 200) reject(new Error(`A publish returned ${response.statusCode}.`));
          response.resume().on('end', resolve);
        })
          .once('error', reject)
          .end(body);
      }),
  };
}

/** Publishes messages at this rate, or slower when the server does not keep up, and returns their number. */
async function publishAtPace({ publish }: Audience, perSecond: number, ms: number): Promise<number> {
  const agent = new Agent({ keepAlive: true });
  const inFlight = new Set<Promise<void>>();
  let failure: unknown;
  const started = performance.now();
  let published = 0;
  for (let at = 0; at < ms; at = performance.now() - started) {
    if (published < (at / 1_000) * perSecond && inFlight.size < IN_FLIGHT) {
      const publishing: Promise<void> = publish(agent)
        .catch((error) => {
          failure = error;
        })
        .finally(() => inFlight.delete(publishing));
      inFlight.add(publishing);
      published += 1;
    } else await wait(1);
  }
  await Promise.all(inFlight);
  agent.destroy();
  if (failure !== undefined) throw failure;
  return published;
}

/** Returns the deliveries for each second of the server's processor time, at 100,000 deliveries a second. */
async function fanOut(audience: Audience): Promise<number> {
  const { process, crowd } = audience;
  const before = (await crowd.count()).deliveries;
  const spent = cpuSeconds(process.pid);
  const published = await publishAtPace(audience, 100_000 / LISTENERS, ROUND_MS);
  const goal = before + published * LISTENERS;
  let arrived = before;
  for (let tries = 0; arrived < goal && tries < 500; tries += 1) {
    await wait(20);
    arrived = (await crowd.count()).deliveries;
  }
  if (arrived !== goal) throw new Error(`Of ${goal - before} messages, ${arrived - before} arrived.`);
  return (arrived - before) / (cpuSeconds(process.pid) - spent);
}

/** Returns the delays at 10,000 deliveries a second. */
function delaysOf(audience: Audience): Promise<Delays> {
  return audience.crowd.timed(async () => {
    await publishAtPace(audience, 10_000 / LISTENERS, PACED_MS);
    await wait(500);
  });
}

function names(count: number): string[] {
  return Array.from({ length: count }, (_, at) => `public:${at}`);
}

function socketUrl(url: string): string {
  return `${url.replace('localhost', '127.0.0.1')}/api/realtime?project_id=journal`;
}

async function startBare(): Promise<{ url: string; process: ChildProcess }> {
  const script = fileURLToPath(new URL('bare-sockets.ts', import.meta.url));
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise<string>((resolve) =>
    child.stdout.once('data', (chunk) => resolve(String(chunk).trim())),
  );
  return { url: `http://127.0.0.1:${port}/`, process: child };
}
