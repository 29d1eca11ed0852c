import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { type RequestSource, recordEvent } from '../audit.ts';
import type { AuthContext } from '../context.ts';
import { authWriter, deleteSessions, deleteUserTokens, lockUser, type UserRow } from '../queries.ts';
import { deleteFactor, deleteFactors, type FactorRow, listFactors } from './factor-queries.ts';
import { isFactorRequired } from './second-step.ts';

/**
 * Removes a factor, and the recovery codes with the last one. Throws `NOT_FOUND`, and `CONFLICT` for the last factor of an
 * account whose role has to have one.
 */
export async function removeFactor(
  { settings, notifyOwner }: Pick<AuthContext, 'settings' | 'notifyOwner'>,
  project: Project,
  { user, id, source }: { user: UserRow; id: string; source: RequestSource },
): Promise<void> {
  const removed = await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      await lockUser(transaction, user.id);
      const row = await deleteFactor(transaction, { userId: user.id, id });
      if (!row) throw factorNotFound();
      const isLast = (await listFactors(transaction, user.id)).length === 0;
      if (isLast && isFactorRequired(settings, user)) {
        throw new AppError(
          'CONFLICT',
          'Your role asks for a second factor. Please set up another one before you remove this.',
        );
      }
      if (isLast) await deleteFactors(transaction, user.id);
      const details = { kind: row.kind };
      await recordEvent(transaction, { event: 'factor-removed', userId: user.id, ...source, details });
      return row;
    });
  notifyOwner(project, user, { kind: 'factor-removed', device: source.device, subject: removed.name });
}

export function factorNotFound(): AppError {
  return new AppError('NOT_FOUND', 'You have no passkey and no app of this id.');
}

/**
 * Removes all factors and recovery codes of an account for an operator, and ends its sessions: its owner has lost what they
 * were shown with. Returns what was removed.
 */
export function resetFactors({ database }: Project, { id }: UserRow): Promise<FactorRow[]> {
  return authWriter(database)
    .transaction()
    .execute(async (transaction) => {
      await lockUser(transaction, id);
      const known = await listFactors(transaction, id);
      await deleteFactors(transaction, id);
      await deleteSessions(transaction, id);
      await deleteUserTokens(transaction, id);
      await recordEvent(transaction, {
        event: 'factors-reset',
        userId: id,
        ip: null,
        device: null,
        details: { factors: known.length, by: 'operator' },
      });
      return known;
    });
}
