import type { Caller } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { DailyCounter, type NoticeBudget, secondsToTomorrow } from '../../../http/daily-budget.ts';

interface OutgoingBudgetOptions {
  /** Calls to other servers of an account that is new, in a day (UTC); 0 is no limit. */
  newAccountCalls: number;
  /** Calls of all accounts of a project together; 0 is no limit. */
  projectDailyCalls: number;
  isNewAccount(project: Project, userId: string): Promise<boolean>;
  noticeBudget: NoticeBudget;
  /** Returns the current time in milliseconds since the epoch. */
  now?: () => number;
}

/** Counts a call to another server. Throws RATE_LIMITED when the account or its project has used up its day's. */
export type SpendOutgoing = (project: Project, caller: Caller) => Promise<void>;

export function createOutgoingBudget({
  newAccountCalls,
  projectDailyCalls,
  isNewAccount,
  noticeBudget,
  now = Date.now,
}: OutgoingBudgetOptions): SpendOutgoing {
  const counter = new DailyCounter();
  return async (project, caller) => {
    if (caller.kind !== 'user') return;
    const { id } = project.definition;
    const account = `${id}:${caller.id}`;
    const isOver = newAccountCalls > 0 && counter.count(account, now()) >= newAccountCalls;
    if (isOver && (await isNewAccount(project, caller.id))) {
      throw budgetError(
        `A new account may call other servers ${newAccountCalls} times a day. Please verify your e-mail address, or try again tomorrow.`,
      );
    }
    if (projectDailyCalls > 0 && counter.count(id, now()) >= projectDailyCalls) {
      throw budgetError(
        'This site has called other servers as often as it may today. Please try again tomorrow.',
      );
    }
    counter.add(account, now());
    const used = counter.add(id, now());
    noticeBudget(project, { setting: 'calls to other servers', used, limit: projectDailyCalls });
  };

  function budgetError(message: string): AppError {
    return new AppError('RATE_LIMITED', message, { retryAfter: secondsToTomorrow(now()) });
  }
}
