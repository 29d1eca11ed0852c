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
const RETRY_MS = 50;
const SQLITE_BUSY = 5;

export interface StartLock {
  release(): Promise<void>;
}

/**
 * Waits until no other process on the same data is starting, and keeps others from it until the lock is released or the
 * process ends: migrations, keys and demo content are made once.
 */
export async function lockStart({ dataDir, database: { url } }: EngineSettings): Promise<StartLock> {
  if (url === undefined) return lockFolder(dataDir);
  const client = await connectAdmin(url);
  await client.query(`SELECT pg_advisory_lock(${START_LOCK})`);
  return { release: () => client.end() };
}

async function lockFolder(folder: string): Promise<StartLock> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  for (;;) {
    const connection = new DatabaseSync(join(folder, LOCK_FILE), { timeout: 0 });
    try {
      connection.exec('BEGIN EXCLUSIVE');
      return { release: async () => connection.close() };
    } catch (error) {
      connection.close();
      if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    }
    await wait(RETRY_MS);
  }
}
