import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import type { AuthContext } from '../context.ts';
import { issueToken, spendToken } from '../mail-links/one-time-token.ts';
import { authWriter } from '../queries.ts';

/** Milliseconds that a session waits for the app to ask for it. */
const LIFETIME_MS = 600_000;

/**
 * Has a session of the user ready for the app that polls for this id. Saying it twice changes nothing; throws CONFLICT
 * when another user said it first.
 */
export async function offerMobileSession(
  { keys }: Pick<AuthContext, 'keys'>,
  project: Project,
  { id, userId }: { id: string; userId: string },
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
        lifetimeMs: LIFETIME_MS,
        token: tokenOf(id),
      });
    });
}

/** Who signed in for the id, once; undefined as long as nobody has. */
export async function takeMobileSession(
  { projects }: Pick<AuthContext, 'projects'>,
  id: string,
): Promise<{ project: Project; userId: string } | undefined> {
  // The app names no project; its id is one that nobody else makes.
  for (const project of projects.values()) {
    const taken = await spendToken(authWriter(project.database), 'mobile-session', tokenOf(id));
    if (taken?.userId) return { project, userId: taken.userId };
  }
  return undefined;
}

/** Told apart from the tokens of our own making. */
function tokenOf(id: string): string {
  return `mobile-session:${id}`;
}
