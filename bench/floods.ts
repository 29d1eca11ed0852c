import { fork } from 'node:child_process';
import { once } from 'node:events';
import { get } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { PASSWORD, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atMost, type Figures } from './figures.ts';
import { type Flood, signIn } from './flood-process.ts';
import { percentile } from './load.ts';
import { memoryAtRest, residentMemory } from './measures.ts';

const SECONDS = 60;
/** Seconds that the memory has to come back, and how much more than at the start it may be. */
const RECOVERY_SECONDS = 600;
const RECOVERED = 1.2;
/** Milliseconds between two requests of `/healthz`, each over a connection of its own. */
const PROBE_MS = 100;

/**
 * Measures what others notice of slow connections, idle sockets and wrong passwords, all of them at once, and how long the
 * memory takes to come back. With `--seconds` each flood is as short as that.
 */
export async function benchFloods(
  figures: Figures,
  { seconds = SECONDS }: { seconds?: number | undefined },
): Promise<void> {
  const one: Flood = { slow: 1_100, idle: 0, addresses: 1, wrongSignIns: false };
  const many: Flood = { ...one, addresses: 40 };
  await flood(figures, {
    name: '1,100 slow connections of one address, 1,024 handles',
    handles: 1_024,
    seconds,
    ...one,
  });
  await flood(figures, {
    name: '1,100 slow connections of 40 addresses, 1,024 handles',
    handles: 1_024,
    seconds,
    ...many,
  });
  const all: Flood = { slow: 2_000, idle: 5_000, addresses: 40, wrongSignIns: true };
  const name = '2,000 slow connections, 5,000 idle sockets, 1,000 wrong sign-ins a minute';
  await flood(figures, { name, handles: 16_384, seconds, ...all });
}

async function flood(
  figures: Figures,
  { name, handles, seconds, ...options }: Flood & { name: string; handles: number; seconds: number },
): Promise<void> {
  const wrapper = ['sh', '-c', `ulimit -n ${handles}; exec "$@"`, 'sh'];
  const server = await startServer({ DEMO: 'off' }, undefined, { wrapper });
  /** The attack has a process of its own, so that its work delays no answer here. */
  const attack = fork(fileURLToPath(new URL('flood-process.ts', import.meta.url)));
  try {
    const { email } = await signUp(server);
    const known = { email, password: PASSWORD };
    const { cookie } = await signIn(server.url, known);
    const quiet = await probe(5, PROBE_MS, (n) => timed(() => ask(server, n)));
    const before = await memoryAtRest(server);
    attack.send({ url: server.url, ...options });
    await once(attack, 'message');
    const [health, signIns] = await Promise.all([
      probe(seconds, PROBE_MS, (n) => timed(() => ask(server, n))),
      probe(seconds, 2_000, () => timed(() => signIn(server.url, known, { cookie }))),
    ]);
    attack.send('count');
    const [open] = await once(attack, 'message');
    const extra = ` (${percentile(quiet, 0.99).toFixed(0)} ms before; ${open} connections open)`;
    figures.note(`p99 of /healthz: ${name}`, percentile(health, 0.99), atMost(250, 'ms'), extra);
    figures.note(`a known reader's slowest sign-in: ${name}`, percentile(signIns, 1) / 1_000, atMost(2, 's'));
    const peak = residentMemory(server.process.pid);
    attack.kill('SIGKILL');
    const { ratio, seconds: waited } = await recovery(server, before);
    const seen = ` (${before.toFixed(0)} MB before, ${peak.toFixed(0)} MB at its end, after ${waited.toFixed(0)} s)`;
    figures.note(`memory after a flood, of what it was: ${name}`, ratio, atMost(RECOVERED, ''), seen);
  } finally {
    attack.kill('SIGKILL');
    await server.close();
  }
}

/** Waits until the memory is back, or for ten minutes, and returns its ratio to what it was before. */
async function recovery(server: RunningServer, before: number): Promise<{ ratio: number; seconds: number }> {
  const began = performance.now();
  for (;;) {
    const ratio = residentMemory(server.process.pid) / before;
    const seconds = (performance.now() - began) / 1_000;
    if (ratio <= RECOVERED || seconds >= RECOVERY_SECONDS) return { ratio, seconds };
    await wait(2_000);
  }
}

/** Runs `measure` at intervals, however long it takes, and returns what it measured; a failure counts as a minute. */
async function probe(
  seconds: number,
  everyMs: number,
  measure: (n: number) => Promise<number>,
): Promise<number[]> {
  const measured: Promise<number>[] = [];
  const end = performance.now() + seconds * 1_000;
  for (let n = 0; performance.now() < end; n += 1) {
    measured.push(measure(n).catch(() => 60_000));
    await wait(everyMs);
  }
  return Promise.all(measured);
}

async function timed(act: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await act();
  return performance.now() - began;
}

function ask({ url }: RunningServer, n: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = get(
      `${url}/healthz`,
      { agent: false, family: 4, localAddress: `127.0.0.${2 + (n % 200)}` },
      (response) => {
        response.resume().once('end', () => {
          if (response.statusCode === 200) resolve();
          else reject(new Error(`/healthz returned ${response.statusCode}`));
        });
      },
    );
    request.setTimeout(30_000, () => request.destroy(new Error('Too slow')));
    request.once('error', reject);
  });
}
