import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { startPostgres } from '@fabrica/test-peers/postgres-server.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import { atLeast, type Figures } from './figures.ts';
import { CREATE, median, runVaried, spreadOf } from './load.ts';
import { fillPosts } from './posts.ts';
import { LIST, POST, TABLE } from './rest.ts';

const POSTS = 10_000;
const ROUNDS = 3;

/** One thing that is measured on both engines: its goal is the share of SQLite's rate that PostgreSQL reaches. */
const LOADS = [
  ['lists of 24, each another', `${LIST}&created_at=lt.@TIME`, 0.6],
  ['posts by id, each another', `${POST}@ID`, 0.5],
  ['pages of posts, each another', '/post/post_@ID', 0.9],
] as const;

/** Measures PostgreSQL against SQLite, in alternating rounds. */
export async function benchEngines(figures: Figures): Promise<void> {
  const postgres = await startPostgres();
  const servers: RunningServer[] = [];
  try {
    servers.push(await startServer({ DEMO: 'off' }));
    const settings = { DATABASE_URL: postgres.url };
    const other = await startServer({ DEMO: 'off', ...settings });
    servers.push({ ...other, settings: { ...other.settings, ...settings } });
    for (const server of servers) await fillPosts(server, POSTS);
    for (const [what, template, goal] of LOADS) {
      await compare(figures, { what: `PostgreSQL against SQLite: ${what}`, goal, servers }, (server) =>
        runVaried(server.url, { connections: 64, seconds: 3, varied: { template, posts: POSTS } }),
      );
    }
    let made = 0;
    await compare(
      figures,
      { what: 'PostgreSQL against SQLite: durable creates', goal: 0.6, servers },
      async (server) => {
        made += 1;
        const environment = { CREATE_TOKEN: await secretKeyOf(server), CREATE_PREFIX: `engine${made}` };
        return runVaried(server.url + TABLE, { connections: 64, seconds: 3, script: CREATE, environment });
      },
    );
  } finally {
    for (const server of servers) await server.close();
    await postgres.close();
  }
}

async function compare(
  figures: Figures,
  { what, goal, servers }: { what: string; goal: number; servers: readonly RunningServer[] },
  load: (server: RunningServer) => Promise<{ count: number; seconds: number }>,
): Promise<void> {
  const rates: [number[], number[]] = [[], []];
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [engine, server] of servers.entries()) {
      const { count, seconds } = await load(server);
      if (round > 0) rates[engine]?.push(count / seconds);
    }
  }
  const [sqlite, other] = rates.map(median);
  const ratios = rates[1].map((value, round) => value / (rates[0][round] ?? Number.NaN));
  const extra = ` (${Math.round(other ?? 0)} and ${Math.round(sqlite ?? 0)}/s)`;
  figures.note(what, median(ratios), atLeast(goal, ''), extra, spreadOf(ratios));
}
