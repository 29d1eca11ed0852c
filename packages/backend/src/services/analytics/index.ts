export { type Analytics, type AnalyticsOptions, createAnalytics } from './create-analytics.ts';
export { analyticsMigrations } from './migrations.ts';
export { forgetReadersOf } from './queries.ts';
