import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as wait } from 'node:timers/promises';
import type { EngineSettings } from './create-engine.ts';
import { connectAdmin } from './engines/postgres/sessions/connect-admin.ts';

/** The number of an advisory lock, which counts within one database. */
const START_LOCK = '2871046395527164803';
/** An empty file whose lock processes use. The system releases it when a process ends, however it ends. */
const LOCK_FILE = 'starting.lock';
/** The same, for the process that serves. */
const SERVING_FILE = 'serving.lock';
const RETRY_MS = 50;
const SQLITE_BUSY = 5;

interface StartLock {
  release(): Promise<void>;
}

/** Is called once for each thing that a start waits for, with a sentence for the operator. */
type OnWait = (reason: string) => void;

const OTHER_STARTS = 'Another process is starting on the same data, perhaps with migrations.';

/**
 * Waits until no other process on the same data is starting, and keeps others from it until the lock is released or the
 * process ends: migrations, keys and demo content are made once.
 */
export async function lockStart(
  { dataDir, database: { url } }: EngineSettings,
  onWait: OnWait,
): Promise<StartLock> {
  if (url === undefined) return lockFolder(dataDir, onWait);
  const client = await connectAdmin(url, { onWait });
  const { rows } = await client.query(`SELECT pg_try_advisory_lock(${START_LOCK}) AS locked`);
  if (!rows[0].locked) {
    onWait(OTHER_STARTS);
    await client.query(`SELECT pg_advisory_lock(${START_LOCK})`);
  }
  return { release: () => client.end() };
}

async function lockFolder(folder: string, onWait: OnWait): Promise<StartLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (let attempt = 1; ; attempt += 1) {
    const lock = tryLock(join(folder, LOCK_FILE));
    if (lock) return lock;
    if (attempt === 1) onWait(OTHER_STARTS);
    await wait(RETRY_MS);
  }
}

/** Notes that this process serves the data in a folder. Returns `undefined` when another one serves it already. */
export function noteServing(folder: string): StartLock | undefined {
  return tryLock(join(folder, SERVING_FILE));
}

function tryLock(file: string): StartLock | undefined {
  const connection = new DatabaseSync(file, { timeout: 0 });
  try {
    connection.exec('BEGIN EXCLUSIVE');
    return { release: async () => connection.close() };
  } catch (error) {
    connection.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return undefined;
  }
}
