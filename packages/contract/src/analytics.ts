/**
 * The limits and the shapes of `/api/analytics`. Source: docs/spec/product.md sections 4 and 9, and the wire
 * contract.
 */

/** The most events in one call. */
export const MAX_EVENTS = 100;
/** A client sends its events when it has this many … */
export const EVENT_BATCH = 10;
/** … or this many milliseconds after the first one. */
export const EVENT_FLUSH_MS = 3_000;
/** The most characters of a text in an event; a longer text is cut. */
export const EVENT_TEXT_LENGTH = 256;
/** The most bytes of one event as JSON. */
export const MAX_EVENT_BYTES = 8 * 1024;
/** Milliseconds without an event after which a visit is over. */
export const VISIT_IDLE_MS = 30 * 60 * 1_000;

/** The type of an event that reports a viewed page. */
export const PAGE_VIEW = 'pageview';
/** The type of an event that reports a page that was read to its end. */
export const COMPLETED_READ = 'read.completed';

/** The most days of one query. */
export const MAX_INSIGHT_DAYS = 366;
/** The days of a query that names none; today is the last of them. */
export const DEFAULT_INSIGHT_DAYS = 30;
/** The most rows in each list of a response. */
export const INSIGHT_ROWS = 100;

/** The pages that are counted: all of the project's, or the caller's own. */
export type InsightScope = 'all' | 'own';

interface InsightCounts {
  views: number;
  /** The sum of each day's distinct readers: nobody is recognised on the next day. */
  readers: number;
  completedReads: number;
}

/** Totals, including the counts that the project defines under names of its own, such as `likes`. */
export type InsightTotals = InsightCounts & { [count: string]: number };

/** The counts of one day of UTC, `YYYY-MM-DD`. */
export type InsightDay = InsightCounts & { day: string; [count: string]: number | string };

/** The counts of one path, language, channel or host. */
export interface InsightRow extends InsightCounts {
  value: string;
}

/** The response of GET insights. Its days are days of UTC and include `from` and `to`. */
export interface Insights {
  from: string;
  to: string;
  scope: InsightScope;
  totals: InsightTotals;
  /** Every day in order, also one without events. */
  days: InsightDay[];
  /** This list and the next three are sorted by views, most first. */
  pages: InsightRow[];
  languages: InsightRow[];
  channels: InsightRow[];
  referrers: InsightRow[];
}
