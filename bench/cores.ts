import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, type Figures } from './figures.ts';
import { canVary, median, runVaried, spreadOf } from './load.ts';
import { fillPosts } from './posts.ts';

const POSTS = 10_000;
const ROUNDS = 5;
const WARM_UP_SECONDS = 10;
/** The processors of each server, as `taskset` names them. */
const PROCESSORS = ['0', '0,1'];

/** Measures pages of posts, each another, on two processors against one, in alternating rounds. */
export async function benchCores(figures: Figures): Promise<void> {
  if (!canVary) throw new Error('These figures need wrk: install it (Debian’s package of that name).');
  const servers: RunningServer[] = [];
  const rates: number[][] = PROCESSORS.map(() => []);
  try {
    for (const processors of PROCESSORS) {
      const server = await startServer({ DEMO: 'off' }, undefined, {
        wrapper: ['taskset', '-c', processors],
      });
      servers.push(server);
      await fillPosts(server, POSTS);
    }
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, { url }] of servers.entries()) {
        const { count, seconds } = await runVaried(`${url.replace('localhost', '127.0.0.1')}/post/post_1`, {
          connections: 32,
          seconds: round === 0 ? WARM_UP_SECONDS : 3,
          headers: { 'accept-encoding': 'br' },
          varied: { template: '/post/post_@ID', posts: POSTS },
        });
        if (round > 0) rates[index]?.push(count / seconds);
      }
    }
  } finally {
    for (const server of servers) await server.close();
  }
  const [one = [], two = []] = rates;
  const ratios = two.map((rate, round) => rate / (one[round] ?? Number.NaN));
  const each = ` (${median(two).toFixed(0)} and ${median(one).toFixed(0)} pages/s)`;
  const what = 'pages of posts, each another, on two processors against one';
  figures.note(what, median(ratios), atLeast(1.7, ''), each, spreadOf(ratios));
}
