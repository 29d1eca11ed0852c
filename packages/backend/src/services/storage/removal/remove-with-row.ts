import type { ChangeEvent } from '../../../core/bus.ts';
import type { Project } from '../../../database/project.ts';
import { findFile, findValuesContaining, removeFileRows } from '../queries.ts';
import type { RemoveBlobs } from '../removal/remove-files.ts';
import { parsePublicUrl, publicPathname } from '../serving/public-url.ts';

/**
 * Removes the files that a deleted or changed row referred to in its table's `files` columns, if the row's own user
 * uploaded them and no other row refers to them.
 */
export async function removeFilesOfRow(
  event: ChangeEvent,
  project: Project,
  removeBlobs: RemoveBlobs,
): Promise<void> {
  const columns = project.definition.tables[event.table]?.files ?? [];
  if (!event.before) return;
  for (const column of columns) {
    const url = event.before[column];
    if (event.after?.[column] === url) continue;
    const parsed = typeof url === 'string' ? parsePublicUrl(url) : null;
    if (parsed?.projectId !== project.definition.id) continue;
    const file = await findFile(project.database, parsed.path);
    if (!file?.user_id || file.user_id !== event.before.user_id) continue;
    if (await isReferenced(project, file.path)) continue;
    const { blobs } = await removeFileRows(project.database, [file.path], () => {});
    await removeBlobs(blobs);
  }
}

/** Searches every column that holds URLs of files. */
async function isReferenced({ definition, database }: Project, path: string): Promise<boolean> {
  const part = publicPathname(definition.id, path);
  for (const [table, { files = [] }] of Object.entries(definition.tables)) {
    for (const column of files) {
      const urls = await findValuesContaining(database, { table, column, part });
      if (urls.some((url) => parsePublicUrl(url)?.path === path)) return true;
    }
  }
  return false;
}
