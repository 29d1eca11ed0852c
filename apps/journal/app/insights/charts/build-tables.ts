import type { InsightDay, InsightRow } from '@fabrica/contract';
import type { InsightsWords } from '../load-insights-messages.ts';
import { formatRange } from '../range/format-range.ts';
import type { Span } from './group-days.ts';
import type { NamedValue } from './name-values.ts';
import type { Cell } from './write-csv.ts';

/** What is counted; the last two are the journal's own. */
export type CountName = keyof InsightsWords['counts'];

export interface TableRow extends NamedValue {
  key: string;
  counts: number[];
}

/** A figure in numbers: to be read as a table, and to be taken along as CSV. */
export interface FigureTable {
  /** What heads the columns, the first being that of the rows' names. */
  header: string[];
  rows: TableRow[];
  csv: { header: string[]; rows: Cell[][] };
}

/** What was counted over time. The table has what the chart shows, the file every day. */
export function buildTimeTable(
  { days, spans }: { days: readonly InsightDay[]; spans: readonly Span[] },
  counts: readonly CountName[],
  { words, language }: { words: InsightsWords; language: string },
): FigureTable {
  const heads = counts.map((name) => words.counts[name]);
  const byWeek = spans.length < days.length;
  return {
    header: [byWeek ? words.figures.week : words.figures.day, ...heads],
    rows: spans.map((span) => ({
      key: span.from,
      name: formatRange(span, 'medium', language),
      counts: counts.map((name) => span.counts[name] ?? 0),
    })),
    csv: {
      header: [words.figures.day, ...heads],
      rows: days.map((day) => [day.day, ...counts.map((name) => Number(day[name] ?? 0))]),
    },
  };
}

/** What was counted by something, the first head naming that; `raw` heads a column of what it is in itself. */
export function buildListTable(
  rows: readonly InsightRow[],
  { name, head, raw }: { name: (value: string) => NamedValue; head: string; raw?: string },
  { counts }: InsightsWords,
): FigureTable {
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
