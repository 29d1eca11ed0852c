import type { Project } from '../http/environment.ts';
import { authWriter, deleteFamily, findRefreshToken } from './queries.ts';
import { hashRefreshToken } from './refresh-token.ts';

/** Ends the session that a refresh token belongs to; nothing happens when there is none. */
export async function signOutByToken(project: Project, token: string): Promise<void> {
  const writer = authWriter(project.database);
  const known = await findRefreshToken(writer, hashRefreshToken(token));
  if (known) await deleteFamily(writer, known.family_id);
}

/** Ends one session of a user. */
export async function signOutSession(project: Project, familyId: string): Promise<void> {
  await deleteFamily(authWriter(project.database), familyId);
}
