import { mkdtemp, rm } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { type RunningServer, startServer } from '@fabrica/test-peers/start-server.ts';
import type { Figures } from './figures.ts';
import { CREATE, hasWrk, median, milliseconds, runWrk, spreadOf } from './load.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const KILLS = 50;
const TABLE = '/api/db/journal/rest/v1/journal_posts';

/** Measures durable creates of one row each, and how many of them survive a kill of the process. */
export async function benchWrites(figures: Figures): Promise<void> {
  if (!hasWrk) throw new Error('Writes are measured with wrk: install it (Debian’s package of that name).');
  await benchCreates(figures);
  await benchKills(figures);
}

async function benchCreates(figures: Figures): Promise<void> {
  const server = await startServer({ DEMO: 'off' });
  try {
    const rates: number[] = [];
    const slowest: number[] = [];
    for (let round = 0; round <= ROUNDS; round += 1) {
      const output = await runWrk(
        [`-c${CONNECTIONS}`, '-d3s', '--latency', '-s', CREATE, server.url + TABLE],
        {
          CREATE_TOKEN: await secretKeyOf(server),
          CREATE_PREFIX: `round${round}`,
        },
      );
      // The first round is a warm-up.
      if (round === 0) continue;
      rates.push(Number(/Requests\/sec:\s+([\d.]+)/.exec(output)?.[1]));
      slowest.push(milliseconds(/99%\s+(\S+)/.exec(output)?.[1] ?? ''));
    }
    const goal = { value: 5_000, better: 'atLeast', unit: '/s' } as const;
    const row = `durable creates of one row, ${CONNECTIONS} connections`;
    figures.note(
      row,
      median(rates),
      goal,
      ` (commits alone: ${commitsAlone(server.dataDir)}/s)`,
      spreadOf(rates),
    );
    figures.note(
      'their p99',
      median(slowest),
      { value: 30, better: 'atMost', unit: 'ms' },
      '',
      spreadOf(slowest),
    );
  } finally {
    await server.close();
  }
}

/** Returns the inserts per second of SQLite alone, each with its own commit, on the same disk. */
function commitsAlone(folder: string): number {
  const database = new DatabaseSync(join(folder, 'yardstick.sqlite'));
  database.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (id TEXT PRIMARY KEY)',
  );
  const insert = database.prepare('INSERT INTO rows VALUES (?)');
  const started = performance.now();
  let made = 0;
  for (; performance.now() - started < 2_000; made += 1) insert.run(`row_${made}`);
  database.close();
  return Math.round(made / 2);
}

/** Kills the server in the middle of creates again and again, and looks for all acknowledged rows. */
async function benchKills(figures: Figures): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'fabrica-bench-'));
  let acknowledged = 0;
  let lost = 0;
  let sound = 0;
  try {
    for (let round = 0; round < KILLS; round += 1) {
      const ids = await createUntilKilled(await startServer({ DEMO: 'off' }, folder), round);
      const database = new DatabaseSync(join(folder, 'journal.sqlite'));
      const find = database.prepare('SELECT 1 FROM journal_posts WHERE id = ?');
      acknowledged += ids.length;
      lost += ids.filter((id) => find.get(id) === undefined).length;
      const check = database.prepare('PRAGMA integrity_check').get();
      if (check?.integrity_check === 'ok') sound += 1;
      database.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  const row = `answered creates that are lost, ${KILLS} kills (-9) in their middle`;
  figures.note(row, lost, { value: 0, better: 'atMost', unit: '' }, ` (of ${acknowledged})`);
  const goal = { value: KILLS, better: 'atLeast', unit: `of ${KILLS}` } as const;
  figures.note('integrity checks that were ok after these', sound, goal);
}

/** Creates rows until the server is killed, and returns the ids of the acknowledged ones. */
async function createUntilKilled(server: RunningServer, round: number): Promise<string[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const headers = {
    authorization: `Bearer ${await secretKeyOf(server)}`,
    'content-type': 'application/json',
  };
  const acknowledged: string[] = [];
  let alive = true;
  const create = (id: string) =>
    new Promise<number | undefined>((resolve) => {
      const call = request(server.url + TABLE, { method: 'POST', agent, headers }, (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode));
        response.once('error', () => resolve(undefined));
      });
      call.once('error', () => resolve(undefined));
      call.end(JSON.stringify({ id, user_id: 'user_bench', title: 'x', content: 'x', image_url: '/x.png' }));
    });
  const writers = Array.from({ length: CONNECTIONS }, async (_, writer) => {
    for (let made = 0; alive; made += 1) {
      const id = `kill${round}_${writer}_${made}`;
      const status = await create(id);
      if (status === 201) acknowledged.push(id);
      else if (status !== undefined) throw new Error(`A create returned ${status}.`);
    }
  });
  await wait(300 + Math.random() * 700);
  await server.stop('SIGKILL');
  alive = false;
  await Promise.all(writers);
  agent.destroy();
  return acknowledged;
}
