import type { Project } from '../../../database/project.ts';
import { authReader } from '../queries.ts';

const MINUTE_MS = 60_000;

/** Tells whether an account has only the small budgets of strangers. */
export type IsNewAccount = (project: Project, userId: string) => Promise<boolean>;

/**
 * Returns a function that tells whether an account is new: its e-mail address is not verified, or it is younger than
 * these minutes. With 0 minutes, no account is new.
 */
export function createNewAccountCheck(minutes: number, now: () => number = Date.now): IsNewAccount {
  return async ({ database }, userId) => {
    if (minutes === 0) return false;
    const found = await authReader(database)
      .selectFrom('users')
      .select(['email_verified', 'created_at'])
      .where('id', '=', userId)
      .executeTakeFirst();
    if (!found) return true;
    return !Number(found.email_verified) || Number(found.created_at) > now() - minutes * MINUTE_MS;
  };
}
