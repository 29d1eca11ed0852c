import type { ChangeEvent } from '../bus.ts';
import type { Project } from '../http/environment.ts';
import type { BlobStore } from './blob-store.ts';
import { parsePublicAddress, publicPathname } from './public-address.ts';
import { findFile, findNaming, removeFileRows } from './queries.ts';

/**
 * Removes the files that a deleted row named in its table's `files` columns: those that the row's own user
 * uploaded and that no other row names.
 */
export async function removeFilesOfRow(
  event: ChangeEvent,
  project: Project,
  blobs: BlobStore,
): Promise<void> {
  const columns = project.definition.tables[event.table]?.files ?? [];
  if (event.operation !== 'delete' || !event.before) return;
  for (const column of columns) {
    const address = event.before[column];
    const named = typeof address === 'string' ? parsePublicAddress(address) : null;
    if (named?.projectId !== project.definition.id) continue;
    const file = await findFile(project.database, named.path);
    if (!file?.user_id || file.user_id !== event.before.user_id) continue;
    if (await isNamedElsewhere(project, file.path)) continue;
    const removed = await removeFileRows(project.database, [file.path], () => {});
    for (const { blob } of removed) await blobs.remove(blob);
  }
}

/** Looks through every column that holds addresses of files. */
async function isNamedElsewhere({ definition, database }: Project, path: string): Promise<boolean> {
  const part = publicPathname(definition.id, path);
  for (const [table, { files = [] }] of Object.entries(definition.tables)) {
    for (const column of files) {
      const addresses = await findNaming(database, { table, column, part });
      if (addresses.some((address) => parsePublicAddress(address)?.path === path)) return true;
    }
  }
  return false;
}
