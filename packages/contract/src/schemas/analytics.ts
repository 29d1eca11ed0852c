import { z } from 'zod';
import { MAX_EVENTS } from '../analytics.ts';

const text = z.string().nullish();

/** Accepts texts of any length: they are cut later. Other fields are stored as properties. */
const event = z.looseObject({
  type: z.string().refine((type) => type.trim() !== '', 'must not be blank'),
  /** ISO 8601. */
  timestamp: text,
  session_id: text,
  pathname: text,
  referrer: text,
  screen_width: z.number().nullish(),
  language: text,
  channel: text,
});

/** The body of `POST log`. */
export const logRequest = z.object({
  events: z
    .array(event)
    .min(1, 'must have an event at least')
    .max(MAX_EVENTS, `must have ${MAX_EVENTS} events at most`),
});

const INVALID_DAY = 'must be a day such as 2026-01-31';
/** Starts with the year 1: days before a range are formatted too, and earlier years have another format. */
const day = z.iso.date(INVALID_DAY).refine((text) => text >= '0001', INVALID_DAY);

/** The query of `GET insights`. */
export const insightsQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  scope: z.enum(['all', 'own'], "must be 'all' or 'own'").optional(),
});

export type ParsedEvent = z.infer<typeof event>;
export type ParsedInsightsQuery = z.infer<typeof insightsQuery>;
/** An event as a client sends it. */
export type AnalyticsEvent = z.input<typeof event>;
