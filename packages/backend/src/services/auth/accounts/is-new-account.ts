import type { Project } from '../../../database/project.ts';
import { authReader } from '../queries.ts';
import type { AuthSettings } from '../settings.ts';

const NEW_MS = 3_600_000;

/** Tells whether an account has only the small budgets of strangers. */
export type IsNewAccount = (project: Project, userId: string) => Promise<boolean>;

/**
 * Returns a function that tells whether an account is new: it is younger than an hour, or its e-mail address is not
 * verified on a server that could mail the link for it.
 */
export function createNewAccountCheck(
  { sendsMail }: Pick<AuthSettings, 'sendsMail'>,
  now: () => number = Date.now,
): IsNewAccount {
  return async ({ database }, userId) => {
    const found = await authReader(database)
      .selectFrom('users')
      .select(['email_verified', 'created_at'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!found) return true;
    const isUnverified = sendsMail && !Number(found.email_verified);
    return isUnverified || Number(found.created_at) > now() - NEW_MS;
  };
}
