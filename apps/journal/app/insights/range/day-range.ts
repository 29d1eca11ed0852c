import { DEFAULT_INSIGHT_DAYS, MAX_INSIGHT_DAYS } from '@fabrica/contract';

/** A range of UTC days as `YYYY-MM-DD`. Both ends belong to it. */
export interface DayRange {
  from: string;
  to: string;
}

type RangeProblem = 'missing' | 'backwards' | 'tooLong' | 'future';

/** The range that a URL asks for, and the problem with it, if any. */
export type RequestedRange = DayRange & { problem?: { field: 'from' | 'to'; kind: RangeProblem } };

type PresetName = 'week' | 'month' | 'quarter' | 'year';

const DAY_MS = 86_400_000;
const PRESET_DAYS = { week: 7, month: DEFAULT_INSIGHT_DAYS, quarter: 90 };

/** Returns the UTC day of a time in epoch milliseconds. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Returns the midnight at which a day begins, in epoch milliseconds. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: string, count: number): string {
  return dayOf(startOf(day) + count * DAY_MS);
}

/** Returns the number of days in a range. */
export function countDays({ from, to }: DayRange): number {
  return (startOf(to) - startOf(from)) / DAY_MS + 1;
}

/** Returns the range of the same length right before a range. */
export function rangeBefore(range: DayRange): DayRange {
  return { from: addDays(range.from, -countDays(range)), to: addDays(range.from, -1) };
}

/** Returns the ranges that the page offers. Each ends today. */
export function presetRanges(today: string): Record<PresetName, DayRange> {
  const last = (count: number) => ({ from: addDays(today, 1 - count), to: today });
  return {
    week: last(PRESET_DAYS.week),
    month: last(PRESET_DAYS.month),
    quarter: last(PRESET_DAYS.quarter),
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  };
}

/** Reads the range from `from` and `to` of a query. Returns the last 30 days when it has neither. */
export function readRange(query: URLSearchParams, today: string): RequestedRange {
  if (!query.has('from') && !query.has('to')) return presetRanges(today).month;
  const range = { from: readDay(query.get('from')), to: readDay(query.get('to')) };
  const withProblem = (field: 'from' | 'to', kind: RangeProblem) => ({ ...range, problem: { field, kind } });
  if (!range.from) return withProblem('from', 'missing');
  if (!range.to) return withProblem('to', 'missing');
  if (range.from > today) return withProblem('from', 'future');
  if (range.to > today) return withProblem('to', 'future');
  if (range.to < range.from) return withProblem('to', 'backwards');
  if (countDays(range) > MAX_INSIGHT_DAYS) return withProblem('from', 'tooLong');
  return range;
}

/** Returns the day, or an empty string when the text is not a day from the year 1 on. */
function readDay(text: string | null): string {
  if (!text || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return '';
  const time = startOf(text);
  // JavaScript parses 30 February as 2 March.
  return Number.isFinite(time) && dayOf(time) === text ? text : '';
}
