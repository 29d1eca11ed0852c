import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import { authorizeChange } from '../authorize.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { parseFilePath } from '../blobs/file-path.ts';
import { removeFileRows } from '../queries.ts';
import type { FileChanges } from '../serving/file-changes.ts';

/** Removes the blobs of deleted files. */
export type RemoveBlobs = (keys: readonly string[]) => Promise<void>;

/** Returns the function that removes blobs. None is served from memory once it was called. */
export function createRemoveBlobs(blobs: BlobStore, changes: FileChanges): RemoveBlobs {
  return async (keys) => {
    changes.note(keys);
    for (const key of keys) await blobs.remove(key);
  };
}

interface RemoveTarget {
  project: Project;
  caller: Caller;
  removeBlobs: RemoveBlobs;
}

/**
 * Removes files, all or none, and returns the paths of those that existed.
 *
 * Throws INVALID_PATH, FORBIDDEN.
 */
export async function removeFiles(
  paths: readonly string[],
  { project, caller, removeBlobs }: RemoveTarget,
): Promise<string[]> {
  const requested = [...new Set(paths.map(parseFilePath))];
  const { files, blobs } = await removeFileRows(project.database, requested, (file) =>
    authorizeChange(file, caller),
  );
  await removeBlobs(blobs);
  const removed = new Set(files.map(({ path }) => path));
  return requested.filter((path) => removed.has(path));
}
