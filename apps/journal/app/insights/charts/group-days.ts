import type { InsightDay } from '@fabrica/contract';
import { addDays, startOf } from '../range/day-range.ts';

/** The maximum number of days in a chart. It shows weeks of longer ranges. */
export const MAX_CHART_DAYS = 100;

/** The counts of a day or of several days in a row. */
export interface DaySpan {
  from: string;
  to: string;
  counts: Record<string, number>;
}

/** Returns the days as a chart shows them: one by one, or grouped into weeks from Monday when there are many. */
export function groupDays(days: readonly InsightDay[]): DaySpan[] {
  const byWeek = days.length > MAX_CHART_DAYS;
  const spans: DaySpan[] = [];
  for (const { day, ...counts } of days) {
    const last = spans.at(-1);
    if (byWeek && last && mondayOf(last.from) === mondayOf(day)) {
      last.to = day;
      for (const [name, count] of Object.entries(counts)) {
        last.counts[name] = (last.counts[name] ?? 0) + Number(count);
      }
    } else {
      const own = Object.entries(counts).map(([name, count]) => [name, Number(count)]);
      spans.push({ from: day, to: day, counts: Object.fromEntries(own) });
    }
  }
  return spans;
}

/** Returns the Monday of a day's week. */
function mondayOf(day: string): string {
  return addDays(day, -((new Date(startOf(day)).getUTCDay() + 6) % 7));
}
