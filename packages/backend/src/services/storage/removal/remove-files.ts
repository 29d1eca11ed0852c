import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import { authorizeChange } from '../authorize.ts';
import type { BlobStore } from '../blobs/blob-store.ts';
import { parseFilePath } from '../blobs/file-path.ts';
import { removeFileRows } from '../queries.ts';
import type { VariantCache } from '../serving/variant-cache.ts';

/** Takes away what was kept for files that are gone. */
export type RemoveBlobs = (keys: readonly string[]) => Promise<void>;

/** From the memory first: nobody is answered with them once this was called. */
export function createRemoveBlobs(blobs: BlobStore, kept: VariantCache): RemoveBlobs {
  return async (keys) => {
    kept.forget(keys);
    for (const key of keys) await blobs.remove(key);
  };
}

export interface RemoveTarget {
  project: Project;
  caller: Caller;
  removeBlobs: RemoveBlobs;
}

/**
 * Removes files, all or none, and answers the paths of those that were there.
 *
 * Throws INVALID_PATH, FORBIDDEN.
 */
export async function removeFiles(
  paths: readonly string[],
  { project, caller, removeBlobs }: RemoveTarget,
): Promise<string[]> {
  const asked = [...new Set(paths.map(parseFilePath))];
  const { files, blobs } = await removeFileRows(project.database, asked, (file) =>
    authorizeChange(file, caller),
  );
  await removeBlobs(blobs);
  const removed = new Set(files.map(({ path }) => path));
  return asked.filter((path) => removed.has(path));
}
