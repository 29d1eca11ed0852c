import { type Guard, type Hold, shareDataFolder, takeDataFolder } from './lock.ts';
import { postgresGuard } from './postgres-guard.ts';
import { readUnfinished } from './unfinished-restore.ts';

export function folderGuard(folder: string): Guard {
  return { share: () => shareDataFolder(folder), take: () => takeDataFolder(folder) };
}

/** Settings that say where the data is. */
export interface DataLocation {
  dataDir: string;
  database: { url: string | undefined };
}

/** For all that the settings name, but for who finishes a restore: throws a sentence when one was broken off. */
export function guardOf(location: DataLocation): Guard {
  const guard = restoreGuardOf(location);
  const finished =
    <T extends Hold | undefined>(ask: () => Promise<T>) =>
    async () => {
      const hold = await ask();
      try {
        requireFinished(location.dataDir);
        return hold;
      } catch (error) {
        await hold?.release();
        throw error;
      }
    };
  return { share: finished(guard.share), take: finished(guard.take) };
}

/** For all that the settings name. */
export function restoreGuardOf({ dataDir, database: { url } }: DataLocation): Guard {
  const folder = folderGuard(dataDir);
  return url === undefined ? folder : both(folder, postgresGuard(url));
}

function requireFinished(dataDir: string): void {
  const unfinished = readUnfinished(dataDir);
  if (!unfinished) return;
  throw new Error(
    `A restore into ${dataDir} was broken off: run "fabrica restore ${unfinished.backup}" once more, which finishes it.`,
  );
}

function both(first: Guard, second: Guard): Guard {
  return {
    share: async () => {
      const hold = await first.share();
      return together(hold, await orRelease(hold, second.share()));
    },
    take: async () => {
      const hold = await first.take();
      if (!hold) return undefined;
      const other = await orRelease(hold, second.take());
      if (other) return together(hold, other);
      await hold.release();
      return undefined;
    },
  };
}

async function orRelease<T>(hold: Hold, asking: Promise<T>): Promise<T> {
  try {
    return await asking;
  } catch (error) {
    await hold.release();
    throw error;
  }
}

function together(first: Hold, second: Hold): Hold {
  return {
    async release() {
      await second.release();
      await first.release();
    },
  };
}
