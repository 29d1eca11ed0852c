import { z } from 'zod';

export const analyticsSettings = {
  ANALYTICS_RETENTION: z.coerce
    .number()
    .int()
    .min(1)
    .max(3_650)
    .default(90)
    .describe('Days that single events of readers are kept; their daily sums stay.'),
};

export interface AnalyticsSettings {
  /** Days that single events are stored. */
  retentionDays: number;
}
