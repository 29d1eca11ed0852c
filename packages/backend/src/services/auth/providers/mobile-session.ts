import type { SecondStep } from '@fabrica/contract';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthContext } from '../context.ts';
import { issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { authWriter } from '../queries.ts';

/** Milliseconds that a session waits for the app to fetch it. */
const LIFETIME_MS = 600_000;

/**
 * Offers a session of the user to the app that polls for this id. Offering it twice changes nothing. It has taken the
 * second step that the user's own session has taken. Throws
 * `CONFLICT` when another user has offered one first.
 */
export async function offerMobileSession(
  { keys }: Pick<AuthContext, 'keys'>,
  project: Project,
  { id, userId, secondStep }: { id: string; userId: string; secondStep: string | null },
): Promise<void> {
  await authWriter(project.database)
    .transaction()
    .execute(async (transaction) => {
      const earlier = await spendToken(transaction, 'mobile-session', tokenOf(id));
      if (earlier && earlier.userId !== userId) {
        throw new AppError('CONFLICT', 'Somebody else has signed in for this app session already.');
      }
      await issueToken(keys, transaction, {
        kind: 'mobile-session',
        projectId: project.definition.id,
        userId,
        data: { secondStep },
        lifetimeMs: LIFETIME_MS,
        token: tokenOf(id),
      });
    });
}

/** Returns who signed in for the id, once, or `undefined` as long as nobody has. */
export async function takeMobileSession(
  { projects }: Pick<AuthContext, 'projects'>,
  id: string,
): Promise<{ project: Project; userId: string; secondStep: SecondStep | undefined } | undefined> {
  // The app names no project; nobody else makes its id.
  for (const project of projects.values()) {
    const taken = await spendToken(authWriter(project.database), 'mobile-session', tokenOf(id));
    if (!taken?.userId) continue;
    const secondStep = (taken.data.secondStep ?? undefined) as SecondStep | undefined;
    return { project, userId: taken.userId, secondStep };
  }
  return undefined;
}

/** Returns the stored form of an app's id, which cannot collide with tokens of this server. */
function tokenOf(id: string): string {
  return `mobile-session:${id}`;
}
