/** Words and limits of `/api/analytics`. Source: docs/spec/product.md sections 4 and 9, and the wire contract. */

/** Events of one call at most. */
export const MAX_EVENTS = 100;
/** Events that a client sends at once … */
export const EVENT_BATCH = 10;
/** … or as many as there are, after so many milliseconds. */
export const EVENT_FLUSH_MS = 3_000;
/** Characters of any text of an event; what is longer is cut. */
export const EVENT_TEXT_LENGTH = 256;
/** Bytes of one event at most, as JSON. */
export const MAX_EVENT_BYTES = 8 * 1024;
/** Milliseconds without an event after which a visit is over. */
export const VISIT_IDLE_MS = 30 * 60 * 1_000;

/** Somebody looks at a page. */
export const PAGE_VIEW = 'pageview';
/** Somebody has read a page to its end. */
export const COMPLETED_READ = 'read.completed';

/** Days of one question at most. */
export const MAX_INSIGHT_DAYS = 366;
/** Days that are answered when none are asked for, today being the last. */
export const DEFAULT_INSIGHT_DAYS = 30;
/** Rows of each list of an answer at most. */
export const INSIGHT_ROWS = 100;

/** What a client sends of one moment. Fields that are not here are kept as properties. */
export interface AnalyticsEvent {
  type: string;
  /** ISO 8601. */
  timestamp?: string | null;
  user_id?: string | null;
  session_id?: string | null;
  pathname?: string | null;
  referrer?: string | null;
  screen_width?: number | null;
  language?: string | null;
  channel?: string | null;
  utm_source?: string | null;
  utm_medium?: string | null;
  utm_campaign?: string | null;
  utm_content?: string | null;
  utm_term?: string | null;
  [property: string]: unknown;
}

/** Whose pages are counted: the whole project's, or the caller's own. */
export type InsightScope = 'all' | 'own';

export interface InsightCounts {
  views: number;
  /** Different ones of each day, added up: nobody is known again on the next day. */
  readers: number;
  completedReads: number;
}

/** Besides those, what the project counts under names of its own, such as `likes`. */
export type InsightTotals = InsightCounts & { [count: string]: number };

/** One day of UTC, `YYYY-MM-DD`. */
export type InsightDay = InsightCounts & { day: string; [count: string]: number | string };

/** What is counted under one path, language, channel or host. */
export interface InsightRow extends InsightCounts {
  value: string;
}

/** The answer of GET insights. Days are those of UTC, `from` and `to` being among them. */
export interface Insights {
  from: string;
  to: string;
  scope: InsightScope;
  totals: InsightTotals;
  /** Every day in its order, also where nothing happened. */
  days: InsightDay[];
  /** Each list has most views first. */
  pages: InsightRow[];
  languages: InsightRow[];
  channels: InsightRow[];
  referrers: InsightRow[];
}
