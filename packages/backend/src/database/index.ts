export { readAccountRows, releaseAccountRows } from './account-rows.ts';
export { checkTables } from './check-tables.ts';
export type { Database } from './database.ts';
export { migrateToLatest } from './migrate.ts';
export { databaseRoutes } from './routes.ts';
export { openSqlite } from './sqlite.ts';
export type { Change } from './transaction.ts';
