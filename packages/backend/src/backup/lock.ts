import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Nothing is in it: processes meet at its locks, which the system takes back when a process ends, however it ends. */
const LOCK_FILE = 'in-use.lock';
/** Milliseconds that one waits for somebody who only looks whether the folder is in use. */
const BUSY_MS = 2_000;
const SQLITE_BUSY = 5;

/** Something that others find taken until it is released. */
export interface Hold {
  release(): Promise<void>;
}

/**
 * Says that this process works with what is in the data folder, as any number of processes may. Throws a sentence when
 * one has it for itself, or when a restore was broken off.
 */
export async function shareDataFolder(folder: string): Promise<Hold> {
  const hold = lock(folder, { sql: 'BEGIN; SELECT count(*) FROM sqlite_schema;', timeout: BUSY_MS });
  if (hold) return hold;
  throw new Error(
    `The data in ${folder} is just being restored, copied or taken back: wait for the end of that.`,
  );
}

/** Has the data folder for this process alone; undefined when another one works with it. */
export async function takeDataFolder(folder: string): Promise<Hold | undefined> {
  mkdirSync(folder, { recursive: true });
  return lock(folder, { sql: 'BEGIN EXCLUSIVE', timeout: 0 });
}

function lock(folder: string, { sql, timeout }: { sql: string; timeout: number }): Hold | undefined {
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

/** Keeps those who work with the same data out of each other's way. */
export interface Guard {
  /** For whoever works with the data beside others. Throws a sentence when somebody has it alone. */
  share(): Promise<Hold>;
  /** For whoever must be alone with it; undefined when anybody else works with it. */
  take(): Promise<Hold | undefined>;
}
