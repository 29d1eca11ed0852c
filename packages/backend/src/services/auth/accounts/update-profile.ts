import type { ProfileUpdate } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { authWriter, type UserRow, updateUser } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';

/**
 * Changes the given fields; `null` clears a field. Returns the updated row. Throws `UNAUTHENTICATED` when the
 * account was deleted in the meantime.
 */
export async function updateProfile(
  project: Project,
  user: UserRow,
  changes: ProfileUpdate,
): Promise<UserRow> {
  const changed: Partial<UserRow> = {};
  if (changes.displayName !== undefined) changed.display_name = changes.displayName;
  if (changes.photoURL !== undefined) changed.photo_url = changes.photoURL;
  if (Object.keys(changed).length === 0) return user;
  const row = await updateUser(authWriter(project.database), user.id, changed);
  if (!row) throw invalidToken();
  return row;
}
