import type { InsightDay } from '@fabrica/contract';
import { addDays, startOf } from '../range/day-range.ts';

/** Days in one chart at most; of longer ranges it shows weeks. */
export const MOST_DAYS = 100;

/** What was counted from one day to another, which are the same unless days were put together. */
export interface Span {
  from: string;
  to: string;
  counts: Record<string, number>;
}

/** The days of an answer as a chart shows them: as they are, or weeks from Monday on where they are many. */
export function groupDays(days: readonly InsightDay[]): Span[] {
  const byWeek = days.length > MOST_DAYS;
  const spans: Span[] = [];
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

/** The Monday of a day's week. */
function mondayOf(day: string): string {
  return addDays(day, -((new Date(startOf(day)).getUTCDay() + 6) % 7));
}
