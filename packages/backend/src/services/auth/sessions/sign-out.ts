import type { Project } from '../../../database/project.ts';
import { type AuditEvent, type RequestSource, recordEvent } from '../audit.ts';
import {
  authWriter,
  deleteSession,
  deleteSessions,
  deleteUserTokens,
  findRefreshToken,
  findSession,
} from '../queries.ts';
import { hashRefreshToken } from './refresh-token.ts';

/** Ends the session of a refresh token, if there is one. */
export async function signOutByToken(project: Project, token: string, source: RequestSource): Promise<void> {
  const known = await findRefreshToken(authWriter(project.database), hashRefreshToken(token));
  if (known)
    await endSession(project, known.family_id, { event: 'sign-out', userId: known.user_id, ...source });
}

/** Ends one session of a user. Returns false when the user has none with this id. */
export function endSession(
  project: Project,
  id: string,
  entry: RequestSource & { event: AuditEvent; userId: string },
): Promise<boolean> {
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      if ((await findSession(transaction, id))?.user_id !== entry.userId) return false;
      await deleteSession(transaction, id);
      await recordEvent(transaction, entry);
      return true;
    });
}

/** Ends every session of a user, including the current one. */
export function signOutEverywhere(project: Project, userId: string, source: RequestSource): Promise<void> {
  return authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await deleteSessions(transaction, userId);
      await deleteUserTokens(transaction, userId);
      await recordEvent(transaction, { event: 'sign-out-everywhere', userId, ...source });
    });
}
