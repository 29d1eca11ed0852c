import { DEFAULT_INSIGHT_DAYS, MAX_INSIGHT_DAYS } from '@fabrica/contract';

/** Days of UTC as `YYYY-MM-DD`, both among those meant. */
export interface DayRange {
  from: string;
  to: string;
}

export type RangeProblem = 'missing' | 'backwards' | 'tooLong' | 'future';

/** What an address asks for: days, or what is wrong with them and at which field. */
export type AskedRange = DayRange & { problem?: { field: 'from' | 'to'; kind: RangeProblem } };

export type PresetName = 'week' | 'month' | 'quarter' | 'year';

const DAY_MS = 86_400_000;
const PRESET_DAYS = { week: 7, month: DEFAULT_INSIGHT_DAYS, quarter: 90 };

/** The day of UTC that a moment (epoch milliseconds) belongs to. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Midnight at which a day begins, epoch milliseconds. */
export function startOf(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export function addDays(day: string, count: number): string {
  return dayOf(startOf(day) + count * DAY_MS);
}

/** How many days a range has. */
export function countDays({ from, to }: DayRange): number {
  return (startOf(to) - startOf(from)) / DAY_MS + 1;
}

/** As many days, right before. */
export function rangeBefore(range: DayRange): DayRange {
  return { from: addDays(range.from, -countDays(range)), to: addDays(range.from, -1) };
}

/** The ranges that are offered, each ending today. */
export function presetRanges(today: string): Record<PresetName, DayRange> {
  const last = (count: number) => ({ from: addDays(today, 1 - count), to: today });
  return {
    week: last(PRESET_DAYS.week),
    month: last(PRESET_DAYS.month),
    quarter: last(PRESET_DAYS.quarter),
    year: { from: `${today.slice(0, 4)}-01-01`, to: today },
  };
}

/** The range of an address: `from` and `to`, or the last 30 days where it names neither. */
export function readRange(query: URLSearchParams, today: string): AskedRange {
  if (!query.has('from') && !query.has('to')) return presetRanges(today).month;
  const range = { from: readDay(query.get('from')), to: readDay(query.get('to')) };
  const complain = (field: 'from' | 'to', kind: RangeProblem) => ({ ...range, problem: { field, kind } });
  if (!range.from) return complain('from', 'missing');
  if (!range.to) return complain('to', 'missing');
  if (range.from > today) return complain('from', 'future');
  if (range.to > today) return complain('to', 'future');
  if (range.to < range.from) return complain('to', 'backwards');
  if (countDays(range) > MAX_INSIGHT_DAYS) return complain('from', 'tooLong');
  return range;
}

/** Empty for what is no day from the year 1 on. */
function readDay(text: string | null): string {
  if (!text || !/^(?!0000)\d{4}-\d{2}-\d{2}$/.test(text)) return '';
  const time = startOf(text);
  // JavaScript takes 30 February for 2 March.
  return Number.isFinite(time) && dayOf(time) === text ? text : '';
}
