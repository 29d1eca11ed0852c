import { fileURLToPath } from 'node:url';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { fillJournal } from '@fabrica/test-peers/fill-journal.ts';
import { type PostgresServer, startPostgres } from '@fabrica/test-peers/postgres-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, type Figures } from './figures.ts';
import { canVary, median, runVaried, spreadOf } from './load.ts';
import { LIST, TABLE } from './rest.ts';

const SIZES = [10_000, 100_000, 1_000_000];
const ROUNDS = 3;
const ROUND_SECONDS = 3;
const CONNECTIONS = 32;
/** A figure at any size is at most 1.3 times worse than at the smallest one. */
const GOAL = 1 / 1.3;

const LIKE = fileURLToPath(new URL('like.lua', import.meta.url));
const LIKES = '/api/db/journal/rest/v1/post_likes';

/** The requests of which each asks for another post. */
const READS = [
  ['lists of 24', `${LIST}&created_at=lt.@TIME`],
  ['posts by id', `${TABLE}?id=eq.filled_@ID`],
  ['pages of posts', '/post/filled_@ID'],
] as const;

export interface GrowthOptions {
  /** The likes of each post. */
  likes?: string | undefined;
}

/** Measures the same requests on servers with more and more posts, in alternating rounds, on both engines. */
export async function benchGrowth(figures: Figures, { likes = '1' }: GrowthOptions = {}): Promise<void> {
  if (!canVary) throw new Error('These figures need wrk: install it (Debian’s package of that name).');
  for (const engine of ['SQLite', 'PostgreSQL'] as const) {
    const servers: GrownServer[] = [];
    try {
      for (const posts of SIZES) servers.push(await startGrown(engine, posts, Number(likes)));
      for (const [what, template] of READS) {
        await compareSizes(figures, { what: `${what}, ${engine}`, servers }, (server) =>
          runVaried(server.url, {
            connections: CONNECTIONS,
            seconds: ROUND_SECONDS,
            varied: { template, posts: server.posts },
          }),
        );
      }
      let round = 0;
      await compareSizes(figures, { what: `likes, ${engine}`, servers }, async (server) => {
        round += 1;
        const environment = {
          LIKE_TOKEN: await secretKeyOf(server),
          LIKE_PREFIX: `reader${round}`,
          LIKE_POSTS: String(server.posts),
        };
        return runVaried(server.url + LIKES, {
          connections: CONNECTIONS,
          seconds: ROUND_SECONDS,
          script: LIKE,
          environment,
        });
      });
    } finally {
      for (const server of servers) {
        await server.close();
        await server.postgres?.close();
      }
    }
  }
}

interface GrownServer extends RunningServer {
  posts: number;
  /** The database server of its own; undefined on SQLite. */
  postgres: PostgresServer | undefined;
}

async function startGrown(
  engine: 'SQLite' | 'PostgreSQL',
  posts: number,
  likes: number,
): Promise<GrownServer> {
  const postgres = engine === 'PostgreSQL' ? await startPostgres() : undefined;
  const settings = postgres ? { DATABASE_URL: postgres.url } : {};
  try {
    const server = await startServer({ DEMO: 'off', RATE_LIMIT: 'off', ...settings });
    const grown = { ...server, settings: { ...server.settings, ...settings }, posts, postgres };
    await fillJournal(grown.settings, { posts, author: 'user_bench', likes });
    return grown;
  } catch (error) {
    await postgres?.close();
    throw error;
  }
}

async function compareSizes(
  figures: Figures,
  { what, servers }: { what: string; servers: readonly GrownServer[] },
  load: (server: GrownServer) => Promise<{ count: number; seconds: number }>,
): Promise<void> {
  const rates = servers.map((): number[] => []);
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [at, server] of servers.entries()) {
      const { count, seconds } = await load(server);
      if (round > 0) rates[at]?.push(count / seconds);
    }
  }
  const [smallest = []] = rates;
  for (const [at, { posts }] of servers.entries()) {
    const ofSize = rates[at] ?? [];
    if (at === 0) continue;
    const ratios = ofSize.map((rate, round) => rate / (smallest[round] ?? Number.NaN));
    const each = ` (${median(ofSize).toFixed(0)} and ${median(smallest).toFixed(0)}/s)`;
    const title = `growth: ${what}, ${posts.toLocaleString('en')} posts against ${SIZES[0]?.toLocaleString('en')}`;
    figures.note(title, median(ratios), atLeast(Number(GOAL.toFixed(2)), ''), each, spreadOf(ratios));
  }
}
