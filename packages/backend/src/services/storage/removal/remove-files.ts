import type { Caller } from '../../../core/caller.ts';
import type { Project } from '../../../database/project.ts';
import { parseFilePath } from '../blobs/file-path.ts';
import type { RemoveBlobs } from '../blobs/remove-blobs.ts';
import { removeFileRows } from '../queries.ts';
import { authorizeChange } from '../uploads/authorize-change.ts';

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
