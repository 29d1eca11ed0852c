import type { Caller } from '../http/caller.ts';
import type { Project } from '../http/environment.ts';
import type { BlobStore } from './blob-store.ts';
import { parseFilePath } from './file-path.ts';
import { removeFileRows } from './queries.ts';
import { authorizeChange } from './store-upload.ts';

export interface RemoveTarget {
  project: Project;
  caller: Caller;
  blobs: BlobStore;
}

/**
 * Removes files, all or none, and answers the paths of those that were there.
 *
 * Throws INVALID_PATH, FORBIDDEN.
 */
export async function removeFiles(
  paths: readonly string[],
  { project, caller, blobs }: RemoveTarget,
): Promise<string[]> {
  const asked = [...new Set(paths.map(parseFilePath))];
  const files = await removeFileRows(project.database, asked, (file) => authorizeChange(file, caller));
  for (const { blob } of files) await blobs.remove(blob);
  const removed = new Set(files.map(({ path }) => path));
  return asked.filter((path) => removed.has(path));
}
