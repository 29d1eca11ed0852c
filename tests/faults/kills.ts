import { appendFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { nodeOf, startOnSqlite } from './cluster.ts';
import { Load } from './load.ts';

/** The data and the log stay here, so that the next run goes on where this one ended. Remove the folder to begin anew. */
const FOLDER = fileURLToPath(new URL('../../.cache/kills', import.meta.url));
const LOG = join(FOLDER, 'log.jsonl');
/** Kills that the same clients see. */
const BATCH = 20;
const WRITERS = 32;
/** Milliseconds under load before a kill, at the most. */
const LONGEST_LIFE_MS = 1_500;

/** A line of the log: what one batch has come to. */
interface Batch {
  kills: number;
  acknowledged: number;
  lostWrites: number;
  lostFiles: number;
  lostMessages: number;
  /** Restarts after which `PRAGMA quick_check` found a fault. */
  damaged: number;
  /** Milliseconds from a kill until the server took a write again, at the longest. */
  longestGap: number;
}

/**
 * Kills a server on SQLite at random moments under load until it was killed so often in all runs. After each restart, every
 * acknowledged write must be there and the file must be whole. Prints the sums, and returns whether nothing was lost.
 */
export async function killOften(kills: number, print: (line: string) => void): Promise<boolean> {
  mkdirSync(FOLDER, { recursive: true });
  const batches = existsSync(LOG) ? readLog() : [];
  print(present(batches));
  while (sumOf(batches, 'kills') < kills) {
    const batch = await killBatch(Math.min(BATCH, kills - sumOf(batches, 'kills')));
    appendFileSync(LOG, `${JSON.stringify(batch)}\n`);
    batches.push(batch);
    print(present(batches));
  }
  return (['lostWrites', 'lostFiles', 'lostMessages', 'damaged'] as const).every(
    (name) => sumOf(batches, name) === 0,
  );
}

async function killBatch(kills: number): Promise<Batch> {
  const site = await startOnSqlite({ dataDir: join(FOLDER, 'data') });
  try {
    const node = nodeOf(site, 0);
    const load = await Load.start({ urlOf: () => site.url, withFiles: true, writers: WRITERS, pauseMs: 10 });
    let [lostAtOnce, damaged] = [0, 0];
    for (let at = 0; at < kills; at += 1) {
      await load.writesOnAgain();
      await wait(Math.random() * LONGEST_LIFE_MS);
      await node.stop('SIGKILL');
      const acknowledged = load.acknowledgedIds;
      await node.start();
      const { ids, isWhole } = readComments(join(FOLDER, 'data'));
      lostAtOnce += acknowledged.filter((id) => !ids.has(id)).length;
      if (!isWhole) damaged += 1;
    }
    await load.writesOnAgain();
    const { writes, lostWrites, lostFiles, lostMessages } = await load.stop();
    return {
      kills,
      acknowledged: writes.ok,
      lostWrites: Math.max(lostWrites, lostAtOnce),
      lostFiles,
      lostMessages,
      damaged,
      longestGap: writes.longestGap,
    };
  } finally {
    await site.close();
  }
}

/** Returns the ids of all comments in a folder of data, and whether `PRAGMA quick_check` finds its database whole. */
export function readComments(dataDir: string): { ids: ReadonlySet<string>; isWhole: boolean } {
  const connection = new DatabaseSync(join(dataDir, 'journal.sqlite'), { readOnly: true, timeout: 10_000 });
  try {
    const rows = connection.prepare('SELECT id FROM post_comments').all();
    const check = connection.prepare('PRAGMA quick_check').get();
    return { ids: new Set(rows.map(({ id }) => String(id))), isWhole: check?.quick_check === 'ok' };
  } finally {
    connection.close();
  }
}

function readLog(): Batch[] {
  const lines = readFileSync(LOG, 'utf8').split('\n');
  return lines.filter(Boolean).map((line) => JSON.parse(line) as Batch);
}

function sumOf(batches: readonly Batch[], name: keyof Batch): number {
  return batches.reduce((sum, batch) => sum + batch[name], 0);
}

function present(batches: readonly Batch[]): string {
  const sum = (name: keyof Batch) => sumOf(batches, name);
  const gap = Math.max(0, ...batches.map(({ longestGap }) => longestGap));
  return `${sum('kills')} kills: ${sum('acknowledged')} acknowledged writes, lost are ${sum('lostWrites')} of them, ${sum('lostFiles')} files and ${sum('lostMessages')} messages; ${sum('damaged')} times the file was damaged; the longest gap was ${gap} ms.`;
}
