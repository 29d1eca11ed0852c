import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Insights } from '@fabrica/contract';
import { signUp } from '@fabrica/test-peers/author.ts';
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

/** How soon it is answered what ten million events of a year come to. */
export async function benchInsights(figures: Figures, events = EVENTS): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  // Events of all these days are to be there.
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
    const secret = readFileSync(join(folder, 'keys', 'project-journal.secret'), 'utf8').trim();
    const questions = [
      { whose: 'all posts', scope: 'all', bearer: secret },
      { whose: 'one’s own posts', scope: 'own', bearer: token },
    ];
    for (const { whose, ...question } of questions) {
      for (const days of [30, DAYS]) {
        const { first, times } = await askAgainAndAgain(server, { ...question, days });
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

/** Milliseconds of the first answer, and of each of the others. */
async function askAgainAndAgain(server: RunningServer, { scope, bearer, days }: Question) {
  const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);
  const from = dayOf(Date.now() - (days - 1) * DAY_MS);
  const address = `${server.url}/api/analytics/journal/insights?from=${from}&to=${dayOf(Date.now())}&scope=${scope}`;
  const times: number[] = [];
  for (let question = 0; question <= QUESTIONS; question += 1) {
    const started = performance.now();
    const answer = await fetch(address, { headers: { authorization: `Bearer ${bearer}` } });
    const insights = (await answer.json()) as Insights;
    times.push(performance.now() - started);
    if (!answer.ok || insights.totals.views === 0 || insights.days.length !== days)
      throw new Error(`Insights were answered ${answer.status}: ${JSON.stringify(insights).slice(0, 300)}`);
  }
  const [first = Number.NaN, ...rest] = times;
  return { first, times: rest };
}
