import type { ProfileUpdate } from '@fabrica/contract/schemas';
import type { Bus } from '../../../core/bus.ts';
import { publicName } from '../../../core/caller.ts';
import { type Change, renameAccountRows } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import { type UserRow, updateUser } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';

import { publishUser } from './user.ts';

/**
 * Changes the given fields; `null` clears a field. A new name reaches the account's named rows in the same transaction.
 * Publishes all changes and returns the updated row. Throws `UNAUTHENTICATED` when the account was deleted in the
 * meantime.
 */
export async function updateProfile(
  project: Project,
  bus: Bus,
  user: UserRow,
  changes: ProfileUpdate,
): Promise<UserRow> {
  const changed: Partial<UserRow> = {};
  if (changes.displayName !== undefined) changed.display_name = changes.displayName;
  if (changes.photoURL !== undefined) changed.photo_url = changes.photoURL;
  if (Object.keys(changed).length === 0) return user;
  const renamed = await project.database.writer.transaction().execute(async (transaction) => {
    const row = await updateUser(transaction, user.id, changed);
    if (!row) throw invalidToken();
    const name = publicName(row.display_name);
    const isRenamed = changed.display_name !== undefined && name !== publicName(user.display_name);
    const rows: Change[] = isRenamed
      ? await renameAccountRows(transaction, project, { userId: user.id, name })
      : [];
    return { row, rows };
  });
  publishUser(bus, project, { before: user, after: renamed.row });
  for (const change of renamed.rows) bus.publish({ projectId: project.definition.id, ...change });
  return renamed.row;
}
