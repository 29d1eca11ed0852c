import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { secretKeyOf } from '@fabrica/test-peers/author.ts';
import { startServer } from '@fabrica/test-peers/start-server.ts';
import type { Figures } from './figures.ts';
import { CREATE, hasWrk, median, milliseconds, runWrk, spreadOf } from './load.ts';

const CONNECTIONS = 64;
const ROUNDS = 5;
const TABLE = '/api/db/journal/rest/v1/journal_posts';

/** Measures durable creates of one row each. */
export async function benchWrites(figures: Figures): Promise<void> {
  if (!hasWrk) throw new Error('Writes are measured with wrk: install it (Debian’s package of that name).');
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
