export { type Analytics, type AnalyticsOptions, createAnalytics } from './create-analytics.ts';
export { analyticsMigrations, analyticsTables } from './migrations.ts';
export { countPageViews, deleteCountsOf } from './queries.ts';
export { analyticsSettings } from './settings.ts';
