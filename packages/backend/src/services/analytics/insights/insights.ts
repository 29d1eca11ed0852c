import {
  can,
  DEFAULT_INSIGHT_DAYS,
  type InsightDay,
  type InsightScope,
  type Insights,
  type InsightTotals,
  MAX_INSIGHT_DAYS,
} from '@fabrica/contract';
import type { ParsedInsightsQuery } from '@fabrica/contract/schemas';
import { type Caller, callerRole } from '../../../core/caller.ts';
import { AppError } from '../../../core/errors.ts';
import type { Project } from '../../../database/project.ts';
import { DAY_MS, dayOf, daysBetween, startOfDay } from '../days.ts';
import { countRows, type InsightRange, readDays, readValues } from './insight-queries.ts';

type SignedIn = Exclude<Caller, { kind: 'anonymous' }>;

/** Returns the days and the scope of a request. Throws VALIDATION_FAILED, FORBIDDEN. */
export function authorizeInsights(
  { from, to, scope }: ParsedInsightsQuery,
  { project, caller, now }: { project: Project; caller: SignedIn; now: number },
): InsightRange & { shown: InsightScope } {
  const last = to ?? dayOf(now);
  const first = from ?? dayOf(startOfDay(last) - (DEFAULT_INSIGHT_DAYS - 1) * DAY_MS);
  if (first > last) throw invalid(`The first day, ${first}, is after the last one, ${last}.`);
  if ((startOfDay(last) - startOfDay(first)) / DAY_MS >= MAX_INSIGHT_DAYS) {
    throw invalid(`${MAX_INSIGHT_DAYS} days can be asked for at most.`);
  }
  const shown = scope ?? (mayReadAll(project, caller) ? 'all' : 'own');
  if (shown === 'all' && !mayReadAll(project, caller)) {
    throw new AppError('FORBIDDEN', 'You may see the figures of your own pages only.');
  }
  if (shown === 'all') return { from: first, to: last, scope: '', shown };
  if (caller.kind === 'service') throw invalid('The secret key has no pages of its own; ask for scope=all.');
  return { from: first, to: last, scope: caller.id, shown };
}

function mayReadAll({ definition }: Project, caller: SignedIn): boolean {
  if (caller.kind === 'service') return true;
  const { all } = definition.insights ?? {};
  return all !== undefined && can(definition.roles, callerRole(caller), all.permission);
}

function invalid(sentence: string): AppError {
  return new AppError('VALIDATION_FAILED', `The request is not valid. ${sentence}`);
}

export async function readInsights(
  { definition, database }: Project,
  { shown, ...range }: InsightRange & { shown: InsightScope },
): Promise<Insights> {
  const rules = Object.entries(definition.insights?.counts ?? {});
  const [viewed, pages, languages, channels, referrers, ...counted] = await Promise.all([
    readDays(database, range),
    readValues(database, range, 'page'),
    readValues(database, range, 'language'),
    readValues(database, range, 'channel'),
    readValues(database, range, 'referrer'),
    ...rules.map(([, rule]) => countRows(database, range, rule)),
  ]);
  const counts = rules.map(([name], index) => ({ name, byDay: counted[index] }));
  const byDay = new Map(viewed.map(({ value, ...figures }) => [value, figures]));
  const days = daysBetween(range.from, range.to).map((day): InsightDay => {
    const figures = byDay.get(day) ?? { views: 0, readers: 0, completedReads: 0 };
    const custom = counts.map(({ name, byDay }) => [name, byDay?.get(day) ?? 0] as const);
    return { day, ...figures, ...Object.fromEntries(custom) };
  });
  const names = ['views', 'readers', 'completedReads', ...counts.map(({ name }) => name)];
  const totals = Object.fromEntries(
    names.map((name) => [name, days.reduce((sum, day) => sum + Number(day[name]), 0)]),
  ) as InsightTotals;
  const { from, to } = range;
  return { from, to, scope: shown, totals, days, pages, languages, channels, referrers };
}
