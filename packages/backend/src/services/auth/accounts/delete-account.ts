import type { Transaction } from 'kysely';
import type { Bus } from '../../../core/bus.ts';
import { type Change, forgetWrittenBytes, releaseAccountRows } from '../../../database/index.ts';
import type { Project } from '../../../database/project.ts';
import { deleteCountsOf } from '../../analytics/index.ts';
import { releaseFilesOf } from '../../storage/index.ts';
import { recordEvent } from '../audit.ts';
import { type AuthTables, deleteSessions, findUser, type UserRow } from '../queries.ts';
import { publishUser } from './user.ts';

interface DeleteAccountOptions {
  project: Project;
  bus: Bus;
  userId: string;
  /** Whether to delete its rows of moderated tables, such as comments, rather than to make them anonymous. */
  withModerated?: boolean | undefined;
}

/**
 * Deletes an account with everything it owns: rows as the project's `whenAccountIsDeleted` says, files,
 * sessions, tokens and identities. All of it happens in one transaction and is published on the bus after the
 * commit. A process that is killed before the commit has changed nothing; one that is killed right after it
 * may leave the bytes of files that can no longer be reached. The audit log keeps the events, and of the
 * account only its id.
 *
 * Returns whether there was such an account.
 */
export async function deleteAccount({ project, bus, ...options }: DeleteAccountOptions): Promise<boolean> {
  const { definition, database } = project;
  const { userId, withModerated } = options;
  const deleted = await database.writer.transaction().execute(async (transaction) => {
    const user = await findUser(transaction, userId);
    if (!user) return undefined;
    const rows = await releaseAccountRows(transaction, project, userId, { withModerated });
    const tables = (await definition.forgetAccount?.(transaction, userId)) ?? [];
    const files = await releaseFilesOf(transaction, userId);
    await deleteCountsOf(transaction, userId);
    await forgetWrittenBytes(transaction, userId);
    await deleteUser(transaction, user);
    return { user, tables, changes: [...rows, ...files] };
  });
  if (!deleted) return false;
  publish(bus, definition.id, deleted.changes);
  if (deleted.tables.length > 0) bus.publishTables({ projectId: definition.id, tables: deleted.tables });
  publishUser(bus, project, { before: deleted.user, after: null });
  return true;
}

async function deleteUser(transaction: Transaction<AuthTables>, { id, email }: UserRow): Promise<void> {
  await deleteSessions(transaction, id);
  await transaction.deleteFrom('identities').where('user_id', '=', id).execute();
  // Some tokens are issued for an e-mail that has no account yet.
  await transaction
    .deleteFrom('one_time_tokens')
    .where((row) => row.or([row('user_id', '=', id), row('email', '=', email)]))
    .execute();
  await transaction.deleteFrom('users').where('id', '=', id).execute();
  await recordEvent(transaction, { event: 'account-deleted', userId: id, ip: null, device: null });
  await transaction
    .updateTable('audit_log')
    .set({ address: null, device: null })
    .where('user_id', '=', id)
    .execute();
}

function publish(bus: Bus, projectId: string, changes: readonly Change[]): void {
  for (const change of changes) bus.publish({ projectId, ...change });
}
