import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Database } from './port.ts';

/** A larger file is not rewritten at the start, which nobody should wait minutes for. */
const MAX_BYTES_AT_START = 256 * 1024 * 1024;
/** The new content is in the log before it is in the file. */
const ROOM_FACTOR = 2.2;

/**
 * Has the files of older versions give the space of deleted rows back from now on, which takes rewriting them once. It also
 * removes what was deleted, and is in the free pages of the file. Where a file is large or the disk is full, it says in the
 * log what the operator can do.
 */
export async function compactOldFiles(
  projects: ReadonlyMap<string, { database: Database }>,
  { dataDir, log }: { dataDir: string; log: Logger },
): Promise<void> {
  for (const [project, { database }] of projects) {
    const before = database.space?.read();
    if (!database.space || !before || before.givesBack) continue;
    if (before.bytes > MAX_BYTES_AT_START || !(await hasRoom(dataDir, before.bytes))) {
      const { bytes, free } = before;
      log.warn(
        { project, bytes, free },
        'The database keeps the space of deleted rows: run "fabrica compact" when its users can wait',
      );
      continue;
    }
    await database.space.compact();
    const { bytes } = database.space.read();
    log.info({ project, before: before.bytes, bytes }, 'The database gives back the space of deleted rows');
  }
}

/** Tells whether the disk has room for rewriting a file of so many bytes. */
export async function hasRoom(folder: string, bytes: number): Promise<boolean> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize > bytes * ROOM_FACTOR;
}
