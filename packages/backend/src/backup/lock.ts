import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/**
 * An empty file whose locks processes use. The system releases the locks when a process ends, however it
 * ends.
 */
const LOCK_FILE = 'in-use.lock';
/** Milliseconds to wait for a process that only checks whether the folder is in use. */
const BUSY_MS = 2_000;
const SQLITE_BUSY = 5;

/** A lock on data, held until it is released. */
export interface DataLock {
  release(): Promise<void>;
}

/**
 * Locks the data folder as one of several processes that use it. Throws when a process has locked it
 * exclusively.
 */
export async function lockFolderShared(folder: string): Promise<DataLock> {
  const lock = lockFolder(folder, { sql: 'BEGIN; SELECT count(*) FROM sqlite_schema;', timeout: BUSY_MS });
  if (lock) return lock;
  throw new Error(
    `The data in ${folder} is just being restored, copied or taken back: wait for the end of that.`,
  );
}

/** Locks the data folder exclusively. Returns `undefined` when another process uses it. */
export async function lockFolderExclusive(folder: string): Promise<DataLock | undefined> {
  mkdirSync(folder, { recursive: true });
  return lockFolder(folder, { sql: 'BEGIN EXCLUSIVE', timeout: 0 });
}

function lockFolder(
  folder: string,
  { sql, timeout }: { sql: string; timeout: number },
): DataLock | undefined {
  const connection = new DatabaseSync(join(folder, LOCK_FILE), { timeout });
  try {
    connection.exec(sql);
    return { release: async () => connection.close() };
  } catch (error) {
    connection.close();
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return undefined;
    throw error;
  }
}

/** Locks data against processes that must not use it at the same time. */
export interface DataGuard {
  /** Locks as one of several processes. Throws when the data is locked exclusively. */
  lockShared(): Promise<DataLock>;
  /** Locks exclusively. Returns `undefined` when another process uses the data. */
  lockExclusive(): Promise<DataLock | undefined>;
}
