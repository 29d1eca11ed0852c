import { fileURLToPath } from 'node:url';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, atMost, type Figures } from './figures.ts';
import { benchInsights } from './insights.ts';
import { hasWrk, median, runWrk } from './load.ts';
import { cpuSeconds, healthDuring } from './measures.ts';
import { fillPosts } from './posts.ts';

const POSTS = 500;
const CONNECTIONS = 64;
const ROUNDS = 3;
const ROUND_SECONDS = 5;
const EVENTS = fileURLToPath(new URL('events.lua', import.meta.url));

/** Measures the stored events per second, and the insights over them. */
export async function benchAnalytics(figures: Figures): Promise<void> {
  if (!hasWrk) throw new Error('Events are sent with wrk: install it (Debian’s package of that name).');
  await benchLog(figures);
  await benchInsights(figures);
}

async function benchLog(figures: Figures): Promise<void> {
  // Each call has another IP address in `X-Forwarded-For`.
  const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', TRUST_PROXY: '1' });
  try {
    await fillPosts(server, POSTS);
    // The first round is a warm-up.
    await logEvents(server, 10);
    for (const batch of [10, 100]) {
      const rates: number[] = [];
      const spent = cpuSeconds(server.process.pid);
      const health = await healthDuring(server, async () => {
        for (let round = 0; round < ROUNDS; round += 1) rates.push(await logEvents(server, batch));
      });
      const cpu = (cpuSeconds(server.process.pid) - spent) / (ROUNDS * ROUND_SECONDS);
      const extra = ` (by ${cpu.toFixed(2)} of a core; ${Math.round(median(rates) / cpu)}/s of a whole one)`;
      figures.note(`events taken, ${batch} a call`, median(rates), atLeast(5_000, '/s'), extra);
      figures.note(`p99 of /healthz meanwhile, ${batch} a call`, health, atMost(50, 'ms'));
    }
  } finally {
    await server.close();
  }
}

/** Returns the events per second in calls of this many events. */
async function logEvents(server: RunningServer, batch: number): Promise<number> {
  const output = await runWrk(
    [`-c${CONNECTIONS}`, `-d${ROUND_SECONDS}s`, '-s', EVENTS, `${server.url}/api/analytics/journal/log`],
    { EVENT_BATCH: String(batch), EVENT_POSTS: String(POSTS) },
  );
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]) * batch;
}
