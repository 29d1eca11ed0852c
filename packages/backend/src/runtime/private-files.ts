import { chmodSync, lstatSync, mkdirSync, opendirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { isMainThread } from 'node:worker_threads';

/** The bits of a mode that let other users of the system in. */
const OTHERS = 0o077;

/** Has this process and its child processes create files that only their owner may read, whatever the umask was. */
export function createPrivateFiles(): void {
  // Threads have the mask of their process, and cannot set it.
  if (isMainThread) process.umask(OTHERS);
}

interface ClosedFolder {
  /** Tells how many files and folders were open to other users of the system, and no longer are. */
  closed: number;
  /** Tells how many could not be closed: they belong to another user of the system. */
  left: number;
}

/**
 * Creates the folder if it is missing, and takes all that is in it from other users of the system: older versions, or a
 * copy, may have left it open to them. The rights of the owner stay as they are.
 */
export function closeFolder(folder: string): ClosedFolder {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const counts: ClosedFolder = { closed: 0, left: 0 };
  // The folder comes first, because nobody else reaches what is in it from then on.
  close(folder, statSync(folder).mode, counts);
  closeContents(folder, counts, true);
  return counts;
}

/** A folder that the operator has put elsewhere, by a link in the data folder, is closed too. */
function closeContents(folder: string, counts: ClosedFolder, followsLinks: boolean): void {
  const entries = openFolder(folder);
  if (!entries) return;
  try {
    for (let entry = entries.readSync(); entry; entry = entries.readSync()) {
      const path = join(folder, entry.name);
      const read = followsLinks && entry.isSymbolicLink() ? statSync : lstatSync;
      const found = read(path, { throwIfNoEntry: false });
      if (!found || found.isSymbolicLink()) continue;
      close(path, found.mode, counts);
      if (found.isDirectory()) closeContents(path, counts, false);
    }
  } finally {
    entries.closeSync();
  }
}

/** Returns undefined for a folder that was removed meanwhile, or that is closed to this user. */
function openFolder(folder: string) {
  try {
    return opendirSync(folder);
  } catch {
    return undefined;
  }
}

function close(path: string, mode: number, counts: ClosedFolder): void {
  if ((mode & OTHERS) === 0) return;
  try {
    chmodSync(path, mode & 0o7700);
    counts.closed += 1;
  } catch (error) {
    // Another process may have removed it.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') counts.left += 1;
  }
}
