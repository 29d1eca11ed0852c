import type { InsightDay, InsightRow } from '@fabrica/contract';
import type { InsightsMessages } from '../load-insights-messages.ts';
import { formatRange } from '../range/format-range.ts';
import type { DaySpan } from './group-days.ts';
import type { NamedValue } from './name-values.ts';

/** The name of a count. Likes and comments are the journal's own counts. */
export type CountName = keyof InsightsMessages['counts'];

export interface TableRow extends NamedValue {
  key: string;
  counts: number[];
}

/** The numbers of a chart, for the table on the page and for the CSV file. */
export interface ChartTable {
  /** Titles of the columns. The first column has the names of the rows. */
  header: string[];
  rows: TableRow[];
  csv: { header: string[]; rows: (string | number)[][] };
}

/** Builds the table of counts over time. The table on the page groups days as the chart does; the CSV file has every day. */
export function buildTimeTable(
  { days, spans }: { days: readonly InsightDay[]; spans: readonly DaySpan[] },
  counts: readonly CountName[],
  { texts, language }: { texts: InsightsMessages; language: string },
): ChartTable {
  const heads = counts.map((name) => texts.counts[name]);
  const byWeek = spans.length < days.length;
  return {
    header: [byWeek ? texts.figures.week : texts.figures.day, ...heads],
    rows: spans.map((span) => ({
      key: span.from,
      name: formatRange(span, 'medium', language),
      counts: counts.map((name) => span.counts[name] ?? 0),
    })),
    csv: {
      header: [texts.figures.day, ...heads],
      rows: days.map((day) => [day.day, ...counts.map((name) => Number(day[name] ?? 0))]),
    },
  };
}

/** Builds the table of a list, such as pages or languages. With `raw`, the CSV file also has a column of unformatted values. */
export function buildListTable(
  rows: readonly InsightRow[],
  { name, head, raw }: { name: (value: string) => NamedValue; head: string; raw?: string },
  { counts }: InsightsMessages,
): ChartTable {
  const heads = [counts.views, counts.readers, counts.completedReads];
  const named = rows.map(({ value, views, readers, completedReads }) => ({
    key: value,
    ...name(value),
    counts: [views, readers, completedReads],
  }));
  return {
    header: [head, ...heads],
    rows: named,
    csv: {
      header: [head, ...(raw ? [raw] : []), ...heads],
      rows: named.map((row) => [row.name, ...(raw ? [row.key] : []), ...row.counts]),
    },
  };
}
