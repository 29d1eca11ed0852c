import { z } from 'zod';
import { MAX_EVENTS } from '../analytics.ts';

const text = z.string().nullish();

/** Texts are taken at any length: they are cut. */
const event = z.looseObject({
  type: z.string().refine((type) => type.trim() !== '', 'must not be blank'),
  timestamp: text,
  session_id: text,
  pathname: text,
  referrer: text,
  screen_width: z.number().nullish(),
  language: text,
  channel: text,
});

/** The body of POST log. */
export const logRequest = z.object({
  events: z
    .array(event)
    .min(1, 'must have an event at least')
    .max(MAX_EVENTS, `must have ${MAX_EVENTS} events at most`),
});

const A_DAY = 'must be a day such as 2026-01-31';
/** From the year 1 on: the days before a range are written as well, and those of earlier years look otherwise. */
const day = z.iso.date(A_DAY).refine((text) => text >= '0001', A_DAY);

/** The query of GET insights. */
export const insightsQuery = z.object({
  from: day.optional(),
  to: day.optional(),
  scope: z.enum(['all', 'own'], "must be 'all' or 'own'").optional(),
});

export type ParsedEvent = z.infer<typeof event>;
export type ParsedInsightsQuery = z.infer<typeof insightsQuery>;
