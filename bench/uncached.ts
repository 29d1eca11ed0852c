import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, atMost, type Figures, rate } from './figures.ts';
import { canVary, compareWithBare, median, runVaried, spreadOf, type Varied } from './load.ts';
import { cpuSeconds } from './measures.ts';
import { fillPosts } from './posts.ts';
import { LIST, POST } from './rest.ts';

const POSTS = 10_000;
const ROUNDS = 5;
/** A thousand pages are rendered until the code for them is compiled. */
const WARM_UP_SECONDS = 10;
const BROTLI = { 'accept-encoding': 'br' };
const NTH_POST = { template: '/post/post_@ID', posts: POSTS };
const NTH_MISSING = { template: '/missing-@ID', posts: POSTS };
const NTH_LIST = { template: `${LIST}&created_at=lt.@TIME`, posts: POSTS };
const NTH_ROW = { template: `${POST}@ID`, posts: POSTS };

/** Measures what no cache has: pages and reads that nobody has asked for. */
export async function benchUncached(figures: Figures): Promise<void> {
  if (!canVary) throw new Error('These figures need wrk: install it (Debian’s package of that name).');
  const server = await startServer({ DEMO: 'off' });
  try {
    await fillPosts(server, POSTS);
    await benchPosts(server, figures);
    await benchMissing(server, figures);
    for (const [what, path, varied, headers, goal] of [
      ['list of 24 from 10,000 posts, each another', LIST, NTH_LIST, {}, 0.15],
      ['the same, brotli accepted', LIST, NTH_LIST, BROTLI, 0.18],
      ['one post of 10,000 by id, each another', `${POST}5000`, NTH_ROW, {}, 0.2],
    ] as const) {
      const found = await compareWithBare(originOf(server) + path, { varied, headers });
      figures.note(what, found.ratio, atLeast(goal, ''), rate(found), found.noise);
    }
  } finally {
    await server.close();
  }
}

/** Measures pages of posts, each another. */
async function benchPosts(server: RunningServer, figures: Figures): Promise<void> {
  const rates: number[] = [];
  const slowest: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { microseconds, p99 } = await loadPages(server, round, { varied: NTH_POST });
    // The first round is a warm-up.
    if (round === 0) continue;
    rates.push(1_000_000 / microseconds);
    slowest.push(p99);
  }
  const noise = spreadOf(rates);
  figures.note('pages of posts, each another, by a whole core', median(rates), atLeast(250, '/s'), '', noise);
  figures.note('their p99 at 32 connections', median(slowest), atMost(200, 'ms'), '', spreadOf(slowest));
}

/** Measures pages that do not exist, each another. */
async function benchMissing(server: RunningServer, figures: Figures): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const { microseconds } = await loadPages(server, round, { varied: NTH_MISSING, isMissing: true });
    if (round > 0) times.push(microseconds);
  }
  const what = 'processor time of a missing page, each another';
  figures.note(what, median(times), atMost(200, 'µs'), '', spreadOf(times));
}

/** Returns the microseconds of processor time that the server takes for each page, and their p99 in milliseconds. */
async function loadPages(
  server: RunningServer,
  round: number,
  load: { varied: Varied; isMissing?: boolean },
): Promise<{ microseconds: number; p99: number }> {
  const before = cpuSeconds(server.process.pid);
  const { count, p99 } = await runVaried(`${originOf(server)}/post/post_1`, {
    connections: 32,
    seconds: round === 0 ? WARM_UP_SECONDS : 3,
    headers: BROTLI,
    ...load,
  });
  return { microseconds: ((cpuSeconds(server.process.pid) - before) * 1_000_000) / count, p99 };
}

function originOf({ url }: RunningServer): string {
  return url.replace('localhost', '127.0.0.1');
}
