/** Exports the zod schemas of the bodies and queries that the backend accepts. */

export * from './ai.ts';
export * from './ai-media.ts';
export * from './analytics.ts';
export * from './auth.ts';
export * from './data.ts';
export * from './factors.ts';
export * from './notifications.ts';
export * from './realtime.ts';
export * from './storage.ts';
