export { readAccountRows, releaseAccountRows } from './account-rows.ts';
export type { Change } from './change.ts';
export { checkTables } from './check-tables.ts';
export { createEngine } from './create-engine.ts';
export type { Database } from './database.ts';
export type { Engine } from './engine.ts';
export { migrateToLatest } from './migrate.ts';
export { databaseRoutes } from './routes.ts';
export { schemaOf } from './schema.ts';
