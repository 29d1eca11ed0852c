import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Insights } from '@fabrica/contract';
import { secretKeyOf, signUp } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Figures } from './figures.ts';
import { median } from './load.ts';
import { fillPosts } from './posts.ts';
import { seedEvents } from './seed-events.ts';

const POSTS = 1_000;
const EVENTS = 10_000_000;
const DAYS = 366;
const DAY_MS = 24 * 60 * 60 * 1_000;
const QUESTIONS = 40;
const GOAL = { value: 300, better: 'atMost', unit: 'ms' } as const;

/** Measures insights over ten million events of a year. */
export async function benchInsights(figures: Figures, events = EVENTS): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  // The retention covers all days of the events.
  const settings = { DEMO: 'off', RATE_LIMIT: 'off', ANALYTICS_RETENTION: '400' };
  let server: RunningServer | undefined;
  try {
    server = await startServer(settings, folder);
    await fillPosts(server, POSTS);
    const { id, token } = await signUp(server);
    await server.stop();
    const started = performance.now();
    seedEvents({ dataDir: folder, events, days: DAYS, owner: id });
    console.log(`     ${events} events stored in ${((performance.now() - started) / 1_000).toFixed(0)} s`);
    server = await startServer(settings, folder);
    const secret = await secretKeyOf(server);
    const questions = [
      { whose: 'all posts', scope: 'all', bearer: secret },
      { whose: 'one’s own posts', scope: 'own', bearer: token },
    ];
    for (const { whose, ...question } of questions) {
      for (const days of [30, DAYS]) {
        const { first, times } = await timeInsights(server, { ...question, days });
        const extra = ` (the first one ${first.toFixed(0)} ms, the slowest of ${QUESTIONS} ${Math.max(...times).toFixed(0)} ms)`;
        figures.note(
          `insights of ${days} days, ${whose}, over 10 million events`,
          median(times),
          GOAL,
          extra,
        );
      }
    }
  } finally {
    await server?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

interface Question {
  scope: string;
  bearer: string;
  days: number;
}

/** Returns the milliseconds of the first call and of each of the others. */
async function timeInsights(server: RunningServer, { scope, bearer, days }: Question) {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const from = dayOf(Date.now() - (days - 1) * DAY_MS);
  const url = `${server.url}/api/analytics/journal/insights?from=${from}&to=${dayOf(Date.now())}&scope=${scope}`;
  const times: number[] = [];
  for (let question = 0; question <= QUESTIONS; question += 1) {
    const started = performance.now();
    const response = await fetch(url, { headers: { authorization: `Bearer ${bearer}` } });
    const insights = (await response.json()) as Insights;
    times.push(performance.now() - started);
    if (!response.ok || insights.totals.views === 0 || insights.days.length !== days)
      throw new Error(`Insights returned ${response.status}: ${JSON.stringify(insights).slice(0, 300)}`);
  }
  const [first = Number.NaN, ...rest] = times;
  return { first, times: rest };
}
