import { type DataGuard, type DataLock, lockFolderExclusive, lockFolderShared } from './lock.ts';
import { postgresGuard } from './postgres-guard.ts';
import { readUnfinished } from './unfinished-restore.ts';

export function folderGuard(folder: string): DataGuard {
  return { lockShared: () => lockFolderShared(folder), lockExclusive: () => lockFolderExclusive(folder) };
}

/** The settings that say where the data is. */
interface DataLocation {
  dataDir: string;
  database: { url: string | undefined };
}

/** Returns the guard of the data that the settings name. Its locks throw when a restore was interrupted. */
export function guardOf(location: DataLocation): DataGuard {
  const guard = restoreGuardOf(location);
  const finished =
    <T extends DataLock | undefined>(ask: () => Promise<T>) =>
    async () => {
      const lock = await ask();
      try {
        requireFinished(location.dataDir);
        return lock;
      } catch (error) {
        await lock?.release();
        throw error;
      }
    };
  return { lockShared: finished(guard.lockShared), lockExclusive: finished(guard.lockExclusive) };
}

/** Returns the same guard for a restore, which may finish an interrupted one. */
export function restoreGuardOf({ dataDir, database: { url } }: DataLocation): DataGuard {
  const folder = folderGuard(dataDir);
  return url === undefined ? folder : combineGuards(folder, postgresGuard(url));
}

function requireFinished(dataDir: string): void {
  const unfinished = readUnfinished(dataDir);
  if (!unfinished) return;
  throw new Error(
    `A restore into ${dataDir} was broken off: run "fabrica restore ${unfinished.backup}" once more, which finishes it.`,
  );
}

function combineGuards(first: DataGuard, second: DataGuard): DataGuard {
  return {
    lockShared: async () => {
      const lock = await first.lockShared();
      return combineLocks(lock, await acquireOrRelease(lock, second.lockShared()));
    },
    lockExclusive: async () => {
      const lock = await first.lockExclusive();
      if (!lock) return undefined;
      const other = await acquireOrRelease(lock, second.lockExclusive());
      if (other) return combineLocks(lock, other);
      await lock.release();
      return undefined;
    },
  };
}

async function acquireOrRelease<T>(lock: DataLock, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

function combineLocks(first: DataLock, second: DataLock): DataLock {
  return {
    async release() {
      await second.release();
      await first.release();
    },
  };
}
