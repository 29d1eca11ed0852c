export type { TableSum, Value } from './canonical-row.ts';
export type { DatabaseLocation, Staged } from './location.ts';
export { openLocation } from './open-location.ts';
export { createPostgresLocation } from './postgres-location.ts';
export type { Snapshot, TableShape } from './snapshot.ts';
export { createSqliteLocation } from './sqlite-location.ts';
export { openSqliteSnapshot } from './sqlite-snapshot.ts';
export { sumsOf, type TransferOptions } from './transfer-rows.ts';
