import type { Logger } from 'pino';
import type { Project } from '../database/project.ts';

export const DAY_MS = 24 * 60 * 60 * 1000;
/** Part of a budget after which the operator is notified that it comes to its end. */
const WARNING_PART = 0.8;

/** Returns the first millisecond of the day (UTC) of a time. */
export function dayOf(time: number): number {
  return new Date(time).setUTCHours(0, 0, 0, 0);
}

/** Returns the seconds until the next day (UTC) begins. */
export function secondsToTomorrow(time: number): number {
  return (dayOf(time) + DAY_MS - time) / 1_000;
}

/** Tells how much of a project's budget of a day is used. */
export interface BudgetUse {
  /** The setting that limits it, or what a fixed one is of. */
  setting: string;
  used: number;
  limit: number;
  /** Whether nothing is left of it. */
  isOver: boolean;
}

/** Notifies the operator otherwise than in the log. */
export type NotifyOperator = (project: Project, use: BudgetUse) => void;

/** Is called with each use of a project's budget. */
export type NoticeBudget = (project: Project, use: Omit<BudgetUse, 'isOver'>) => void;

interface BudgetNoticeOptions {
  log: Logger;
  notify?: NotifyOperator | undefined;
  now?: (() => number) | undefined;
}

/** Creates what writes a line into the log when 80 % of a project's budget of a day are used, and one at its end. */
export function createBudgetNotices({ log, notify, now = Date.now }: BudgetNoticeOptions): NoticeBudget {
  /** The days and parts that were noticed, by project and setting. */
  const noticed = new Map<string, { day: number; part: number }>();
  return (project, { setting, used, limit }) => {
    if (limit === 0 || used < limit * WARNING_PART) return;
    const part = used >= limit ? 1 : WARNING_PART;
    const { id } = project.definition;
    const key = `${id} ${setting}`;
    const day = dayOf(now());
    const before = noticed.get(key);
    if (before?.day === day && before.part >= part) return;
    noticed.set(key, { day, part });
    const budget = { project: id, setting, used, limit };
    if (part === 1) log.error(budget, 'The budget of the project for today is used up');
    else log.warn(budget, '80 % of the budget of the project for today are used');
    notify?.(project, { setting, used, limit, isOver: part === 1 });
  };
}

/** Counts what is used in a day, in the memory of this process. */
export class DailyCounter {
  readonly #counts = new Map<string, number>();
  #day = 0;

  /** Returns how much was counted under the key today. */
  count(key: string, now: number): number {
    if (dayOf(now) !== this.#day) this.#counts.clear();
    this.#day = dayOf(now);
    return this.#counts.get(key) ?? 0;
  }

  add(key: string, now: number): number {
    const count = this.count(key, now) + 1;
    this.#counts.set(key, count);
    return count;
  }
}
