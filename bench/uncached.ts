import { setTimeout as wait } from 'node:timers/promises';
import { serviceRest } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, atMost, type Figures, rate } from './figures.ts';
import { canVary, compareWithBare, median, runVaried, spreadOf } from './load.ts';
import { cpuSeconds } from './measures.ts';
import { fillPosts, firstPostTime } from './posts.ts';
import { LIST, POST } from './rest.ts';

const POSTS = 10_000;
const ROUNDS = 5;
/** A thousand pages are rendered until the code for them is compiled. */
const WARM_UP_SECONDS = 10;
const BROTLI = { 'accept-encoding': 'br' };
const NTH_POST = { template: '/post/post_@ID', posts: POSTS };
const NTH_LIST = { template: `${LIST}&created_at=lt.@TIME`, posts: POSTS };
const NTH_ROW = { template: `${POST}@ID`, posts: POSTS };

/** Measures what no cache has: pages and reads that nobody has asked for, and the page after a write. */
export async function benchUncached(figures: Figures): Promise<void> {
  if (!canVary) throw new Error('These figures need wrk: install it (Debian’s package of that name).');
  const server = await startServer({ DEMO: 'off' });
  try {
    await fillPosts(server, POSTS);
    await benchPosts(server, figures);
    for (const [what, path, varied, goal] of [
      ['list of 24 from 10,000 posts, each another', LIST, NTH_LIST, 0.3],
      ['one post of 10,000 by id, each another', `${POST}5000`, NTH_ROW, 0.45],
    ] as const) {
      const found = await compareWithBare(originOf(server) + path, { varied });
      figures.note(what, found.ratio, atLeast(goal, ''), rate(found), found.noise);
    }
    const delay = await afterLike(server);
    figures.note('the page of a post after a like, for its next reader', delay, atMost(5, 'ms'));
  } finally {
    await server.close();
  }
}

/** Measures pages of posts, each another, and the calls of the API beside them. */
async function benchPosts(server: RunningServer, figures: Figures): Promise<void> {
  const rates: number[] = [];
  const slowest: number[] = [];
  const calls: number[] = [];
  for (let round = 0; round <= ROUNDS; round += 1) {
    const before = cpuSeconds(server.process.pid);
    const loading = runVaried(`${originOf(server)}/post/post_1`, {
      connections: 32,
      seconds: round === 0 ? WARM_UP_SECONDS : 3,
      headers: BROTLI,
      varied: NTH_POST,
    });
    const beside = timeLists(server, loading);
    const { count, p99 } = await loading;
    const times = await beside;
    // The first round is a warm-up.
    if (round === 0) continue;
    rates.push(count / (cpuSeconds(server.process.pid) - before));
    slowest.push(p99);
    calls.push(...times);
  }
  const noise = spreadOf(rates);
  figures.note('pages of posts, each another, by a whole core', median(rates), atLeast(800, '/s'), '', noise);
  figures.note('their p99 at 32 connections', median(slowest), atMost(60, 'ms'), '', spreadOf(slowest));
  calls.sort((a, b) => a - b);
  const p99 = calls[Math.floor(calls.length * 0.99)] ?? Number.NaN;
  figures.note('p99 of lists over REST beside them', p99, atMost(15, 'ms'));
}

/** Returns the milliseconds of lists, each another, until the load has ended. */
async function timeLists(server: RunningServer, loading: Promise<unknown>): Promise<number[]> {
  let ended = false;
  loading.finally(() => {
    ended = true;
  });
  const times: number[] = [];
  while (!ended) {
    const before = firstPostTime + 100 + Math.floor(Math.random() * POSTS);
    times.push(await timeOf(`${originOf(server)}${LIST}&created_at=lt.${before}`));
    await wait(10);
  }
  return times;
}

/** Returns the median of the milliseconds that the page takes right after a like of its post. */
async function afterLike(server: RunningServer): Promise<number> {
  const rest = serviceRest(server);
  const times: number[] = [];
  for (let like = 0; like < 60; like += 1) {
    await timeOf(`${originOf(server)}/post/post_77`);
    const { status } = await rest('POST', 'post_likes', {
      id: `like_${like}`,
      post_id: 'post_77',
      user_id: `user_${like}`,
    });
    if (status !== 201) throw new Error(`A like returned ${status}.`);
    times.push(await timeOf(`${originOf(server)}/post/post_77`));
  }
  return median(times);
}

async function timeOf(url: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(url, { headers: BROTLI });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} returned ${response.status}`);
  return performance.now() - started;
}

function originOf({ url }: RunningServer): string {
  return url.replace('localhost', '127.0.0.1');
}
