import type { ProfileUpdate } from '@fabrica/contract/schemas';
import type { Project } from '../../../database/project.ts';
import { authWriter, type UserRow, updateUser } from '../queries.ts';
import { invalidToken } from '../sessions/access-token.ts';

/** Changes what is given and leaves the rest; null takes a value away. Answers the row as it is then. */
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
  // The account was deleted meanwhile.
  if (!row) throw invalidToken();
  return row;
}
