import type { ChangeEvent } from '../../../core/bus.ts';
import type { Project } from '../../../database/project.ts';
import { findFile, findValuesContaining, removeFileRows } from '../queries.ts';
import type { RemoveBlobs } from '../removal/remove-files.ts';
import { parsePublicUrl, publicPathname } from '../serving/public-url.ts';

/**
 * Removes the files that a row named in its table's `files` columns until it was deleted or changed: those that the
 * row's own user uploaded and that no row names any more.
 */
export async function removeFilesOfRow(
  event: ChangeEvent,
  project: Project,
  removeBlobs: RemoveBlobs,
): Promise<void> {
  const columns = project.definition.tables[event.table]?.files ?? [];
  if (!event.before) return;
  for (const column of columns) {
    const address = event.before[column];
    if (event.after?.[column] === address) continue;
    const named = typeof address === 'string' ? parsePublicUrl(address) : null;
    if (named?.projectId !== project.definition.id) continue;
    const file = await findFile(project.database, named.path);
    if (!file?.user_id || file.user_id !== event.before.user_id) continue;
    if (await isNamed(project, file.path)) continue;
    const { blobs } = await removeFileRows(project.database, [file.path], () => {});
    await removeBlobs(blobs);
  }
}

/** Looks through every column that holds addresses of files. */
async function isNamed({ definition, database }: Project, path: string): Promise<boolean> {
  const part = publicPathname(definition.id, path);
  for (const [table, { files = [] }] of Object.entries(definition.tables)) {
    for (const column of files) {
      const addresses = await findValuesContaining(database, { table, column, part });
      if (addresses.some((address) => parsePublicUrl(address)?.path === path)) return true;
    }
  }
  return false;
}
